//===- ReductionMemory.cpp - Kept elements and prefetches of reductions ---===//

#include "codegen/emitters/simd/ReductionSkeleton.h"
#include "codegen/kernel/CpuCosts.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Returns the values that each pass over a row computes: the operands of the
/// reductions of each phase, and in the last pass the outputs of the operand's
/// shape.
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

/// True if a single pass reads rows once and prefetching them pays off. This is
/// so for rows of bytes, as in a matrix-vector product with quantized weights,
/// and for rows that exceed L2 if the hardware prefetcher stops at page
/// boundaries.
static bool readsMemoryOnce(ReductionSkeleton &of) {
  if (!of.isRow || of.phases != 1 || of.storesElements())
    return false;
  const CpuCosts &costs = of.kernel.costs();
  return llvm::any_of(
      of.kernel.body().getArguments(), [&](BlockArgument input) {
        auto type = dyn_cast<RankedTensorType>(input.getType());
        if (!type || of.kernel.isScalar(input))
          return false;
        unsigned bits = type.getElementTypeBitWidth();
        return type.getElementType().isInteger(8) ||
               (!costs.prefetchesAcrossPages && type.hasStaticShape() &&
                type.getNumElements() * bits / 8 > costs.residentBytes);
      });
}

/// Sets up the prefetches of pass `pass` at element i of the row. In
/// unpipelined kernels, the second pass prefetches all of the next row.
/// Measured on a Zen 5: if each pass prefetched a part, softmax and RMS norm
/// would take 1.2 times as long, and layer norm 1.1 times.
void ReductionSkeleton::prefetch(unsigned pass, ExpressionEmitter &elements,
                                 Value i) {
  const CpuCosts &costs = kernel.costs();
  if (blockPrefetchDistance && blockPrefetchDistance <= costs.maxBlockBytes)
    return elements.prefetch(blockPrefetchDistance, reducedLoops.back(),
                             blockPrefetchDistance <= costs.l1BlockBytes ? 3
                                                                         : 2);
  bool rowsAreContiguous = llvm::is_sorted(isReduced);
  if (isPipelined) {
    if (readsRows[pass])
      elements.prefetch(kernel.scheduled("ahead"), keptLoops.back(),
                        /*locality=*/3);
    return;
  }
  if (readsMemoryOnce(*this) && rowsAreContiguous)
    elements.prefetch(costs.rowPrefetchBytes,
                      keptLoops.empty() ? std::nullopt
                                        : std::optional(keptLoops.back()),
                      /*locality=*/3);
  if (isRow && reducedLoops.size() == 1 && rowsAreContiguous && pass == 1)
    prefetchNextRow(kernel, elements, *space, loops.index, shape,
                    loops.sizes[reducedLoops[0]], i, lanes->width);
}

} // namespace tensorc::codegen::simd
