//===- MergeBlocks.h - Moves merging reshapes after element-wise ops ------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_MERGEBLOCKS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_MERGEBLOCKS_H

#include "mlir/IR/PatternMatch.h"

namespace tensorc::compiler {

/// Adds patterns that apply element-wise ops to the blocks of a packed product
/// before the blocks are merged.
void addMergeBlocksPatterns(mlir::RewritePatternSet &patterns);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_MERGEBLOCKS_H
