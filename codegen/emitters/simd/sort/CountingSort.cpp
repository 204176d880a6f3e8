//===- CountingSort.cpp - Sorts rows of small integers --------------------===//
//
// for each key: counters[ordinal of the key] += 1
// for each ordinal, in ascending order:
//   store counters[ordinal] copies of its key
//
// Copies are stored as vectors, at least one per ordinal: most loops then have
// no iterations, and branches are predicted well. Lanes past the last copy are
// overwritten by the keys of the next ordinals, and those past the row are in
// the second half of the buffers.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/sort/CountingSort.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen::simd {

static int64_t numValues(const SortOrder &order) {
  return int64_t(1) << order.ordinalBits();
}

bool CountingSort::supports(const SortOrder &order) {
  unsigned bits = order.keyType().getIntOrFloatBitWidth();
  return !order.hasPositions() && isa<IntegerType>(order.keyType()) &&
         (bits == 8 || bits == 16);
}

int64_t CountingSort::counterBytes(const SortOrder &order) {
  return numValues(order) * static_cast<int64_t>(sizeof(int32_t));
}

int64_t CountingSort::shortestRow(const SortOrder &order) {
  return numValues(order);
}

CountingSort::CountingSort(KernelBuilder &kernel, SortOrder &order,
                           SortBuffers &row, Value firstByte)
    : IndexCode(kernel), order(order), row(row) {
  counters = memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getI32Type()),
      kernel.scratch(), firstByte, index(numValues(order)));
}

LogicalResult CountingSort::clear() {
  int64_t width = kernel.target.getLanes(b.getI32Type());
  Value zeros =
      constantOf(b, b.getLoc(), VectorType::get({width}, b.getI32Type()), 0);
  return success(succeeded(
      forRange(kernel, index(0), index(numValues(order)), width, {},
               [&](Value i, ValueRange) -> FailureOr<SmallVector<Value>> {
                 vector::StoreOp::create(b, zeros, counters, i);
                 return SmallVector<Value>();
               })));
}

LogicalResult CountingSort::count(Value length) {
  Value one = arith::ConstantIntOp::create(b, 1, 32);
  return success(succeeded(forRange(
      kernel, index(0), length, 1, {},
      [&](Value i, ValueRange) -> FailureOr<SmallVector<Value>> {
        Value at = arith::IndexCastUIOp::create(b, b.getIndexType(),
                                                order.ordinal(row.key(i)));
        Value before = memref::LoadOp::create(b, counters, at);
        memref::StoreOp::create(b, arith::AddIOp::create(b, before, one),
                                counters, at);
        return SmallVector<Value>();
      })));
}

FailureOr<Value> CountingSort::sort(Value length) {
  using Values = SmallVector<Value>;
  if (failed(clear()) || failed(count(length)))
    return failure();
  Type integer = b.getIntegerType(order.ordinalBits());
  Value sign = arith::ConstantOp::create(
      b, b.getIntegerAttr(integer, APInt::getSignMask(order.ordinalBits())));
  int64_t lanes = kernel.target.getLanes(order.keyType());
  auto written = forRange(
      kernel, index(0), index(numValues(order)), 1, {index(0)},
      [&](Value ordinal, ValueRange end) -> FailureOr<Values> {
        Value key = order.fromSigned(arith::XOrIOp::create(
            b, arith::IndexCastUIOp::create(b, integer, ordinal), sign));
        Value copies = vector::BroadcastOp::create(
            b, VectorType::get({lanes}, order.keyType()), key);
        Value count = arith::IndexCastUIOp::create(
            b, b.getIndexType(), memref::LoadOp::create(b, counters, ordinal));
        auto put = [&](Value i, ValueRange) -> FailureOr<Values> {
          row.putLanes(add(end[0], i), copies);
          return Values();
        };
        if (failed(put(index(0), {})) ||
            failed(forRange(kernel, index(lanes), count, lanes, {}, put)))
          return failure();
        return Values{add(end[0], count)};
      });
  if (failed(written))
    return failure();
  return index(0);
}

} // namespace tensorc::codegen::simd
