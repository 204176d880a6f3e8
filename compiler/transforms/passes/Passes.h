//===- Passes.h - Passes on whole programs --------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PASSES_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PASSES_H

#include "codegen/kernel/ops/Txk.h"
#include "ir/program/Txp.h"
#include "ir/tx/TxDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace tensorc::compiler {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/passes/Passes.h.inc"

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PASSES_H
