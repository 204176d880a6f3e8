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
  SmallVector<AffineExpr> sizes = nest.rowSizes();
  auto row = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values dims = nest.dimsOf(delinearize(kernel, item, sizes));
    if (failed(scratch.load(dims)))
      return failure();
    FailureOr<Value> from = scratch.sort(kernel.size(nest.length()));
    if (failed(from) || failed(scratch.store(dims, *from)))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, row)))
    return failure();
  return kernel.finish(
      kernel.names.product(sizes),
      kernel.names.constant(grainElements).ceilDiv(nest.length() + 1),
      scratch.bytes());
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

const Skeleton sort = {"sort", "sort", matchAll, offerLengths, emitSort};

} // namespace tensorc::codegen::simd
