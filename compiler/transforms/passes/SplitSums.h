//===- SplitSums.h - Reductions over dims that are not contiguous ---------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_SPLITSUMS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_SPLITSUMS_H

#include "mlir/IR/PatternMatch.h"

namespace tensorc::compiler {

/// Adds patterns that split the reduction dim of a contraction if a reshape
/// merged it from several dims of a transposed tensor. `onGrid`: for GPUs, whose
/// skeletons need no minimum number of rows.
void addSplitSumsPatterns(mlir::RewritePatternSet &patterns, bool onGrid);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_SPLITSUMS_H
