//===- Activations.cpp - Expansions of activation functions ---------------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

using namespace mlir;

namespace tensorc::tx {

using builder::TensorBuilder;

Value ReluOp::expand(OpBuilder &builder) {
  return TensorBuilder(builder, *this).max(getX(), 0);
}

Value SiluOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  return b.convertLike(b.mul(x, b.sigmoid(x)), getX());
}

/// Computes x/2 (1 + erf(x / sqrt(2))), or approximates erf by the tanh of a
/// cubic.
Value GeluOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX()), inner;
  if (getApproximate()) {
    Value cube = b.mul(b.mul(x, x), x);
    inner = b.tanh(b.mul(b.add(x, b.mul(cube, 0.044715)), 0.7978845608028654));
  } else {
    inner = b.erf(b.mul(x, 0.7071067811865476));
  }
  return b.convertLike(b.mul(b.mul(x, 0.5), b.add(inner, 1.0)), getX());
}

/// Returns x for x > 0, else expm1(x / width) * height. The exponential is
/// computed from min(x, 0), because otherwise it could overflow in the branch
/// that is not selected and make the derivative NaN.
static Value aboveZeroOrExponential(TensorBuilder &b, Value x, Value width,
                                    Value height) {
  Value isAbove = b.greater(x, 0.0);
  Value zero = b.full(0.0, builder::dtypeOf(x), builder::dimsOf(x));
  Value low = b.select(isAbove, zero, x);
  if (width)
    low = b.div(low, width);
  return b.select(isAbove, x, b.mul(b.expm1(low), height));
}

Value EluOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX()), alpha = b.convertLike(getAlpha(), x);
  return b.convertLike(aboveZeroOrExponential(b, x, {}, alpha), getX());
}

Value LeakyReluOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  Value below = b.mul(x, b.convertLike(getSlope(), x));
  return b.convertLike(b.select(b.greater(x, 0.0), x, below), getX());
}

/// Computes max(x, 0) + log(1 + e^-|x|), in which the exponential cannot
/// overflow.
static Value softplus(TensorBuilder &b, Value x) {
  Value small = b.exp(b.neg(b.abs(x)));
  return b.add(b.max(x, 0.0), b.log1p(small));
}

Value SoftplusOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX()), result;
  if (Value beta = getBeta()) {
    beta = b.convertLike(beta, x);
    result = b.div(softplus(b, b.mul(x, beta)), beta);
  } else {
    result = softplus(b, x);
  }
  return b.convertLike(result, getX());
}

Value MishOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  return b.convertLike(b.mul(x, b.tanh(softplus(b, x))), getX());
}

Value HardswishOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  Value gate = b.map<ClampOp>({0.0, b.add(x, 3.0), 6.0});
  return b.convertLike(b.div(b.mul(x, gate), 6.0), getX());
}

Value SoftsignOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  return b.convertLike(b.div(x, b.add(b.abs(x), 1.0)), getX());
}

Value LogsigmoidOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  return b.convertLike(b.neg(softplus(b, b.neg(x))), getX());
}

Value CeluOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX()), alpha = b.convertLike(getAlpha(), x);
  return b.convertLike(aboveZeroOrExponential(b, x, alpha, alpha), getX());
}

} // namespace tensorc::tx
