//===- InPlace.h - Kernels whose results may alias their inputs -----------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_INPLACE_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_INPLACE_H

#include "ir/tx/Structure.h"

namespace tensorc::compiler {

/// Returns pairs of an input and a result of the fusion that may share memory,
/// because the kernels need the input's element only for the result's element
/// at the same index. Requires that the kernels may run in place.
llvm::SmallVector<std::pair<unsigned, unsigned>>
inPlacePairs(tx::FusionOp fusion);

/// True if the fusion's first kernel only copies an input that a scatter then
/// updates. The copy has no effect if that input and the result share memory.
bool onlyCopiesFirst(tx::FusionOp fusion);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_INPLACE_H
