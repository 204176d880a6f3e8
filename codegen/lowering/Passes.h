//===- Passes.h - Passes shared by all targets ------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_PASSES_H
#define TENSORC_CODEGEN_LOWERING_PASSES_H

#include "codegen/kernel/TargetInfo.h"
#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace tensorc::codegen {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "codegen/lowering/Passes.h.inc"

/// Appends the passes that SIMT targets run, in this order, before kernels are
/// lowered. `pm` is anchored on the kernels' module. If f16 is not native, its
/// values become i16.
void addSimtExpansions(mlir::OpPassManager &pm, const TargetInfo &target,
                       NativeConversions native);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_PASSES_H
