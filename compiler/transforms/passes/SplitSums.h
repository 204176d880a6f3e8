//===- SplitSums.h - Sums over dims that do not lie side by side ----------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_SPLITSUMS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_SPLITSUMS_H

#include "mlir/IR/PatternMatch.h"

namespace tensorc::compiler {

/// Contractions run along each of the dims that a transposed tensor's reshape
/// makes one of.
void addSplitSumsPatterns(mlir::RewritePatternSet &patterns);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_SPLITSUMS_H
