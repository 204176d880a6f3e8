//===- ReductionMemory.cpp - What passes over a row keep and ask for ------===//

#include "codegen/emitters/simd/ReductionSkeleton.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// What the passes over a row compute: each phase's reductions, then outputs.
void ReductionSkeleton::planKept() {
  if (!isRow || reducedLoops.size() != 1)
    return;
  SmallVector<Values> passes(phases + 1);
  for (Reduction &r : reductions)
    passes[r.phase].push_back(r.op->getOperand(0));
  for (Value root : kernel.yield().getValues())
    if (isElementLevel(root))
      passes[phases].push_back(root);
  kept.emplace(kernel, passes, shape, loops.sizes[reducedLoops[0]],
               lanes->width);
}

/// Each pass asks for its share of the next row, so that memory is never idle.
/// If there is one before stores past the caches, these take the time, and the
/// reads beside them are under way: rms norm reaches 45 GB/s and not 37, where
/// softmax and layer norm lose a tenth.
void ReductionSkeleton::prefetch(unsigned pass, ExpressionEmitter &elements,
                                 Value i) {
  bool rowsAreContiguous = llvm::is_sorted(isReduced);
  unsigned count = phases + storesElements();
  if (!isRow || reducedLoops.size() != 1 || !rowsAreContiguous || count < 2)
    return;
  AffineExpr row = loops.sizes[reducedLoops[0]];
  PassOverRow share{pass, count};
  if (count == 2 && storesElements() &&
      exceedCaches(kernel.names.product(loops.sizes))) {
    if (pass == 0)
      return;
    share = {0, 1};
  }
  prefetchNextRow(kernel, elements, *space, loops.index, shape, row, i,
                  lanes->width, share);
}

} // namespace tensorc::codegen::simd
