//===- Interpolation.cpp - Expansion of image resizing --------------------===//
//
// Resizes one spatial dim after another by gathering elements at computed
// positions: either the nearest element, or the two neighbours, weighted.
// Nearest-neighbour resizing by a factor of 2 or 4 repeats each element.
//
//===----------------------------------------------------------------------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

using namespace mlir;

namespace tensorc::tx {

using builder::dimsOf;
using builder::dtypeOf;
using builder::rankOf;
using builder::TensorBuilder;

/// Returns the distance in x between adjacent elements of the result. It is
/// computed in f64, so that `from` / `to` is rounded only once.
static Value stepOf(TensorBuilder &b, shape::Dim from, shape::Dim to,
                    bool alignCorners, DType dtype) {
  if (!alignCorners)
    return b.convert(b.div(b.size(from, DType::F64), b.size(to, DType::F64)),
                     dtype);
  // With a single element the step does not matter, but the divisor must not be
  // 0.
  Value parts = b.size(shape::max(to - 1, 1), DType::F64);
  return b.convert(b.div(b.size(from - 1, DType::F64), parts), dtype);
}

/// Returns the positions in x of the result's elements along one dim. The
/// arithmetic is that of PyTorch, so that ties are resolved in the same way.
static Value positionsOf(TensorBuilder &b, InterpolateOp op, shape::Dim from,
                         shape::Dim to, DType dtype) {
  Value step = stepOf(b, from, to, op.getAlignCorners(), dtype);
  Value index = b.iota(dtype, to, 0);
  if (!op.getLinear() || op.getAlignCorners())
    return b.mul(index, step);
  Value at = b.sub(b.mul(b.add(index, 0.5), step), 0.5);
  return b.max(at, 0.0);
}

static Value alongDim(TensorBuilder &b, Value x, int64_t dim, Value at,
                      bool isLinear) {
  Value last = b.size(dimsOf(x)[dim] - 1, DType::I64);
  Value low = b.min(b.convert(at, DType::I64), last);
  Value first = b.take(x, low, dim);
  if (!isLinear)
    return first;
  Value second = b.take(x, b.min(b.add(low, 1), last), dim);
  Value share = b.alongDim(b.sub(at, b.convertLike(low, x)), dim, rankOf(x));
  Value rest = b.sub(1.0, share);
  return b.add(b.mul(first, rest), b.mul(second, share));
}

/// Returns how often each element along a dim is repeated, or 0 if they are not
/// all repeated equally often. Factors that are not powers of two are excluded,
/// because rounding resolves ties differently.
static int64_t copiesAlong(InterpolateOp op, int64_t dim) {
  auto from = dimsOf(op.getX())[dim].number();
  auto to = dimsOf(op.getResult())[dim].number();
  constexpr int64_t exactInF32 = 1 << 24;
  if (op.getLinear() || op.getAlignCorners() || !from || !to || *from == 0 ||
      *to > exactInF32 || *to % *from != 0)
    return 0;
  return llvm::isPowerOf2_64(*to / *from) ? *to / *from : 0;
}

static Value repeat(TensorBuilder &b, Value x, int64_t dim, int64_t copies) {
  auto apart = llvm::to_vector(dimsOf(x)), joined = apart;
  joined[dim] = joined[dim] * copies;
  apart.insert(apart.begin() + dim + 1, shape::Dim(1));
  x = b.reshape(x, apart);
  apart[dim + 1] = shape::Dim(copies);
  return b.reshape(b.broadcast(x, apart), joined);
}

Value InterpolateOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  // Repeats elements only if all dims are upsampled by integer factors. If one
  // such dim were sufficient, a dim would sometimes be repeated only because
  // its size happens to divide the other size, and programs for different sizes
  // would differ.
  if (llvm::all_of(getDims(),
                   [&](int64_t dim) { return copiesAlong(*this, dim); })) {
    Value x = getX();
    for (int64_t dim : getDims())
      x = repeat(b, x, dim, copiesAlong(*this, dim));
    return x;
  }
  Value x = getLinear() ? b.widen(getX()) : getX();
  DType dtype = getLinear() ? dtypeOf(x) : DType::F32;
  for (int64_t dim : getDims()) {
    Value at =
        positionsOf(b, *this, dimsOf(x)[dim], dimsOf(getResult())[dim], dtype);
    x = alongDim(b, x, dim, at, getLinear());
  }
  return b.convertLike(x, getX());
}

} // namespace tensorc::tx
