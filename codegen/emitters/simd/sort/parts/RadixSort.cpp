//===- RadixSort.cpp - Radix sort of long rows ----------------------------===//
//
// for each key, for each of its digits: counters[digit] += 1
// for each digit, least significant first, unless it is the same in all keys:
//   replace the digit's counters by their exclusive prefix sums
//   for each key: to[counters[digit of the key]++] = key
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/sort/parts/RadixSort.h"

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

/// Returns the estimated break-even with a merge sort. A radix pass costs as
/// much as a merge pass, plus about as much per counter (256) as per element.
/// With 4 digits and 256 elements, both sorts cost 8 merge passes.
int64_t RadixSort::shortestRow(const SortOrder &order) {
  return passesOf(order) * 64;
}

RadixSort::RadixSort(KernelBuilder &kernel, SortOrder &order, SortBuffers &row,
                     Value firstByte)
    : IndexCode(kernel), order(order), row(row) {
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

/// Returns digit `number` of an ordinal as an index. Digit 0 is the least
/// significant.
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

Value RadixSort::digitAt(Value position, Value number) {
  Value key = memref::LoadOp::create(b, row.keys, position);
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

/// Distributes the elements at `from` to `to` by digit `number`.
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
  auto moved =
      forRange(kernel, zero, length, 1, {},
               [&](Value i, ValueRange) -> FailureOr<Values> {
                 Value source = arith::AddIOp::create(b, from, i);
                 Value key = memref::LoadOp::create(b, row.keys, source);
                 Value at = counterOf(number, digitOf(ordinalOf(key), number));
                 Value next = memref::LoadOp::create(b, counters, at);
                 memref::StoreOp::create(b, arith::AddIOp::create(b, next, one),
                                         counters, at);
                 Value target =
                     arith::IndexCastOp::create(b, b.getIndexType(), next);
                 memref::StoreOp::create(b, key, row.keys, target);
                 if (row.positions)
                   memref::StoreOp::create(
                       b, memref::LoadOp::create(b, row.positions, source),
                       row.positions, target);
                 return Values();
               });
  return success(succeeded(begin) && succeeded(moved));
}

FailureOr<Value> RadixSort::distributeAll(Value length) {
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

FailureOr<Value> RadixSort::sort(Value length) {
  using Values = SmallVector<Value>;
  if (failed(clear()))
    return failure();
  auto counted = forRange(kernel, indexConstant(kernel, 0), length, 1, {},
                          [&](Value i, ValueRange) -> FailureOr<Values> {
                            count(row.key(i));
                            return Values();
                          });
  if (failed(counted))
    return failure();
  return distributeAll(length);
}

/// Converts the keys from `from` on to ordinals in place, or ordinals back to
/// keys if `isBack` is set.
LogicalResult RadixSort::convert(Value from, Value length, bool isBack) {
  Type key = order.keyType(), integer = b.getIntegerType(order.ordinalBits());
  TypedAttr sign =
      b.getIntegerAttr(integer, APInt::getSignMask(order.ordinalBits()));
  auto range = [&](Value lower, Value upper, int64_t width) {
    auto typed = [&](Type element) -> Type {
      return width == 1 ? element : VectorType::get({width}, element);
    };
    TypedAttr flip =
        width == 1 ? sign
                   : DenseElementsAttr::get(cast<VectorType>(typed(integer)),
                                            Attribute(sign));
    return succeeded(forRange(
        kernel, lower, upper, width, {},
        [&](Value i, ValueRange) -> FailureOr<SmallVector<Value>> {
          Value at = b.createOrFold<arith::AddIOp>(from, i);
          Value x = width == 1
                        ? row.key(at)
                        : Value(vector::LoadOp::create(
                              b, cast<VectorType>(typed(key)), row.keys, at));
          Value mask = arith::ConstantOp::create(b, flip);
          if (isBack)
            x = order.fromSigned(arith::XOrIOp::create(
                b, arith::BitcastOp::create(b, typed(integer), x), mask));
          else
            x = arith::BitcastOp::create(
                b, typed(key),
                arith::XOrIOp::create(b, order.toSigned(x), mask));
          if (width == 1)
            row.put(at, x, {});
          else
            row.putLanes(at, x);
          return SmallVector<Value>();
        }));
  };
  int64_t width = kernel.target.getLanes(key);
  Value rest =
      b.createOrFold<arith::RemUIOp>(length, indexConstant(kernel, width));
  Value fullEnd = b.createOrFold<arith::SubIOp>(length, rest);
  return success(range(indexConstant(kernel, 0), fullEnd, width) &&
                 range(fullEnd, length, 1));
}

FailureOr<Value> RadixSort::sortAsOrdinals(Value length) {
  if (failed(convert(indexConstant(kernel, 0), length, /*isBack=*/false)))
    return failure();
  holdsOrdinals = true;
  FailureOr<Value> from = sort(length);
  holdsOrdinals = false;
  if (failed(from) || failed(convert(*from, length, /*isBack=*/true)))
    return failure();
  return from;
}

} // namespace tensorc::codegen::simd
