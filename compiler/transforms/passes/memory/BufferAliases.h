//===- BufferAliases.h - Values that may be the same buffer ---------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_BUFFERALIASES_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_BUFFERALIASES_H

#include "ir/program/Txp.h"

#include "llvm/ADT/SmallVector.h"

namespace tensorc::compiler {

/// Appends the values that may alias the buffer after this use. The analysis is
/// conservative: a branch or loop that yields the buffer, a loop that it enters,
/// and a call may return it as any of their results.
void aliasesAfter(mlir::OpOperand &use,
                  llvm::SmallVectorImpl<mlir::Value> &out);

/// Returns the buffer and all values that may alias it.
llvm::SmallVector<mlir::Value> aliasesOf(mlir::Value buffer);

/// True for an op that computes a size from others. The op may be null.
bool isSizeArithmetic(mlir::Operation *op);

/// True if the value has the same value in each iteration of the loop and can be
/// computed before it: a size from outside, or arithmetic on such sizes.
bool isInvariant(mlir::Value value, mlir::Operation *loop);

/// Returns the views of values that the block of a loop carries whose offset and
/// size are invariant. txp-plan-memory moves them to the beginning of the block:
/// views of an earlier iteration would keep its buffers.
llvm::SmallVector<txp::ViewOp> viewsOfCarried(mlir::Block &block);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_BUFFERALIASES_H
