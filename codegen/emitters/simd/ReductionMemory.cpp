//===- ReductionMemory.cpp - What passes over a row keep and prefetch -----===//

#include "codegen/emitters/simd/ReductionSkeleton.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Returns the values that each pass over a row computes: each phase's
/// reductions, then outputs.
SmallVector<ReductionSkeleton::Values> ReductionSkeleton::rootsOfPasses() {
  SmallVector<Values> passes(phases + 1);
  for (Reduction &r : reductions)
    passes[r.phase].push_back(r.op->getOperand(0));
  for (Value root : kernel.yield().getValues())
    if (isElementLevel(root))
      passes[phases].push_back(root);
  return passes;
}

void ReductionSkeleton::planKept() {
  if (isRow && reducedLoops.size() == 1)
    kept.emplace(kernel, rootsOfPasses(), shape, loops.sizes[reducedLoops[0]],
                 lanes->width);
}

/// Measured on a Zen 5 with rows of 2 to 16 KB: 4 KB take up to 1.1 times as
/// long, and none 1.2 to 2.2 times (0061).
static constexpr int64_t prefetchDistance = 8192;

/// Whether a single pass reads rows of bytes, as a product of one row by
/// quantized weights does.
bool ReductionSkeleton::readsBytesOnce() {
  return isRow && phases == 1 && !storesElements() &&
         llvm::any_of(kernel.body().getArguments(), [&](BlockArgument input) {
           Type element = getElementTypeOrSelf(input.getType());
           return !kernel.isScalar(input) && element.isInteger(8);
         });
}

/// The second pass over a row prefetches all of the next row. Measured on a Zen
/// 5: if each pass prefetches a share, softmax and rms norm take 1.2 times as
/// long, and layer norm 1.1 times.
void ReductionSkeleton::prefetch(unsigned pass, ExpressionEmitter &elements,
                                 Value i) {
  // Blocks beyond L1 do not gain: sums of 1 M rows of 16 f32 take 1.2 times as
  // long with prefetches, of 12 0.7 of the time.
  constexpr int64_t nearBytes = 16384, maxBlockBytes = 49152;
  if (blockPrefetchDistance && blockPrefetchDistance <= maxBlockBytes)
    return elements.prefetch(blockPrefetchDistance, reducedLoops.back(),
                             blockPrefetchDistance <= nearBytes ? 3 : 2);
  bool rowsAreContiguous = llvm::is_sorted(isReduced);
  if (isPipelined) {
    if (readsRows[pass])
      elements.prefetch(kernel.scheduled("ahead"), keptLoops.back(),
                        /*locality=*/3);
    return;
  }
  if (readsBytesOnce() && rowsAreContiguous)
    elements.prefetch(prefetchDistance,
                      keptLoops.empty() ? std::nullopt
                                        : std::optional(keptLoops.back()),
                      /*locality=*/3);
  if (isRow && reducedLoops.size() == 1 && rowsAreContiguous && pass == 1)
    prefetchNextRow(kernel, elements, *space, loops.index, shape,
                    loops.sizes[reducedLoops[0]], i, lanes->width);
}

} // namespace tensorc::codegen::simd
