//===- Sort.cpp - Skeleton of fusions around a sort -----------------------===//
//
// for each row: its keys (and places) go to the thread's scratch, two halves of
// which take turns: a long row is distributed digit by digit, a short one
// merged in ever longer runs; then all outputs are stored
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/simd/RadixSort.h"
#include "codegen/emitters/simd/Skeletons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
        longFrom(kernel.scheduled("digits_from")) {}

  FailureOr<KernelSpec> emit();

private:
  using Values = SmallVector<Value>;
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  const AxisNest &nest;
  SortOrder order;
  analysis::IterationSpace space;
  SortBuffers buffers;
  std::optional<RadixSort> radix;
  /// Rows from this length on are sorted by digits.
  int64_t longFrom;

  Value index(int64_t v) { return indexConstant(kernel, v); }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y); }
  Value smaller(Value x, Value y) {
    return b.createOrFold<arith::MinUIOp>(x, y);
  }
  AffineExpr splitScratch();
  /// Whether rows are long; null: only run time knows.
  std::optional<bool> isLong() const;
  LogicalResult sortRow(Values dims, bool byDigits);
  LogicalResult loadRow(Values dims, bool byDigits);
  LogicalResult storeRow(Values dims, Value from);
  LogicalResult mergeRuns(Value width, Value from, Value to);
  FailureOr<Values> mergeStep(Value from, Value to, Value middle, Value end,
                              Value at, ValueRange heads);
};
} // namespace

/// Counters, places and keys, each of which is at most as wide as what comes
/// before it.
AffineExpr SortSkeleton::splitScratch() {
  buffers.length = kernel.size(nest.length());
  int64_t width = llvm::divideCeil(order.keyType().getIntOrFloatBitWidth(), 8);
  int64_t counters = isLong() == false ? 0 : RadixSort::counterBytes(order);
  Value count = add(buffers.length, buffers.length);
  auto view = [&](Type type, Value byte) -> Value {
    return memref::ViewOp::create(b,
                                  MemRefType::get({ShapedType::kDynamic}, type),
                                  kernel.scratch(), byte, count);
  };
  Value behind = index(counters);
  if (order.hasPlaces()) {
    buffers.places = view(b.getI64Type(), behind);
    behind = add(behind, b.createOrFold<arith::MulIOp>(count, index(8)));
    width += 8;
  }
  buffers.keys = view(order.keyType(), behind);
  if (counters)
    radix.emplace(kernel, order, buffers, index(0));
  return nest.length() * (2 * width) + counters;
}

LogicalResult SortSkeleton::loadRow(Values dims, bool byDigits) {
  if (byDigits && failed(radix->clear()))
    return failure();
  return forRange(kernel, index(0), buffers.length, 1, {},
                  [&](Value i, ValueRange) -> FailureOr<Values> {
                    dims[nest.axisLoop] = i;
                    ExpressionEmitter elements(kernel, space, dims);
                    FailureOr<Value> key = order.load(elements);
                    if (failed(key))
                      return failure();
                    memref::StoreOp::create(b, *key, buffers.keys, i);
                    if (byDigits)
                      radix->count(*key);
                    if (buffers.places)
                      memref::StoreOp::create(
                          b, arith::IndexCastOp::create(b, b.getI64Type(), i),
                          buffers.places, i);
                    return Values();
                  });
}

LogicalResult SortSkeleton::storeRow(Values dims, Value from) {
  return forRange(kernel, index(0), buffers.length, 1, {},
                  [&](Value i, ValueRange) -> FailureOr<Values> {
                    dims[nest.axisLoop] = i;
                    ExpressionEmitter elements(kernel, space, dims);
                    Value source = add(from, i);
                    Value key = memref::LoadOp::create(b, buffers.keys, source),
                          place;
                    if (buffers.places)
                      place = arith::IndexCastOp::create(
                          b, b.getIndexType(),
                          memref::LoadOp::create(b, buffers.places, source));
                    if (failed(order.store(elements, key, place)))
                      return failure();
                    return Values();
                  });
}

/// One element of the merged run: the smaller head, the left one if equal. Both
/// are read even where a run has ended, so that nothing branches.
FailureOr<SortSkeleton::Values> SortSkeleton::mergeStep(Value from, Value to,
                                                        Value middle, Value end,
                                                        Value at,
                                                        ValueRange heads) {
  auto less = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
  };
  Value last = b.createOrFold<arith::SubIOp>(buffers.length, index(1));
  Value x = add(from, smaller(heads[0], last));
  Value y = add(from, smaller(heads[1], last));
  Value left = memref::LoadOp::create(b, buffers.keys, x);
  Value right = memref::LoadOp::create(b, buffers.keys, y);
  Value noLeft =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, heads[0], middle);
  Value wins = arith::OrIOp::create(b, noLeft, order.isBefore(right, left));
  Value takesRight = arith::AndIOp::create(b, wins, less(heads[1], end));
  Value target = add(to, at);
  memref::StoreOp::create(b,
                          arith::SelectOp::create(b, takesRight, right, left),
                          buffers.keys, target);
  if (buffers.places) {
    Value source = arith::SelectOp::create(b, takesRight, y, x);
    memref::StoreOp::create(b,
                            memref::LoadOp::create(b, buffers.places, source),
                            buffers.places, target);
  }
  Value step = arith::IndexCastUIOp::create(b, b.getIndexType(), takesRight);
  Value other = arith::SubIOp::create(b, index(1), step);
  return Values{add(heads[0], other), add(heads[1], step)};
}

LogicalResult SortSkeleton::mergeRuns(Value width, Value from, Value to) {
  Value pair = add(width, width);
  auto loop = scf::ForOp::create(b, index(0), buffers.length, pair);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value begin = loop.getInductionVar();
  Value middle = smaller(add(begin, width), buffers.length);
  Value end = smaller(add(begin, pair), buffers.length);
  return forRange(kernel, begin, end, 1, {begin, middle},
                  [&](Value at, ValueRange heads) {
                    return mergeStep(from, to, middle, end, at, heads);
                  });
}

std::optional<bool> SortSkeleton::isLong() const {
  auto constant = dyn_cast<AffineConstantExpr>(nest.length());
  return constant ? std::optional(constant.getValue() >= longFrom)
                  : std::nullopt;
}

LogicalResult SortSkeleton::sortRow(Values dims, bool byDigits) {
  if (failed(loadRow(dims, byDigits)))
    return failure();
  FailureOr<Value> from =
      byDigits ? radix->sort()
               : mergePasses(kernel, buffers.length, index(0), buffers.length,
                             [&](Value width, Value from, Value to) {
                               return mergeRuns(width, from, to);
                             });
  return failed(from) ? failure() : storeRow(dims, *from);
}

FailureOr<KernelSpec> SortSkeleton::emit() {
  AffineExpr scratch = splitScratch();
  SmallVector<AffineExpr> sizes = nest.rowSizes();
  auto row = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values dims = nest.dimsOf(delinearize(kernel, item, sizes));
    if (std::optional<bool> byDigits = isLong()) {
      if (failed(sortRow(dims, *byDigits)))
        return failure();
      return Values();
    }
    Value byDigits = arith::CmpIOp::create(b, arith::CmpIPredicate::uge,
                                           buffers.length, index(longFrom));
    auto ifOp = scf::IfOp::create(b, byDigits, /*withElse=*/true);
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
      kernel.names.constant(grainElements).ceilDiv(nest.length() + 1), scratch);
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
