//===- AttentionSoftmax.cpp - Converts scores to weights per query --------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/attention/AttentionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <limits>

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = SmallVector<Value>;

static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value AttentionSkeleton::load(Value array, Value at) {
  return vector::LoadOp::create(b, vectorType(), array, at);
}

void AttentionSkeleton::store(Value vector, Value array, Value at) {
  vector::StoreOp::create(b, vector, array, at);
}

Value AttentionSkeleton::constantVector(double value) {
  return constantOf(b, b.getLoc(), vectorType(), value);
}

Value AttentionSkeleton::convert(Value x, Type to) {
  Type from = getElementTypeOrSelf(x.getType());
  return from == to ? x : convertElements(b, b.getLoc(), x, from, to);
}

Value AttentionSkeleton::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(x, y);
}

Value AttentionSkeleton::mul(Value x, int64_t y) {
  return b.createOrFold<arith::MulIOp>(x, index(y));
}

Value AttentionSkeleton::smaller(Value x, Value y) {
  return b.createOrFold<arith::MinUIOp>(x, y);
}

/// Returns the number of elements from `begin` on: min(size - begin, maximum).
Value AttentionSkeleton::left(Value begin, AffineExpr size, int64_t maximum) {
  return smaller(b.createOrFold<arith::SubIOp>(kernel.size(size), begin),
                 index(maximum));
}

LogicalResult AttentionSkeleton::loop(Value upper, int64_t step,
                                      function_ref<LogicalResult(Value)> body) {
  return success(
      succeeded(forRange(kernel, index(0), upper, step, {},
                         [&](Value i, ValueRange) -> FailureOr<Values> {
                           if (failed(body(i)))
                             return failure();
                           return Values();
                         })));
}

void AttentionSkeleton::fill(Value array, int64_t elements, double value) {
  Value vector = constantVector(value);
  (void)loop(index(elements), width, [&](Value i) {
    store(vector, array, i);
    return success();
  });
}

/// Returns the mask of the vector of rows at `row`, or null if all blocks
/// consist of whole vectors.
Value AttentionSkeleton::rowMask(const Block &block, Value row) {
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[rowLoop]);
  if (size && size.getValue() % width == 0)
    return {};
  return laneMask(kernel, row, block.count, width);
}

Value AttentionSkeleton::columnMask(Value column) {
  if (stride == columns)
    return {};
  return laneMask(kernel, column, index(columns), width);
}

Values AttentionSkeleton::rowsAt(const Block &block, Value row) {
  Values dims = block.dims;
  dims[rowLoop] = add(block.first, row);
  return dims;
}

ExpressionEmitter AttentionSkeleton::lanesOfRows(const Values &dims,
                                                 Value mask) {
  return ExpressionEmitter(kernel, *space, dims,
                           ExpressionEmitter::Lanes{rowLoop, width}, mask);
}

/// Returns the value to subtract from scores. If a row has seen only scores of
/// -inf, this is 0 instead of the maximum, so that its weights are 0 and not
/// NaN.
Value AttentionSkeleton::finite(Value max) {
  Value isNever = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, max,
                                        constantVector(-infinity));
  return arith::SelectOp::create(b, isNever, constantVector(0), max);
}

//===----------------------------------------------------------------------===//
// Online softmax
//===----------------------------------------------------------------------===//

