//===- AttentionProducts.cpp - Products of a block with k and v -----------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/emitters/simd/attention/AttentionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = SmallVector<Value>;

/// Packs q into scratch memory as [step][query], where a step is an index into
/// the depth. Loads squares of `width` x `width` elements along the depth and
/// transposes them in registers. Rows past the end repeat the last row. Steps
/// past the depth are stored but never read.
LogicalResult AttentionSkeleton::packQueries(const Block &block) {
  unsigned depthDim = pattern.depthDim();
  Value last = b.createOrFold<arith::SubIOp>(kernel.size(loops.sizes[rowLoop]),
                                             index(1));
  auto square = [&](Value row, Value step) -> LogicalResult {
    Value mask;
    if (depth % width)
      mask = laneMask(kernel, step, index(depth), width);
    Values lines;
    for (int64_t l = 0; l < width; ++l) {
      Values at = block.dims;
      at[rowLoop] = smaller(add(add(block.first, row), l), last);
      at[depthDim] = step;
      ExpressionEmitter elements(
          kernel, *space, at, ExpressionEmitter::Lanes{depthDim, width}, mask);
      FailureOr<Value> line =
          elements.emitLanes(pattern.products.getX(), operands.q);
      if (failed(line))
        return failure();
      lines.push_back(widen(*line));
    }
    for (auto [s, line] : llvm::enumerate(transposed(b, std::move(lines))))
      store(line, queries, add(mul(add(step, s), rows), row));
    return success();
  };
  return loop(block.count, width, [&](Value row) {
    return loop(index(depth), width,
                [&](Value step) { return square(row, step); });
  });
}

/// Stores the products of q with the `count` keys from `key` on to `scores`.
/// Keys past the end repeat the last key; their scores are never read.
LogicalResult AttentionSkeleton::multiplyKeys(const Block &block, Value key,
                                              Value count) {
  unsigned keyDim = pattern.keyDim(), depthDim = pattern.depthDim();
  Value last =
      b.createOrFold<arith::SubIOp>(kernel.size(loops.sizes[keyDim]), index(1));
  auto tile = [&](Value inBlock, Value row) -> LogicalResult {
    Values keyAt;
    for (int64_t r = 0; r < tileKeys; ++r)
      keyAt.push_back(smaller(add(add(key, inBlock), r), last));
    Values zeros(tileKeys * vectors, constantVector(0));
    auto products = forRange(
        kernel, index(0), index(depth), 1, zeros,
        [&](Value step, ValueRange carried) -> FailureOr<Values> {
          Values next(carried), lanes;
          for (int64_t v = 0; v < vectors; ++v)
            lanes.push_back(
                load(queries, add(add(mul(step, rows), row), v * width)));
          for (int64_t r = 0; r < tileKeys; ++r) {
            Values at = block.dims;
            at[keyDim] = keyAt[r];
            at[depthDim] = step;
            ExpressionEmitter elements(kernel, *space, at);
            FailureOr<Value> k =
                elements.emit(pattern.products.getY(), operands.k);
            if (failed(k))
              return failure();
            Value all = vector::BroadcastOp::create(b, vectorType(), widen(*k));
            for (int64_t v = 0; v < vectors; ++v) {
              Value &sum = next[r * vectors + v];
              sum = multiplyAdd(all, lanes[v], sum);
            }
          }
          return next;
        });
    if (failed(products))
      return failure();
    for (int64_t r = 0; r < tileKeys; ++r)
      for (int64_t v = 0; v < vectors; ++v)
        store((*products)[r * vectors + v], scores,
              add(add(mul(add(inBlock, r), rows), row), v * width));
    return success();
  };
  return loop(count, tileKeys, [&](Value inBlock) {
    return loop(block.count, vectors * width,
                [&](Value row) { return tile(inBlock, row); });
  });
}

