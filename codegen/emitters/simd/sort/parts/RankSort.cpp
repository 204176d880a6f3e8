//===- RankSort.cpp - Sorts few elements by their ranks -------------------===//
//
// for each vector of elements, one element per lane:
//   rank = number of elements to its left that do not come after it
//          + number of elements to its right that come before it
//   store the element at its rank
//
// There are no branches except in loops, and only one dependency chain per
// vector.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/sort/parts/RankSort.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <numeric>

using namespace mlir;

namespace tensorc::codegen::simd {

/// Returns the ranks of the elements at [first, first + lanes) among the first
/// `length` elements.
FailureOr<Value> RankSort::ranksAt(Value first, Value length) {
  auto rankVector = VectorType::get({lanes}, b.getI32Type());
  auto keyVector = VectorType::get({lanes}, order.keyType());
  auto splat = [&](Value x) -> Value {
    return vector::BroadcastOp::create(b, VectorType::get({lanes}, x.getType()),
                                       x);
  };
  SmallVector<int32_t> numbers(lanes);
  std::iota(numbers.begin(), numbers.end(), 0);
  Value lane = arith::ConstantOp::create(
      b, DenseElementsAttr::get(rankVector, ArrayRef(numbers)));
  Value yes = splat(arith::ConstantIntOp::create(b, 1, 1));
  Value mine = vector::LoadOp::create(b, keyVector, buffers.keys, first);
  auto goesFirst = [&](Value other, bool isLeft) -> Value {
    if (!isLeft)
      return order.isBefore(other, mine);
    return arith::XOrIOp::create(b, order.isBefore(mine, other), yes);
  };
  auto count = [&](Value lower, Value upper, Value ranks,
                   function_ref<Value(Value, Value)> goesFirstAt) {
    return forRange(
        kernel, lower, upper, 1, ranks,
        [&](Value j, ValueRange sum) -> FailureOr<Values> {
          Value mask = goesFirstAt(j, splat(buffers.key(j)));
          return Values{arith::AddIOp::create(
              b, sum[0], arith::ExtUIOp::create(b, rankVector, mask))};
        });
  };
  Value end = b.createOrFold<arith::MinUIOp>(add(first, index(lanes)), length);
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(rankVector));
  auto ranks = count(index(0), first, none, [&](Value, Value other) {
    return goesFirst(other, /*isLeft=*/true);
  });
  if (failed(ranks))
    return failure();
  ranks = count(first, end, (*ranks)[0], [&](Value j, Value other) -> Value {
    Value at = arith::IndexCastOp::create(
        b, b.getI32Type(), b.createOrFold<arith::SubIOp>(j, first));
    Value isLeft =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, splat(at), lane);
    return arith::SelectOp::create(b, isLeft, goesFirst(other, true),
                                   goesFirst(other, false));
  });
  if (failed(ranks))
    return failure();
  ranks = count(end, length, (*ranks)[0], [&](Value, Value other) {
    return goesFirst(other, /*isLeft=*/false);
  });
  if (failed(ranks))
    return failure();
  return (*ranks)[0];
}

/// Lanes past the last element hold the key that sorts last, so they are stored
/// after the sorted elements.
LogicalResult RankSort::sort(Value length, Value target) {
  auto keyVector = VectorType::get({lanes}, order.keyType());
  buffers.putLanes(length, arith::ConstantOp::create(
                               b, DenseElementsAttr::get(
                                      keyVector, Attribute(order.lastKey()))));
  auto body = [&](Value first, ValueRange) -> FailureOr<Values> {
    FailureOr<Value> ranks = ranksAt(first, length);
    if (failed(ranks))
      return failure();
    Value all =
        vector::BroadcastOp::create(b, VectorType::get({lanes}, b.getI1Type()),
                                    arith::ConstantIntOp::create(b, 1, 1));
    for (Value buffer : {buffers.keys, buffers.positions}) {
      if (!buffer)
        continue;
      Type element = cast<MemRefType>(buffer.getType()).getElementType();
      Value x = vector::LoadOp::create(b, VectorType::get({lanes}, element),
                                       buffer, first);
      vector::ScatterOp::create(b, Type(), buffer, ValueRange(target), *ranks,
                                all, x);
    }
    return Values();
  };
  return success(
      succeeded(forRange(kernel, index(0), length, lanes, {}, body)));
}

} // namespace tensorc::codegen::simd
