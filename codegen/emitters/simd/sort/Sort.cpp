//===- Sort.cpp - Skeleton of fusions around a sort -----------------------===//
//
// for each row: its keys (and places) go to the thread's scratch, are sorted
// there, and all outputs are stored
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/sort/RowSort.h"

using namespace mlir;

namespace tensorc::codegen::simd {

static constexpr int64_t grainElements = 1024;

static FailureOr<KernelSpec> sortRows(KernelBuilder &kernel,
                                      const AxisNest &nest) {
  using Values = SmallVector<Value>;
  SortOrder order(kernel, nest);
  RowSort scratch(kernel, nest, order, nest.length());
  return scratch.finishRows(grainElements, [&](Values dims) -> LogicalResult {
    if (failed(scratch.load(dims)))
      return failure();
    FailureOr<Value> from = scratch.sort(kernel.size(nest.length()));
    return failed(from) ? failure() : scratch.store(dims, *from);
  });
}

static FailureOr<EmittedKernels> emitSort(KernelBuilder &kernel) {
  FailureOr<AxisNest> nest = AxisNest::create(kernel);
  if (failed(nest))
    return failure();
  return single(sortRows(kernel, *nest));
}

/// By all ways that there are for its lengths, or by one of them.
static FailureOr<Offers> offerLengths(KernelBuilder &fusion, tx::OrderAttr) {
  FailureOr<AxisNest> nest = AxisNest::create(fusion);
  if (failed(nest))
    return failure();
  return RowSort::offers(fusion, *nest);
}

const Skeleton sort = {"sort", tx::kinds::sort, matchAll, offerLengths,
                       emitSort};

} // namespace tensorc::codegen::simd
