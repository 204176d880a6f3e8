//===- Passes.h - Passes that all targets share -----------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_PASSES_H
#define TENSORC_CODEGEN_LOWERING_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tensorc::codegen {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "codegen/lowering/Passes.h.inc"

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_PASSES_H
