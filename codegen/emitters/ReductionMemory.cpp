//===- ReductionMemory.cpp - What passes over a row keep and ask for ------===//

#include "codegen/emitters/ReductionSkeleton.h"

using namespace mlir;

namespace tensorc::codegen {

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

/// The first pass waits for memory, and so does the one that stores: one in
/// between asks for the next row.
void ReductionSkeleton::prefetch(unsigned pass, ExpressionEmitter &elements) {
  bool rowsAreContiguous = llvm::is_sorted(isReduced);
  if (!isRow || reducedLoops.size() != 1 || !rowsAreContiguous ||
      pass != std::max(phases - 1, 1u))
    return;
  prefetchNextRow(kernel, elements, *space, loops.index, shape,
                  loops.sizes[reducedLoops[0]], lanes->width);
}

} // namespace tensorc::codegen
