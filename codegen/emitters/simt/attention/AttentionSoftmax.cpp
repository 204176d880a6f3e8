//===- AttentionSoftmax.cpp - Converts scores to weights per row ----------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simt/attention/AttentionTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <limits>

using namespace mlir;

namespace tensorc::codegen::simt {

using Values = SmallVector<Value>;

Value AttentionTile::convert(Value x, Type to) {
  Type from = getElementTypeOrSelf(x.getType());
  return from == to ? x : convertElements(b, b.getLoc(), x, from, to);
}

Value AttentionTile::exp(Value x) { return math::ExpOp::create(b, x); }

/// Reduces `value` across the threads of a row. All of them get the result.
Value AttentionTile::acrossRow(Value value, bool isMax) {
  for (int64_t offset = perRow / 2; offset > 0; offset /= 2) {
    Value other = gpu::ShuffleOp::create(b, value, offset,
                                         kernel.target.getSubgroupSize(),
                                         gpu::ShuffleMode::XOR)
                      .getShuffleResult();
    value = isMax ? Value(arith::MaximumFOp::create(b, value, other))
                  : Value(arith::AddFOp::create(b, value, other));
  }
  return value;
}

/// Returns the value to subtract from scores. If a row has seen only scores of
/// -inf, this is 0 instead of the maximum, so that its weights are 0 and not
/// NaN.
Value AttentionTile::finite(Value max) {
  Value never = constantOf(b, b.getLoc(), accumulator, -infinity);
  Value isNever =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, max, never);
  Value zero = constantOf(b, b.getLoc(), accumulator, 0);
  return arith::SelectOp::create(b, isNever, zero, max);
}

/// Returns the number of contiguous keys whose scores a thread accesses at once:
/// 16 bytes, or fewer if the thread has few keys of a row.
static int64_t keysPerAccess(KernelBuilder &kernel, Type accumulator,
                             int64_t keysPerThread) {
  int64_t lanes = kernel.target.getVectorBytes() / bytesOf(accumulator);
  return std::clamp<int64_t>(lanes, 1, keysPerThread);
}

/// Emits a loop over the groups of contiguous keys that the thread has of its
/// row. The threads of a row alternate.
FailureOr<Values> AttentionTile::forKeys(
    Value carried,
    function_ref<FailureOr<Value>(Value key, Value index, Value carried)>
        body) {
  Value begin = mul(kernel, row, indexConstant(kernel, scoreStride));
  int64_t size = keysPerAccess(kernel, accumulator, keys / perRow);
  Value first = mul(kernel, slot, indexConstant(kernel, size));
  return forRange(kernel, first, indexConstant(kernel, keys), perRow * size,
                  carried,
                  [&](Value key, ValueRange values) -> FailureOr<Values> {
                    auto next = body(key, add(kernel, begin, key), values[0]);
                    if (failed(next))
                      return failure();
                    return Values{*next};
                  });
}

/// Converts products to scores. Returns the maximum of the scores in the tile.
FailureOr<Value> AttentionTile::scoreRow(const Values &dims) {
  int64_t size = keysPerAccess(kernel, accumulator, keys / perRow);
  auto type = VectorType::get({size}, accumulator);
  Value never = constantOf(b, b.getLoc(), accumulator, -infinity);
  unsigned keyLoop = kLoops[0];
  // The score of one key, which is -inf outside of the tensor.
  auto scoreOf = [&](Value key, Value product) -> FailureOr<Values> {
    Values at = dims;
    at[rowLoop] = add(kernel, dims[rowLoop], row);
    at[keyLoop] = add(kernel, dims[keyLoop], key);
    Value inside = both(isBelow(at[rowLoop], loops.sizes[rowLoop], rows),
                        isBelow(at[keyLoop], loops.sizes[keyLoop], keys));
    auto score = [&]() -> FailureOr<Values> {
      ExpressionEmitter elements(kernel, *space, at);
      elements.bindValue(
          pattern.products.getResult(),
          convert(product, pattern.products.getType().getElementType()));
      auto element = elements.emit(pattern.score, weightIndex);
      if (failed(element))
        return failure();
      return Values{convert(*element, accumulator)};
    };
    auto none = [&]() -> FailureOr<Values> { return Values{never}; };
    return inside ? choose(kernel, inside, accumulator, score, none) : score();
  };
  auto max = forKeys(
      never, [&](Value key, Value index, Value maximum) -> FailureOr<Value> {
        Value products = loadAccumulators(scores, index, type);
        Values elements;
        for (int64_t i = 0; i < size; ++i) {
          auto element = scoreOf(
              add(kernel, key, indexConstant(kernel, i)),
              vector::ExtractOp::create(b, products, ArrayRef<int64_t>{i}));
          if (failed(element))
            return failure();
          elements.push_back(element->front());
          maximum = arith::MaximumFOp::create(b, maximum, element->front());
        }
        vector::StoreOp::create(
            b, vector::FromElementsOp::create(b, type, elements), scores, index,
            /*nontemporal=*/false, alignment(size));
        return maximum;
      });
  if (failed(max))
    return failure();
  return acrossRow(max->front(), /*isMax=*/true);
}

