//===- Passes.h - Passes of the amdgpu target -------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_AMDGPU_PASSES_H
#define TENSORC_CODEGEN_TARGETS_AMDGPU_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace tensorc::codegen {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "codegen/targets/amdgpu/Passes.h.inc"

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_AMDGPU_PASSES_H
