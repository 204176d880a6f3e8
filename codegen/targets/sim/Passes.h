//===- Passes.h - Passes of the sim target ----------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_PASSES_H
#define TENSORC_CODEGEN_TARGETS_SIM_PASSES_H

#include "codegen/kernel/TargetInfo.h"
#include "codegen/kernel/ops/Txk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tensorc::codegen {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "codegen/targets/sim/Passes.h.inc"

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_SIM_PASSES_H
