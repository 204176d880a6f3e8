//===- StoredScores.cpp - Attention scores in shared memory ---------------===//

#include "codegen/emitters/simt/attention/StoredScores.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using Values = SmallVector<Value>;

StoredScores::StoredScores(KernelBuilder &kernel, AttentionPattern pattern)
    : AttentionTile(kernel, std::move(pattern)),
      scoreStride(keys + accumulatorPadding),
      perRow(kernel.fusion.getOrderAttr().getLanes().front()) {}

//===----------------------------------------------------------------------===//
// The loop over keys
//===----------------------------------------------------------------------===//

FailureOr<Values> StoredScores::begin(const Values &) {
  Value perRowValue = indexConstant(kernel, perRow);
  row = div(kernel, thread, perRowValue);
  slot = rem(kernel, thread, perRowValue);
  // Barriers in the loop separate loads of q from stores of the results. This
  // one does so if the loop has no iterations.
  if (!isa<AffineConstantExpr>(count))
    barrier(kernel);
  Values first{constantOf(b, b.getLoc(), accumulator, -infinity),
               constantOf(b, b.getLoc(), accumulator, 0)};
  llvm::append_range(first, zeroSums());
  return first;
}

LogicalResult StoredScores::storeFactor(Value factor) {
  return when(kernel, equal(kernel, slot, indexConstant(kernel, 0)), [&] {
    memref::StoreOp::create(b, factor, rowFactors, row);
    return success();
  });
}

/// Emits the code for a tile of keys. `carried` holds the row's running maximum
/// and sum, and the skeleton's accumulators.
FailureOr<Values> StoredScores::step(const Values &dims, ValueRange carried) {
  if (failed(fill(k, dims)))
    return failure();
  barrier(kernel);
  multiplyScores();
  barrier(kernel);
  FailureOr<Value> here = scoreRow(dims);
  if (failed(here))
    return failure();
  Value max = arith::MaximumFOp::create(b, carried[0], *here);
  Value shift = finite(max);
  Value factor =
      math::ExpOp::create(b, arith::SubFOp::create(b, carried[0], shift));
  Value sum =
      computeRowWeights(shift, arith::MulFOp::create(b, carried[1], factor));
  if (failed(storeFactor(factor)) || failed(fill(v, dims)))
    return failure();
  barrier(kernel);
  FailureOr<Values> sums = multiplyValues(carried.drop_front(2));
  if (failed(sums))
    return failure();
  barrier(kernel);
  Values results{max, sum};
  llvm::append_range(results, *sums);
  return results;
}

LogicalResult StoredScores::finish(const Values &dims, ValueRange carried) {
  Values at = dims;
  at[rowLoop] = add(kernel, dims[rowLoop], row);
  FailureOr<Value> factor = rowFactor(
      at, carried[0], acrossLanes(carried[1], perRow, /*isMax=*/false));
  if (failed(factor) || failed(storeFactor(*factor)))
    return failure();
  storeSums(carried.drop_front(2));
  return success();
}

Value StoredScores::resultsOf(Value sums, Value from) {
  Value factor = memref::LoadOp::create(
      b, rowFactors, div(kernel, from, indexConstant(kernel, patchStride)));
  return applyFactors(sums, factor);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Returns the number of contiguous keys whose scores a thread accesses at once:
/// 16 bytes, or fewer if the thread has few keys of a row.
static int64_t keysPerAccess(KernelBuilder &kernel, Type accumulator,
                             int64_t keysPerThread) {
  int64_t lanes = kernel.target.getVectorBytes() / bytesOf(accumulator);
  return std::clamp<int64_t>(lanes, 1, keysPerThread);
}

/// Emits a loop over the groups of contiguous keys that the thread has of its
/// row. The threads of a row alternate.
FailureOr<Values> StoredScores::forKeys(
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
FailureOr<Value> StoredScores::scoreRow(const Values &dims) {
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
      FailureOr<Value> element = scoreAt(at, product);
      if (failed(element))
        return failure();
      return Values{*element};
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
  return acrossLanes(max->front(), perRow, /*isMax=*/true);
}

/// Converts scores to weights. Returns `sum` plus the weights.
Value StoredScores::computeRowWeights(Value shift, Value sum) {
  Type type = weightType();
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
          Value weight = math::ExpOp::create(
              b, arith::SubFOp::create(b, convert(score, type),
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
  return sums->front();
}

} // namespace tensorc::codegen::simt
