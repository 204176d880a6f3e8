//===- LoopUpdates.h - Element-wise slices in loops -------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_LOOPUPDATES_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_LOOPUPDATES_H

#include "mlir/IR/PatternMatch.h"

namespace tensorc::compiler {

/// Makes slices and updates of few elements in the block of a tx.scan or
/// tx.while element-wise, so that they can be computed in registers.
void addLoopUpdatesPatterns(mlir::RewritePatternSet &patterns);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_LOOPUPDATES_H
