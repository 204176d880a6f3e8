//===- InPlace.h - Kernels that may write over what they read -------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_INPLACE_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_INPLACE_H

#include "ir/tx/Tx.h"

namespace tensorc::compiler {

/// Pairs of an input and a result of the fusion, whose ops need the input's
/// elements only for the result's at the same index: both may be the same
/// memory where the kernels may overwrite.
llvm::SmallVector<std::pair<unsigned, unsigned>>
inPlacePairs(tx::FusionOp fusion);

/// Whether the first of the fusion's kernels only copies such an input: where
/// both are the same memory, it changes nothing.
bool onlyCopiesFirst(tx::FusionOp fusion);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_INPLACE_H
