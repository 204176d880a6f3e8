//===- Sort.cpp - Skeleton of fusions around a sort -----------------------===//
//
// for each row: its keys (and places) go to the thread's scratch, are sorted
// there, and all outputs are stored
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/sort/RowSort.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

static constexpr int64_t grainElements = 1024;

namespace {
class SortSkeleton {
public:
  SortSkeleton(KernelBuilder &kernel, const AxisNest &nest)
      : kernel(kernel), b(kernel.b), nest(nest), order(kernel, nest),
        space(kernel.names, nest.loops.sizes),
        length(kernel.size(nest.length())),
        scratch(kernel, order, nest.length(), kernel.scheduled("digits_from")) {
  }

  FailureOr<KernelSpec> emit();

private:
  using Values = SmallVector<Value>;
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  const AxisNest &nest;
  SortOrder order;
  analysis::IterationSpace space;
  Value length;
  RowSort scratch;

  LogicalResult sortRow(Values dims, bool byDigits);
  LogicalResult loadRow(Values dims, bool byDigits);
};
} // namespace

LogicalResult SortSkeleton::loadRow(Values dims, bool byDigits) {
  if (byDigits && failed(scratch.startCounting()))
    return failure();
  return forRange(kernel, indexConstant(kernel, 0), length, 1, {},
                  [&](Value i, ValueRange) -> FailureOr<Values> {
                    dims[nest.axisLoop] = i;
                    ExpressionEmitter elements(kernel, space, dims);
                    FailureOr<Value> key = order.load(elements);
                    if (failed(key))
                      return failure();
                    if (byDigits)
                      scratch.count(*key);
                    scratch.put(i, *key, i);
                    return Values();
                  });
}

LogicalResult SortSkeleton::sortRow(Values dims, bool byDigits) {
  if (failed(loadRow(dims, byDigits)))
    return failure();
  FailureOr<Value> from = scratch.sort(length, byDigits);
  return failed(from) ? failure() : scratch.store(nest, space, dims, *from);
}

FailureOr<KernelSpec> SortSkeleton::emit() {
  SmallVector<AffineExpr> sizes = nest.rowSizes();
  auto row = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values dims = nest.dimsOf(delinearize(kernel, item, sizes));
    if (std::optional<bool> byDigits = scratch.isLong(nest.length())) {
      if (failed(sortRow(dims, *byDigits)))
        return failure();
      return Values();
    }
    auto ifOp = scf::IfOp::create(b, scratch.isLong(length), /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    for (bool byDigits : {true, false}) {
      b.setInsertionPointToStart(byDigits ? ifOp.thenBlock()
                                          : ifOp.elseBlock());
      if (failed(sortRow(dims, byDigits)))
        return failure();
    }
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
  return single(SortSkeleton(kernel, *nest).emit());
}

/// By both ways, or by one of them alone.
static FailureOr<Offers> offerLengths(KernelBuilder &fusion, tx::OrderAttr) {
  FailureOr<AxisNest> nest = AxisNest::create(fusion);
  if (failed(nest))
    return failure();
  Offers offers;
  for (int64_t from : {RadixSort::shortestRow(SortOrder(fusion, *nest)),
                       int64_t(1), int64_t(1) << 31})
    offers.push_back({{"digits_from", from}});
  return offers;
}

const Skeleton sort = {"sort", "sort", matchAll, offerLengths, emitSort};

} // namespace tensorc::codegen::simd
