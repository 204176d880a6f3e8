//===- InPlace.h - Kernels whose results may alias their inputs -----------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_INPLACE_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_INPLACE_H

#include "ir/tx/Tx.h"

namespace tensorc::compiler {

/// Returns pairs of an input and a result of the fusion that may alias: the
/// input's element is only needed for the result's element at the same index.
/// It requires that the kernels may run in place.
llvm::SmallVector<std::pair<unsigned, unsigned>>
inPlacePairs(tx::FusionOp fusion);

/// True if the first of the fusion's kernels only copies such an input. It has
/// no effect if input and result alias.
bool onlyCopiesFirst(tx::FusionOp fusion);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_INPLACE_H