/// Converts scores to weights. Returns `sum` plus the weights.
FailureOr<Value> AttentionTile::computeRowWeights(Value shift, Value sum) {
  Type type = getElementTypeOrSelf(pattern.weight.getType());
  Type operand = getElementTypeOrSelf(dot.getX().getType());
  int64_t size = keysPerAccess(kernel, accumulator, keys / perRow);
  auto vector = VectorType::get({size}, accumulator);
  auto sums = forKeys(
      sum, [&](Value key, Value index, Value carried) -> FailureOr<Value> {
        Value loaded = loadAccumulators(scores, index, vector);
        Values weights;
        for (int64_t i = 0; i < size; ++i) {
          Value score =
              vector::ExtractOp::create(b, loaded, ArrayRef<int64_t>{i});
          Value weight = exp(arith::SubFOp::create(b, convert(score, type),
                                                   convert(shift, type)));
          weights.push_back(convert(weight, operand));
          carried =
              arith::AddFOp::create(b, carried, convert(weight, accumulator));
        }
        storeWeights(row, key,
                     vector::FromElementsOp::create(
                         b, VectorType::get({size}, operand), weights));
        return carried;
      });
  if (failed(sums))
    return failure();
  return sums->front();
}

/// Computes the factor (or divisor) of a row's results. The weights were
/// computed with the shift `finite(max)`. The factor `more` converts `sum` to
/// the sum with the program's own shift.
LogicalResult AttentionTile::finishRow(const Values &dims, Value max,
                                       Value sum) {
  Values at = dims;
  at[rowLoop] = add(kernel, dims[rowLoop], row);
  ExpressionEmitter elements(kernel, *space, at);
  Type type = getElementTypeOrSelf(pattern.weight.getType());
  elements.bindValue(pattern.max->getResult(0), convert(max, type));
  auto shift = elements.emit(pattern.shift, weightIndex);
  if (failed(shift))
    return failure();
  Value more =
      exp(arith::SubFOp::create(b, finite(max), convert(*shift, accumulator)));
  sum = arith::MulFOp::create(b, acrossRow(sum, /*isMax=*/false), more);
  elements.bindValue(pattern.sum->getResult(0), convert(sum, type));
  auto factor = elements.emit(pattern.factor, weightIndex);
  if (failed(factor))
    return failure();
  Value result = convert(*factor, accumulator);
  result = pattern.divides ? Value(arith::DivFOp::create(b, result, more))
                           : Value(arith::MulFOp::create(b, result, more));
  // Without keys the results are 0, so a factor of 1 is used instead of
  // infinity.
  if (!isa<AffineConstantExpr>(count)) {
    Value none = equal(kernel, kernel.size(count), indexConstant(kernel, 0));
    result = arith::SelectOp::create(
        b, none, constantOf(b, b.getLoc(), accumulator, 1), result);
  }
  return when(kernel, equal(kernel, slot, indexConstant(kernel, 0)), [&] {
    memref::StoreOp::create(b, result, rowFactors, row);
    return success();
  });
}

} // namespace tensorc::codegen::simt