LogicalResult AttentionSkeleton::computeWeights(const Block &block, Value key,
                                                Value count) {
  Type type = getElementTypeOrSelf(pattern.weight.getType());
  Type operand = getElementTypeOrSelf(dot.getX().getType());
  Type product = kernelType(pattern.products.getType().getElementType());
  return loop(block.count, width, [&](Value row) -> LogicalResult {
    Values dims = rowsAt(block, row);
    Value mask = rowMask(block, row);
    auto offsetOfKey = [&](Value k) { return add(mul(k, rows), row); };
    auto maximum = forRange(
        kernel, index(0), count, 1, constantVector(-infinity),
        [&](Value k, ValueRange carried) -> FailureOr<Values> {
          Values at = dims;
          at[pattern.keyDim()] = add(key, k);
          ExpressionEmitter elements = lanesOfRows(at, mask);
          elements.bindValue(pattern.products.getResult(),
                             convert(load(scores, offsetOfKey(k)), product));
          FailureOr<Value> score =
              elements.emitLanes(pattern.score, scoreIndex);
          if (failed(score))
            return failure();
          Value wide = convert(*score, accumulator);
          store(wide, scores, offsetOfKey(k));
          return Values{arith::MaximumFOp::create(b, carried[0], wide)};
        });
    if (failed(maximum))
      return failure();
    Value before = load(largest, row);
    Value max = arith::MaximumFOp::create(b, before, maximum->front());
    Value shift = finite(max);
    Value factor =
        math::ExpOp::create(b, arith::SubFOp::create(b, before, shift));
    store(max, largest, row);
    store(factor, factors, row);
    Value narrow = convert(shift, type);
    auto sum = forRange(
        kernel, index(0), count, 1,
        ValueRange{arith::MulFOp::create(b, load(sums, row), factor)},
        [&](Value k, ValueRange carried) -> FailureOr<Values> {
          Value score = convert(load(scores, offsetOfKey(k)), type);
          Value weight =
              math::ExpOp::create(b, arith::SubFOp::create(b, score, narrow));
          store(widen(convert(weight, operand)), scores, offsetOfKey(k));
          return Values{arith::AddFOp::create(b, carried[0],
                                              convert(weight, accumulator))};
        });
    if (failed(sum))
      return failure();
    store(sum->front(), sums, row);
    return success();
  });
}

/// Computes the factor (or divisor) of each row's results. The weights were
/// computed with the shift `finite(max)`. The factor `more` converts `sums` to
/// the sum with the program's own shift.
LogicalResult AttentionSkeleton::finishRows(const Block &block) {
  Type type = getElementTypeOrSelf(pattern.weight.getType());
  return loop(block.count, width, [&](Value row) -> LogicalResult {
    ExpressionEmitter elements =
        lanesOfRows(rowsAt(block, row), rowMask(block, row));
    Value max = load(largest, row);
    elements.bindValue(pattern.max->getResult(0), convert(max, type));
    FailureOr<Value> shift = elements.emitLanes(pattern.shift, scoreIndex);
    if (failed(shift))
      return failure();
    Value more = math::ExpOp::create(
        b, arith::SubFOp::create(b, finite(max), convert(*shift, accumulator)));
    Value sum = arith::MulFOp::create(b, load(sums, row), more);
    elements.bindValue(pattern.sum->getResult(0), convert(sum, type));
    FailureOr<Value> factor = elements.emitLanes(pattern.factor, scoreIndex);
    if (failed(factor))
      return failure();
    Value result = convert(*factor, accumulator);
    result = pattern.divides ? Value(arith::DivFOp::create(b, result, more))
                             : Value(arith::MulFOp::create(b, result, more));
    // Without keys the results are 0, so a factor of 1 is used instead of
    // infinity.
    AffineExpr count = loops.sizes[pattern.keyDim()];
    if (!isa<AffineConstantExpr>(count)) {
      Value none = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                         kernel.size(count), index(0));
      result = arith::SelectOp::create(b, none, constantVector(1), result);
    }
    store(result, factors, row);
    return success();
  });
}

/// Multiplies (or divides) the results of the block by `factors`, emits the
/// epilogue and stores the outputs.
LogicalResult AttentionSkeleton::store(const Block &block) {
  auto vectorOf = [&](Value row, Value column) -> LogicalResult {
    Values at = rowsAt(block, row);
    at[laneLoop] = column;
    ExpressionEmitter elements(kernel, *space, at,
                               ExpressionEmitter::Lanes{laneLoop, width},
                               columnMask(column));
    Value sum = load(results, add(mul(row, stride), column));
    if (causal)
      sum = arith::AddFOp::create(b, sum, load(hidden, column));
    Value factor = vector::BroadcastOp::create(
        b, vectorType(), memref::LoadOp::create(b, factors, ValueRange{row}));
    sum = pattern.divides ? Value(arith::DivFOp::create(b, sum, factor))
                          : Value(arith::MulFOp::create(b, sum, factor));
    elements.bindValue(
        dot.getResult(),
        convert(sum, kernelType(dot.getType().getElementType())));
    return elements.storeOutputs(outIndex);
  };
  return loop(block.count, 1, [&](Value row) {
    return loop(index(columns), width,
                [&](Value column) { return vectorOf(row, column); });
  });
}

} // namespace tensorc::codegen::simd
