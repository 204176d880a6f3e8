//===- Normalizations.cpp - Expansions of norms and normalizations --------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::tx {

using builder::dimsOf;
using builder::dtypeOf;
using builder::rankOf;
using builder::TensorBuilder;

//===----------------------------------------------------------------------===//
// Softmax and its logarithm
//===----------------------------------------------------------------------===//

/// Returns x minus its maximum along the dim.
static Value shifted(TensorBuilder &b, Value x, int64_t dim) {
  return b.sub(x, b.largest(x, dim, /*keepDims=*/true));
}

Value SoftmaxOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  int64_t dim = getDim();
  Value e = b.exp(shifted(b, b.widen(getX()), dim));
  // Divides once per row instead of once per element.
  Value scale = b.div(1.0, b.sum(e, dim, /*keepDims=*/true));
  return b.convertLike(b.mul(e, scale), getX());
}

Value LogSoftmaxOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  int64_t dim = getDim();
  Value shift = shifted(b, b.widen(getX()), dim);
  Value total = b.log(b.sum(b.exp(shift), dim, /*keepDims=*/true));
  return b.convertLike(b.sub(shift, total), getX());
}

Value LogsumexpOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  Value largest = b.largest(x, getDims(), /*keepDims=*/true);
  // If the maximum is infinite, the differences would be NaN.
  Value shift = b.select(b.test<IsFiniteOp>({largest}), largest, 0.0);
  Value total = b.sum(b.exp(b.sub(x, shift)), getDims(), /*keepDims=*/true);
  Value result = b.add(b.log(total), shift);
  return b.convertLike(b.reshape(result, dimsOf(getResult())), getX());
}

//===----------------------------------------------------------------------===//
// Means and deviations
//===----------------------------------------------------------------------===//

/// Returns the number of elements of x along the dims.
static shape::Dim countOf(Value x, ArrayRef<int64_t> dims) {
  shape::Dim count = 1;
  for (int64_t dim : dims)
    count = count * dimsOf(x)[dim];
  return count;
}

static Value mean(TensorBuilder &b, Value x, ArrayRef<int64_t> dims,
                  bool keepDims) {
  Value count = b.size(countOf(x, dims), dtypeOf(x));
  return b.div(b.sum(x, dims, keepDims), count);
}

Value MeanOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value result = mean(b, b.widen(getX()), getDims(), getKeepdims());
  return b.convertLike(result, getX());
}

Value VarOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  Value center = b.sub(x, mean(b, x, getDims(), /*keepDims=*/true));
  Value squares = b.sum(b.mul(center, center), getDims(), getKeepdims());
  // The quotient is computed in f64, because a count may not be exact in f32.
  Value count = b.size(countOf(x, getDims()), DType::F64);
  Value divisor =
      b.max(b.sub(count, b.convert(getCorrection(), DType::F64)), 0.0);
  return b.convertLike(b.div(squares, b.convertLike(divisor, x)), getX());
}

Value StdOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  Type type = withElementType(
      getType(), cast<RankedTensorType>(x.getType()).getElementType());
  Value variance = VarOp::create(builder, getLoc(), type, x, getCorrection(),
                                 getDims(), getKeepdims());
  return b.convertLike(b.sqrt(variance), getX());
}

static Value powerNorm(TensorBuilder &b, NormOp op, Value x, Value size) {
  ArrayRef<int64_t> dims = op.getDims();
  bool keep = op.getKeepdims();
  switch (op.getKind()) {
  case NormKind::Max: // 0 without elements
    return b.max(b.largest(size, dims, keep), 0.0);
  case NormKind::Min:
    return b.reduce<ReduceMinOp>(size, dims, keep);
  case NormKind::Count:
    return b.sum(b.convertLike(b.notEqual(x, 0.0), x), dims, keep);
  case NormKind::Sum:
    return b.sum(size, dims, keep);
  case NormKind::Euclidean:
    return b.sqrt(b.sum(b.mul(x, x), dims, keep));
  case NormKind::Power:
    break;
  }
  Value order = b.convertLike(op.getOrder(), x);
  Value total = b.sum(b.pow(size, order), dims, keep);
  return b.pow(total, b.div(1.0, order));
}

Value NormOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  return b.convertLike(powerNorm(b, *this, x, b.abs(x)), getX());
}

//===----------------------------------------------------------------------===//
// Normalizations
//===----------------------------------------------------------------------===//

static Value rsqrtOf(TensorBuilder &b, Value variance, Value epsilon) {
  return b.rsqrt(b.add(variance, b.convertLike(epsilon, variance)));
}

/// Returns x minus its mean, divided by its standard deviation.
static Value normalized(TensorBuilder &b, Value x, ArrayRef<int64_t> dims,
                        Value epsilon) {
  Value center = b.sub(x, mean(b, x, dims, /*keepDims=*/true));
  Value variance = mean(b, b.mul(center, center), dims, /*keepDims=*/true);
  return b.mul(center, rsqrtOf(b, variance, epsilon));
}

/// Returns x * scale + bias along the dim. Scale and bias may be null.
static Value scaled(TensorBuilder &b, Value x, Value scale, Value bias,
                    int64_t dim) {
  if (scale)
    x = b.mul(x, b.alongDim(scale, dim, rankOf(x)));
  if (bias)
    x = b.add(x, b.alongDim(bias, dim, rankOf(x)));
  return x;
}

Value LayerNormOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  int64_t last = rankOf(getX()) - 1;
  Value x = normalized(b, b.widen(getX()), last, getEpsilon());
  return b.convertLike(scaled(b, x, getScale(), getBias(), last), getX());
}

Value RmsNormOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  int64_t last = rankOf(getX()) - 1;
  Value x = b.widen(getX());
  Value squares = mean(b, b.mul(x, x), last, /*keepDims=*/true);
  x = b.mul(x, rsqrtOf(b, squares, getEpsilon()));
  return b.convertLike(scaled(b, x, getScale(), Value(), last), getX());
}

Value GroupNormOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  shape::Dims dims = dimsOf(getX());
  auto groups = static_cast<int64_t>(getGroups());
  SmallVector<shape::Dim> split(dims);
  split[1] = shape::floorDiv(split[1], groups);
  split.insert(split.begin() + 1, shape::Dim(groups));
  Value x = b.reshape(b.widen(getX()), split);
  auto inner = llvm::to_vector(llvm::seq<int64_t>(2, split.size()));
  x = normalized(b, x, inner, getEpsilon());
  // Applies scale and bias in the shape that is split into groups, so that
  // everything is computed in one kernel.
  SmallVector<shape::Dim> channels(split.size() - 1, shape::Dim(1));
  channels[0] = split[1];
  channels[1] = split[2];
  if (getScale())
    x = b.mul(x, b.reshape(getScale(), channels));
  if (getBias())
    x = b.add(x, b.reshape(getBias(), channels));
  return b.convertLike(b.reshape(x, dims), getX());
}

Value BatchNormOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  auto dim = static_cast<int64_t>(getDim());
  Value x = b.widen(getX());
  auto along = [&](Value statistic) {
    return b.alongDim(b.convertLike(statistic, x), dim, rankOf(x));
  };
  x = b.mul(b.sub(x, along(getMean())),
            rsqrtOf(b, along(getVariance()), getEpsilon()));
  return b.convertLike(scaled(b, x, getScale(), getBias(), dim), getX());
}

} // namespace tensorc::tx
