//===- Sort.cpp - Skeleton of fusions around a sort -----------------------===//
//
// for each row: its keys (and places) go to the thread's scratch, two halves of
// which take turns in merging ever longer runs; then all outputs are stored
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/SortOrder.h"
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
        space(kernel.names, nest.loops.sizes) {}

  FailureOr<KernelSpec> emit();

private:
  using Values = SmallVector<Value>;
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  const AxisNest &nest;
  SortOrder order;
  analysis::IterationSpace space;
  /// Two halves of `length` elements each; places only if wanted.
  Value keys, places, length;

  Value index(int64_t v) { return indexConstant(kernel, v); }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y); }
  Value smaller(Value x, Value y) {
    return b.createOrFold<arith::MinUIOp>(x, y);
  }
  AffineExpr splitScratch();
  LogicalResult loadRow(Values dims);
  LogicalResult storeRow(Values dims, Value from);
  LogicalResult mergeRuns(Value width, Value from, Value to);
  FailureOr<Values> mergeStep(Value from, Value to, Value middle, Value end,
                              Value at, ValueRange heads);
};
} // namespace

/// Places before keys, which are never wider.
AffineExpr SortSkeleton::splitScratch() {
  int64_t width = llvm::divideCeil(order.keyType().getIntOrFloatBitWidth(), 8);
  Value count = add(length, length);
  auto view = [&](Type type, Value byte) -> Value {
    return memref::ViewOp::create(b,
                                  MemRefType::get({ShapedType::kDynamic}, type),
                                  kernel.scratch(), byte, count);
  };
  Value behind = index(0);
  if (order.hasPlaces()) {
    places = view(b.getI64Type(), behind);
    behind = b.createOrFold<arith::MulIOp>(count, index(8));
    width += 8;
  }
  keys = view(order.keyType(), behind);
  return nest.length() * (2 * width);
}

LogicalResult SortSkeleton::loadRow(Values dims) {
  return forRange(kernel, index(0), length, 1, {},
                  [&](Value i, ValueRange) -> FailureOr<Values> {
                    dims[nest.axisLoop] = i;
                    ExpressionEmitter elements(kernel, space, dims);
                    FailureOr<Value> key = order.load(elements);
                    if (failed(key))
                      return failure();
                    memref::StoreOp::create(b, *key, keys, i);
                    if (places)
                      memref::StoreOp::create(
                          b, arith::IndexCastOp::create(b, b.getI64Type(), i),
                          places, i);
                    return Values();
                  });
}

LogicalResult SortSkeleton::storeRow(Values dims, Value from) {
  return forRange(kernel, index(0), length, 1, {},
                  [&](Value i, ValueRange) -> FailureOr<Values> {
                    dims[nest.axisLoop] = i;
                    ExpressionEmitter elements(kernel, space, dims);
                    Value source = add(from, i);
                    Value key = memref::LoadOp::create(b, keys, source), place;
                    if (places)
                      place = arith::IndexCastOp::create(
                          b, b.getIndexType(),
                          memref::LoadOp::create(b, places, source));
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
  Value last = b.createOrFold<arith::SubIOp>(length, index(1));
  Value x = add(from, smaller(heads[0], last));
  Value y = add(from, smaller(heads[1], last));
  Value left = memref::LoadOp::create(b, keys, x);
  Value right = memref::LoadOp::create(b, keys, y);
  Value noLeft =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, heads[0], middle);
  Value wins = arith::OrIOp::create(b, noLeft, order.isBefore(right, left));
  Value takesRight = arith::AndIOp::create(b, wins, less(heads[1], end));
  Value target = add(to, at);
  memref::StoreOp::create(
      b, arith::SelectOp::create(b, takesRight, right, left), keys, target);
  if (places) {
    Value source = arith::SelectOp::create(b, takesRight, y, x);
    memref::StoreOp::create(b, memref::LoadOp::create(b, places, source),
                            places, target);
  }
  Value step = arith::IndexCastUIOp::create(b, b.getIndexType(), takesRight);
  Value other = arith::SubIOp::create(b, index(1), step);
  return Values{add(heads[0], other), add(heads[1], step)};
}

LogicalResult SortSkeleton::mergeRuns(Value width, Value from, Value to) {
  Value pair = add(width, width);
  auto loop = scf::ForOp::create(b, index(0), length, pair);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value begin = loop.getInductionVar();
  Value middle = smaller(add(begin, width), length);
  Value end = smaller(add(begin, pair), length);
  return forRange(kernel, begin, end, 1, {begin, middle},
                  [&](Value at, ValueRange heads) {
                    return mergeStep(from, to, middle, end, at, heads);
                  });
}

FailureOr<KernelSpec> SortSkeleton::emit() {
  length = kernel.size(nest.length());
  AffineExpr scratch = splitScratch();
  SmallVector<AffineExpr> sizes = nest.rowSizes();
  auto row = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values dims = nest.dimsOf(delinearize(kernel, item, sizes));
    if (failed(loadRow(dims)))
      return failure();
    FailureOr<Value> from = mergePasses(kernel, length, index(0), length,
                                        [&](Value width, Value from, Value to) {
                                          return mergeRuns(width, from, to);
                                        });
    if (failed(from) || failed(storeRow(dims, *from)))
      return failure();
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

const Skeleton sort = {"merge", "sort", matchAll, offerNothing, emitSort};

} // namespace tensorc::codegen::simd
