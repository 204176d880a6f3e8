//===- MergeBlocks.h - Products of packed matrices, as one dim ------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_MERGEBLOCKS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_MERGEBLOCKS_H

#include "mlir/IR/PatternMatch.h"

namespace tensorc::compiler {

/// Element-wise ops behind a product of blocks are computed of its blocks.
void addMergeBlocksPatterns(mlir::RewritePatternSet &patterns);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_MERGEBLOCKS_H
