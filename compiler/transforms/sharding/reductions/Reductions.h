//===- Reductions.h - Calls of reductions over the ranks ------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_REDUCTIONS_REDUCTIONS_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_REDUCTIONS_REDUCTIONS_H

#include "ir/tx/Tx.h"

namespace tensorc::compiler::sharding {

/// True if the op or an op in its regions may exchange data with other ranks: a
/// collective, a custom op of the user, a call.
bool communicates(mlir::Operation *op);
/// True if the op is a call of all_reduce.
bool isAllReduce(mlir::Operation *op);
/// True if the op is a call of all_reduce or reduce_scatter.
bool isReduction(mlir::Operation *op);

/// Calls the function for each operand of the op and of the ops in its regions.
void forEachOperand(mlir::Operation *op,
                    llvm::function_ref<void(mlir::Value)> function);

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_REDUCTIONS_REDUCTIONS_H
