//===- Passes.h - Passes of the cpu target ----------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_CPU_PASSES_H
#define TENSORC_CODEGEN_TARGETS_CPU_PASSES_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
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
#include "codegen/targets/cpu/Passes.h.inc"

/// Adds the patterns that lower txk.amx ops.
void populateAmxToLLVM(const mlir::LLVMTypeConverter &converter,
                       mlir::RewritePatternSet &patterns);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_CPU_PASSES_H
