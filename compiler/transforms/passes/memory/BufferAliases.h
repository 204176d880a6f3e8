//===- BufferAliases.h - Values that may be the same buffer ---------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_BUFFERALIASES_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_BUFFERALIASES_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/SmallVector.h"

namespace tensorc::compiler {

/// Appends the values that may alias the buffer after this use. The analysis is
/// conservative: a branch or loop that yields the buffer, a loop that it enters,
/// and a call may return it as any of their results.
void aliasesAfter(mlir::OpOperand &use,
                  llvm::SmallVectorImpl<mlir::Value> &out);

/// Returns the buffer and all values that may alias it.
llvm::SmallVector<mlir::Value> aliasesOf(mlir::Value buffer);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_BUFFERALIASES_H
