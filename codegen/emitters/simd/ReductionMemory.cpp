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

/// Each pass asks for its share of the next row, so that memory is never idle:
/// one pass alone would ask for more than can be under way.
void ReductionSkeleton::prefetch(unsigned pass, ExpressionEmitter &elements,
                                 Value i) {
  bool rowsAreContiguous = llvm::is_sorted(isReduced);
  unsigned count = phases + storesElements();
  if (!isRow || reducedLoops.size() != 1 || !rowsAreContiguous || count < 2)
    return;
  prefetchNextRow(kernel, elements, *space, loops.index, shape,
                  loops.sizes[reducedLoops[0]], i, {pass, count});
}

} // namespace tensorc::codegen::simd