/// Loads `tileVectors` vectors of v at `key`, starting at `column`.
FailureOr<Values> AttentionSkeleton::valuesAt(const Block &block, Value key,
                                              Value column) {
  Values found;
  for (int64_t v = 0; v < tileVectors; ++v) {
    Values at = block.dims;
    at[pattern.keyDim()] = key;
    at[laneLoop] = add(column, v * width);
    ExpressionEmitter elements(kernel, *space, at,
                               ExpressionEmitter::Lanes{laneLoop, width},
                               columnMask(at[laneLoop]));
    FailureOr<Value> value = elements.emitLanes(dot.getY(), operands.v);
    if (failed(value))
      return failure();
    found.push_back(widen(*value));
  }
  return found;
}

/// Computes results = results * factors + weights * v for a block of keys. Rows
/// past the end repeat the last row.
LogicalResult AttentionSkeleton::multiplyValues(const Block &block, Value key,
                                                Value count) {
  Value last = b.createOrFold<arith::SubIOp>(block.count, index(1));
  auto tile = [&](Value column, Value row) -> LogicalResult {
    Values rowAt, offsets, begin;
    for (int64_t r = 0; r < tileRows; ++r) {
      rowAt.push_back(smaller(add(row, r), last));
      Value factor = vector::BroadcastOp::create(
          b, vectorType(),
          memref::LoadOp::create(b, factors, ValueRange{rowAt.back()}));
      for (int64_t v = 0; v < tileVectors; ++v) {
        offsets.push_back(
            add(add(mul(rowAt.back(), stride), column), v * width));
        begin.push_back(
            arith::MulFOp::create(b, load(results, offsets.back()), factor));
      }
    }
    auto next = forRange(
        kernel, index(0), count, 1, begin,
        [&](Value k, ValueRange carried) -> FailureOr<Values> {
          FailureOr<Values> values = valuesAt(block, add(key, k), column);
          if (failed(values))
            return failure();
          Values next(carried);
          for (int64_t r = 0; r < tileRows; ++r) {
            Value weight = vector::BroadcastOp::create(
                b, vectorType(),
                memref::LoadOp::create(
                    b, scores, ValueRange{add(mul(k, rows), rowAt[r])}));
            for (int64_t v = 0; v < tileVectors; ++v) {
              Value &sum = next[r * tileVectors + v];
              sum = multiplyAdd(weight, (*values)[v], sum);
            }
          }
          return next;
        });
    if (failed(next))
      return failure();
    for (auto [sum, at] : llvm::zip_equal(*next, offsets))
      store(sum, results, at);
    return success();
  };
  return loop(index(stride), tileVectors * width, [&](Value column) {
    return loop(block.count, tileRows,
                [&](Value row) { return tile(column, row); });
  });
}

/// Adds 0 * v for the `count` masked keys from `key` on to `hidden`. The sum is
/// 0, or NaN where v is infinite or NaN.
LogicalResult AttentionSkeleton::addHidden(const Block &block, Value key,
                                           Value count) {
  return loop(index(stride), tileVectors * width, [&](Value column) {
    Values begin;
    for (int64_t v = 0; v < tileVectors; ++v)
      begin.push_back(load(hidden, add(column, v * width)));
    Value zero = constantVector(0);
    auto sums =
        forRange(kernel, index(0), count, 1, begin,
                 [&](Value k, ValueRange carried) -> FailureOr<Values> {
                   FailureOr<Values> values =
                       valuesAt(block, add(key, k), column);
                   if (failed(values))
                     return failure();
                   Values next;
                   for (auto [value, sum] : llvm::zip_equal(*values, carried))
                     next.push_back(multiplyAdd(zero, value, sum));
                   return next;
                 });
    if (failed(sums))
      return failure();
    for (auto [v, sum] : llvm::enumerate(*sums))
      store(sum, hidden, add(column, v * width));
    return success();
  });
}

} // namespace tensorc::codegen::simd
