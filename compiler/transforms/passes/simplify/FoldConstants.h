//===- FoldConstants.h - Ops and branches on constants ----------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_SIMPLIFY_FOLDCONSTANTS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_SIMPLIFY_FOLDCONSTANTS_H

#include "mlir/IR/PatternMatch.h"

namespace tensorc::compiler {

/// Replaces exact element-wise ops whose operands are splat constants by
/// constants, and branches on a constant by the chosen block.
void populateFoldConstants(mlir::RewritePatternSet &patterns);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_SIMPLIFY_FOLDCONSTANTS_H
