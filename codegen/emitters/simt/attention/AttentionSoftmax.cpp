//===- AttentionSoftmax.cpp - Elements of scores, factors of results ------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simt/attention/AttentionTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen::simt {

Value AttentionTile::convert(Value x, Type to) {
  Type from = getElementTypeOrSelf(x.getType());
  return from == to ? x : convertElements(b, b.getLoc(), x, from, to);
}

Value AttentionTile::acrossLanes(Value value, int64_t lanes, bool isMax) {
  for (int64_t offset = lanes / 2; offset > 0; offset /= 2) {
    Value other = gpu::ShuffleOp::create(b, value, offset,
                                         kernel.target.getSubgroupSize(),
                                         gpu::ShuffleMode::XOR)
                      .getShuffleResult();
    value = isMax ? Value(arith::MaximumFOp::create(b, value, other))
                  : Value(arith::AddFOp::create(b, value, other));
  }
  return value;
}

Value AttentionTile::finite(Value max) {
  Value never = constantOf(b, b.getLoc(), accumulator, -infinity);
  Value isNever =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, max, never);
  Value zero = constantOf(b, b.getLoc(), accumulator, 0);
  return arith::SelectOp::create(b, isNever, zero, max);
}

FailureOr<Value> AttentionTile::scoreAt(const Values &at, Value product) {
  unsigned keyLoop = kLoops[0];
  std::optional<ExpressionEmitter::Lanes> lanes;
  if (auto vector = dyn_cast<VectorType>(product.getType()))
    lanes = {keyLoop, vector.getNumElements()};
  ExpressionEmitter elements(kernel, *space, at, lanes);
  if (lanes)
    elements.assumeAligned(loops.sizes[keyLoop]);
  elements.bindValue(
      pattern.products.getResult(),
      convert(product, pattern.products.getType().getElementType()));
  auto score = lanes ? elements.emitLanes(pattern.score, weightIndex)
                     : elements.emit(pattern.score, weightIndex);
  if (failed(score))
    return failure();
  return convert(*score, accumulator);
}

int64_t AttentionTile::scoreLanes(int64_t lanes) {
  unsigned keyLoop = kLoops[0];
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[keyLoop]);
  auto isProduct = [&](Value v) { return v == pattern.products.getResult(); };
  std::pair<Value, analysis::Index> root{pattern.score, weightIndex};
  if (!size || size.getValue() % lanes != 0 ||
      !readsVectors(kernel, *space, root, isProduct, keyLoop))
    return 1;
  return lanes;
}

FailureOr<Value> AttentionTile::rowFactor(const Values &at, Value max,
                                          Value sum) {
  ExpressionEmitter elements(kernel, *space, at);
  elements.bindValue(pattern.max->getResult(0), convert(max, weightType()));
  auto shift = elements.emit(pattern.shift, weightIndex);
  if (failed(shift))
    return failure();
  // Converts `sum` to the sum of weights with the program's own shift.
  Value more = math::ExpOp::create(
      b, arith::SubFOp::create(b, finite(max), convert(*shift, accumulator)));
  sum = arith::MulFOp::create(b, sum, more);
  elements.bindValue(pattern.sum->getResult(0), convert(sum, weightType()));
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
  return result;
}

Value AttentionTile::applyFactors(Value sums, Value factors) {
  if (sums.getType() != factors.getType())
    factors = vector::BroadcastOp::create(b, sums.getType(), factors);
  if (pattern.divides)
    return arith::DivFOp::create(b, sums, factors);
  return arith::MulFOp::create(b, sums, factors);
}

} // namespace tensorc::codegen::simt
