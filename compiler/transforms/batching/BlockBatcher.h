//===- BlockBatcher.h - Vectorizes a block over a batch -------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_BATCHING_BLOCKBATCHER_H
#define TENSORC_COMPILER_TRANSFORMS_BATCHING_BLOCKBATCHER_H

#include "compiler/transforms/batching/Rules.h"

namespace tensorc::compiler::batching {

/// Adds the batched ops of a block at the insertion point. `arguments` are the
/// batched arguments of the block; the terminator's operands are the results.
/// Composites in the block that have no rule are expanded in place.
mlir::FailureOr<llvm::SmallVector<Batched>>
batchBlock(mlir::Block &block, llvm::ArrayRef<Batched> arguments, Dim size,
           mlir::OpBuilder &b);

/// Returns a flag for each of the terminator's operands: true if it may differ
/// between examples when the flagged arguments do.
llvm::SmallVector<bool> batchedResults(mlir::Block &block,
                                       llvm::ArrayRef<bool> arguments);

} // namespace tensorc::compiler::batching

#endif // TENSORC_COMPILER_TRANSFORMS_BATCHING_BLOCKBATCHER_H
