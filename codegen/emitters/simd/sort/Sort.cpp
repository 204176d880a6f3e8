//===- Sort.cpp - Sorts on CPUs -------------------------------------------===//
//
// for each row, or each group of short rows (one per lane):
//   load the keys (and original positions) to scratch
//   sort them there
//   store all outputs
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/sort/RowSort.h"
#include "codegen/emitters/simd/sort/RowsInLanes.h"
#include "codegen/emitters/simd/sort/parts/PackedLanes.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

static bool isConstant(AffineExpr expr) {
  return isa<AffineConstantExpr>(expr);
}

/// Emits a loop over rows. Groups of short rows are sorted in lanes, longer
/// rows one by one.
static FailureOr<KernelSpec> sortRows(KernelBuilder &kernel,
                                      const AxisNest &nest) {
  using Values = SmallVector<Value>;
  ImplicitLocOpBuilder &b = kernel.b;
  SortOrder order(kernel, nest);
  int64_t minSeparateLength = RowsInLanes::longestRow(kernel, nest, order)
                                  ? kernel.scheduled("alone_from")
                                  : 1;
  std::optional<RowSort> scratch;
  std::optional<RowsInLanes> lanes;
  if (minSeparateLength > 1)
    lanes.emplace(kernel, nest, order, minSeparateLength - 1);
  bool isShort = lanes && isConstant(nest.length());
  if (!isShort || RowsInLanes::mayBeAmbiguous(order))
    scratch.emplace(kernel, nest, order, nest.length());
  auto sortBy = [&](function_ref<FailureOr<Value>(Value length)> sort) {
    return [&, sort](Values dims) -> LogicalResult {
      if (failed(scratch->load(dims)))
        return failure();
      FailureOr<Value> from = sort(kernel.size(nest.length()));
      return failed(from) ? failure() : scratch->store(dims, *from);
    };
  };
  auto sortOneByOne = [&] {
    return scratch->sortRows(
        sortBy([&](Value length) { return scratch->sort(length); }));
  };
  auto sortInLanes = [&] {
    return lanes->sortRows(
        sortBy([&](Value length) { return scratch->sortStably(length); }));
  };
  AffineExpr bytes = kernel.names.constant(lanes ? lanes->scratchBytes() : 0);
  if (scratch)
    bytes = bytes + scratch->scratchBytes();
  if (!lanes || isShort) {
    if (failed(lanes ? sortInLanes() : sortOneByOne()))
      return failure();
  } else {
    Value fits = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ult, kernel.size(nest.length()),
        indexConstant(kernel, minSeparateLength));
    auto ifShort = scf::IfOp::create(b, fits, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifShort.thenBlock());
    if (failed(sortInLanes()))
      return failure();
    b.setInsertionPointToStart(ifShort.elseBlock());
    if (failed(sortOneByOne()))
      return failure();
  }
  // If rows are sorted in lanes, a task consists of whole groups of rows.
  int64_t grain = kernel.costs().sortGrain * (lanes ? maxKeyLanes : 1);
  return finishRows(kernel, nest, grain, bytes);
}

static FailureOr<EmittedKernels> emitSort(KernelBuilder &kernel) {
  FailureOr<AxisNest> nest = AxisNest::create(kernel);
  if (failed(nest))
    return failure();
  return single(sortRows(kernel, *nest));
}

/// Offers schedules. By default, rows up to a maximum length are sorted in
/// lanes, and longer ones one by one. The alternatives sort all rows one by
/// one, with each of RowSort's schedules.
static FailureOr<Offers> offerLengths(KernelBuilder &fusion, tx::OrderAttr) {
  FailureOr<AxisNest> nest = AxisNest::create(fusion);
  if (failed(nest))
    return failure();
  SortOrder order(fusion, *nest);
  Offers oneByOne = RowSort::offers(fusion, *nest);
  int64_t longest = RowsInLanes::longestRow(fusion, *nest, order);
  if (!longest)
    return oneByOne;
  Offers offers;
  auto offer = [&](int64_t minSeparateLength, Numbers numbers) {
    numbers.insert(numbers.begin(), {"alone_from", minSeparateLength});
    offers.push_back(numbers);
  };
  offer(longest + 1, oneByOne.front());
  for (const Numbers &numbers : oneByOne)
    offer(1, numbers);
  return offers;
}

const Skeleton sort = {"sort", tx::kinds::sort, matchAll, offerLengths,
                       emitSort};

} // namespace tensorc::codegen::simd
