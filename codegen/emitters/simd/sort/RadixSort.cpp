//===- RadixSort.cpp - Rows sorted digit by digit -------------------------===//
//
// for each key: for each of its digits: counters[digit] += 1
// for each digit, the lowest first, unless all keys have the same one:
//   counters become the places where their keys begin
//   for each key: to[counters[its digit]++] = it
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/sort/RadixSort.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

static constexpr int64_t digitBits = 8, numDigits = 1 << digitBits;

static int64_t passesOf(const SortOrder &order) {
  return order.ordinalBits() / digitBits;
}

int64_t RadixSort::counterBytes(const SortOrder &order) {
  return passesOf(order) * numDigits * 8;
}

/// A pass costs as much as one of merging, and its counters about as much as
/// their number of elements.
int64_t RadixSort::shortestRow(const SortOrder &order) {
  return passesOf(order) * 64;
}

RadixSort::RadixSort(KernelBuilder &kernel, SortOrder &order,
                     const SortBuffers &row, Value firstByte)
    : kernel(kernel), b(kernel.b), order(order), row(row) {
  counters = memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getI64Type()),
      kernel.scratch(), firstByte,
      indexConstant(kernel, passesOf(order) * numDigits));
}

LogicalResult RadixSort::clear() {
  Value zero = arith::ConstantIntOp::create(b, 0, 64);
  int64_t width = 8;
  auto vector = VectorType::get({width}, b.getI64Type());
  Value zeros = vector::BroadcastOp::create(b, vector, zero);
  return success(succeeded(
      forRange(kernel, indexConstant(kernel, 0),
               indexConstant(kernel, passesOf(order) * numDigits), width, {},
               [&](Value i, ValueRange) -> FailureOr<SmallVector<Value>> {
                 vector::StoreOp::create(b, zeros, counters, i);
                 return SmallVector<Value>();
               })));
}

Value RadixSort::ordinalOf(Value key) {
  if (!holdsOrdinals)
    return order.ordinal(key);
  return arith::BitcastOp::create(b, b.getIntegerType(order.ordinalBits()),
                                  key);
}

/// `number` counts digits from the lowest; it is an index.
Value RadixSort::digitOf(Value ordinal, Value number) {
  Type type = ordinal.getType();
  Value bits = arith::IndexCastUIOp::create(
      b, type,
      b.createOrFold<arith::MulIOp>(number, indexConstant(kernel, digitBits)));
  Value mask = arith::ConstantOp::create(
      b, b.getIntegerAttr(type, APInt(order.ordinalBits(), numDigits - 1)));
  return arith::IndexCastUIOp::create(
      b, b.getIndexType(),
      arith::AndIOp::create(b, arith::ShRUIOp::create(b, ordinal, bits), mask));
}

Value RadixSort::digitAt(Value place, Value number) {
  Value key = memref::LoadOp::create(b, row.keys, place);
  return digitOf(ordinalOf(key), number);
}

Value RadixSort::counterOf(Value number, Value digit) {
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(number, indexConstant(kernel, numDigits)),
      digit);
}

void RadixSort::count(Value key) {
  Value ordinal = ordinalOf(key), one = arith::ConstantIntOp::create(b, 1, 64);
  for (int64_t pass = 0; pass < passesOf(order); ++pass) {
    Value number = indexConstant(kernel, pass);
    Value at = counterOf(number, digitOf(ordinal, number));
    Value before = memref::LoadOp::create(b, counters, at);
    memref::StoreOp::create(b, arith::AddIOp::create(b, before, one), counters,
                            at);
  }
}

/// Distributes the elements at `from` to `to` by one digit.
LogicalResult RadixSort::distribute(Value length, Value number, Value from,
                                    Value to) {
  using Values = SmallVector<Value>;
  Value zero = indexConstant(kernel, 0);
  Value one = arith::ConstantIntOp::create(b, 1, 64);
  auto begin =
      forRange(kernel, zero, indexConstant(kernel, numDigits), 1,
               {arith::IndexCastOp::create(b, b.getI64Type(), to)},
               [&](Value digit, ValueRange sum) -> FailureOr<Values> {
                 Value at = counterOf(number, digit);
                 Value count = memref::LoadOp::create(b, counters, at);
                 memref::StoreOp::create(b, sum[0], counters, at);
                 return Values{arith::AddIOp::create(b, sum[0], count)};
               });
  auto moved = forRange(
      kernel, zero, length, 1, {},
      [&](Value i, ValueRange) -> FailureOr<Values> {
        Value source = arith::AddIOp::create(b, from, i);
        Value key = memref::LoadOp::create(b, row.keys, source);
        Value at = counterOf(number, digitOf(ordinalOf(key), number));
        Value next = memref::LoadOp::create(b, counters, at);
        memref::StoreOp::create(b, arith::AddIOp::create(b, next, one),
                                counters, at);
        Value target = arith::IndexCastOp::create(b, b.getIndexType(), next);
        memref::StoreOp::create(b, key, row.keys, target);
        if (row.places)
          memref::StoreOp::create(b,
                                  memref::LoadOp::create(b, row.places, source),
                                  row.places, target);
        return Values();
      });
  return success(succeeded(begin) && succeeded(moved));
}

FailureOr<Value> RadixSort::sort(Value length) {
  using Values = SmallVector<Value>;
  Value zero = indexConstant(kernel, 0);
  Type index = b.getIndexType();
  auto halves = forRange(
      kernel, zero, indexConstant(kernel, passesOf(order)), 1, {zero, length},
      [&](Value number, ValueRange half) -> FailureOr<Values> {
        Value digit = digitAt(half[0], number);
        Value same =
            memref::LoadOp::create(b, counters, counterOf(number, digit));
        Value isSorted = arith::CmpIOp::create(
            b, arith::CmpIPredicate::eq,
            arith::IndexCastOp::create(b, index, same), length);
        auto ifOp = scf::IfOp::create(b, TypeRange{index, index}, isSorted,
                                      /*withElse=*/true);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(ifOp.thenBlock());
        scf::YieldOp::create(b, ValueRange{half[0], half[1]});
        b.setInsertionPointToStart(ifOp.elseBlock());
        if (failed(distribute(length, number, half[0], half[1])))
          return failure();
        scf::YieldOp::create(b, ValueRange{half[1], half[0]});
        return Values(ifOp.getResults());
      });
  if (failed(halves))
    return failure();
  return (*halves)[0];
}

} // namespace tensorc::codegen::simd
