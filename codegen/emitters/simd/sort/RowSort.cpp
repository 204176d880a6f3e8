//===- RowSort.cpp - Elements sorted in a thread's scratch ----------------===//

#include "codegen/emitters/simd/sort/RowSort.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

Value RowSort::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(x, y);
}

Value RowSort::smaller(Value x, Value y) {
  return b.createOrFold<arith::MinUIOp>(x, y);
}

/// Counters, places and keys, each of which is at most as wide as what comes
/// before it.
RowSort::RowSort(KernelBuilder &kernel, SortOrder &order, AffineExpr capacity,
                 int64_t longFrom, int64_t spare)
    : kernel(kernel), b(kernel.b), order(order), longFrom(longFrom) {
  int64_t width = llvm::divideCeil(order.keyType().getIntOrFloatBitWidth(), 8);
  auto most = dyn_cast<AffineConstantExpr>(capacity);
  bool isShort = most && most.getValue() < longFrom;
  int64_t counters = isShort ? 0 : RadixSort::counterBytes(order);
  Value count = kernel.size(capacity * 2 + spare);
  auto view = [&](Type type, Value byte) -> Value {
    return memref::ViewOp::create(b,
                                  MemRefType::get({ShapedType::kDynamic}, type),
                                  kernel.scratch(), byte, count);
  };
  Value behind = index(counters);
  int64_t bytesOfAll = width;
  if (order.hasPlaces()) {
    buffers.places = view(b.getI64Type(), behind);
    behind = add(behind, b.createOrFold<arith::MulIOp>(count, index(8)));
    bytesOfAll += 8;
  }
  buffers.keys = view(order.keyType(), behind);
  if (counters)
    radix.emplace(kernel, order, buffers, index(0));
  size = (capacity * 2 + spare) * bytesOfAll + counters;
}

std::optional<bool> RowSort::isLong(AffineExpr length) const {
  auto constant = dyn_cast<AffineConstantExpr>(length);
  return constant ? std::optional(constant.getValue() >= longFrom)
                  : std::nullopt;
}

Value RowSort::isLong(Value length) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, length,
                               index(longFrom));
}

Value RowSort::key(Value at) {
  return memref::LoadOp::create(b, buffers.keys, at);
}

Value RowSort::place(Value at) {
  if (!buffers.places)
    return {};
  return arith::IndexCastOp::create(
      b, b.getIndexType(), memref::LoadOp::create(b, buffers.places, at));
}

void RowSort::put(Value at, Value key, Value place) {
  memref::StoreOp::create(b, key, buffers.keys, at);
  if (buffers.places)
    memref::StoreOp::create(
        b, arith::IndexCastOp::create(b, b.getI64Type(), place), buffers.places,
        at);
}

void RowSort::putLanes(Value at, Value keys) {
  vector::StoreOp::create(b, keys, buffers.keys, at);
}

LogicalResult RowSort::store(const AxisNest &nest,
                             const analysis::IterationSpace &space, Values dims,
                             Value from) {
  return success(succeeded(
      forRange(kernel, index(0), kernel.size(nest.storedLength), 1, {},
               [&](Value i, ValueRange) -> FailureOr<Values> {
                 dims[nest.axisLoop] = i;
                 ExpressionEmitter elements(kernel, space, dims);
                 Value source = add(from, i);
                 if (failed(order.store(elements, key(source), place(source))))
                   return failure();
                 return Values();
               })));
}

LogicalResult RowSort::moveToFront(Value from, Value count) {
  return success(
      succeeded(forRange(kernel, index(0), count, 1, {},
                         [&](Value i, ValueRange) -> FailureOr<Values> {
                           Value source = add(from, i);
                           put(i, key(source), place(source));
                           return Values();
                         })));
}

/// One element of the merged run: the smaller head, the left one if equal. Both
/// are read even where a run has ended, so that nothing branches.
FailureOr<RowSort::Values> RowSort::mergeStep(const Merge &pass, Value middle,
                                              Value end, Value at,
                                              ValueRange heads) {
  auto less = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
  };
  Value last = b.createOrFold<arith::SubIOp>(pass.length, index(1));
  Value x = add(pass.from, smaller(heads[0], last));
  Value y = add(pass.from, smaller(heads[1], last));
  Value left = key(x), right = key(y);
  Value noLeft =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, heads[0], middle);
  Value wins = arith::OrIOp::create(b, noLeft, order.isBefore(right, left));
  Value takesRight = arith::AndIOp::create(b, wins, less(heads[1], end));
  Value target = add(pass.to, at);
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

LogicalResult RowSort::mergeRuns(const Merge &pass, Value width) {
  Value pair = add(width, width);
  auto loop = scf::ForOp::create(b, index(0), pass.length, pair);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value begin = loop.getInductionVar();
  Value middle = smaller(add(begin, width), pass.length);
  Value end = smaller(add(begin, pair), pass.length);
  return forRange(kernel, begin, end, 1, {begin, middle},
                  [&](Value at, ValueRange heads) {
                    return mergeStep(pass, middle, end, at, heads);
                  });
}

FailureOr<Value> RowSort::sort(Value length, bool byDigits) {
  if (byDigits)
    return radix->sort(length);
  return mergePasses(kernel, length, index(0), length,
                     [&](Value width, Value from, Value to) {
                       return mergeRuns({length, from, to}, width);
                     });
}

FailureOr<Value> RowSort::sort(Value length) {
  if (!radix)
    return sort(length, /*byDigits=*/false);
  auto ifOp = scf::IfOp::create(b, b.getIndexType(), isLong(length),
                                /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  for (bool byDigits : {true, false}) {
    b.setInsertionPointToStart(byDigits ? ifOp.thenBlock() : ifOp.elseBlock());
    if (byDigits) {
      if (failed(startCounting()) ||
          failed(forRange(kernel, index(0), length, 1, {},
                          [&](Value i, ValueRange) -> FailureOr<Values> {
                            count(key(i));
                            return Values();
                          })))
        return failure();
    }
    FailureOr<Value> from = sort(length, byDigits);
    if (failed(from))
      return failure();
    scf::YieldOp::create(b, *from);
  }
  return Value(ifOp.getResult(0));
}

} // namespace tensorc::codegen::simd
