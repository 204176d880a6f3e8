//===- Creation.cpp - Recording tensors without operands ------------------===//

#include "compiler/graph/ops/Builders.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace tensorc::graph {

bool checkComputed(Recorder &r, const char *op, DType dtype) {
  if (isStorage(dtype))
    r.fail(op,
           llvm::Twine(dtypeName(dtype)) + " is storage; convert with astype");
  return r.error.empty();
}

NodeRef full(Recorder &r, DType dtype, Ints shape, Scalar value) {
  if (isComplex(dtype)) {
    bool hasTwo = value.kind == Scalar::Complex;
    Scalar re = hasTwo ? Scalar::of(value.f) : value;
    return complex(
        r, full(r, planeOf(dtype), shape, re),
        full(r, planeOf(dtype), shape, Scalar::of(hasTwo ? value.im : 0.0)));
  }
  std::optional<uint64_t> bits = encode(value, dtype);
  if (!bits)
    return r.fail("full", "value " + toString(value) + " is outside " +
                              dtypeName(dtype));
  if (!checkShape(r, "full", dtype, shape))
    return {};
  // Kernels have no scalar arguments narrower than a byte.
  if (isPacked(dtype)) {
    DType wide = dtype == DType::UI4 ? DType::UI8 : DType::I8;
    return astype(r, full(r, wide, shape, value), dtype);
  }
  return NodeRef::take(Node::create(OpKind::Full, dtype, shape, {},
                                    FullAttributes{*bits}, r.location));
}

NodeRef iota(Recorder &r, DType dtype, Ints shape, int64_t dim) {
  if (!checkShape(r, "iota", dtype, shape))
    return {};
  int64_t rank = shape.size();
  if (dim < -rank || dim >= rank)
    return r.fail("iota", "axis " + llvm::Twine(dim) + " is outside rank " +
                              llvm::Twine(rank));
  if (!isIn(dtype, numberMask))
    return r.fail("iota", "dtype must be a number, not " +
                              llvm::Twine(dtypeName(dtype)));
  tx::IotaAttributes attributes{dim < 0 ? dim + rank : dim};
  return NodeRef::take(
      Node::create(OpKind::Iota, dtype, shape, {}, attributes, r.location));
}

/// Returns start + i * step. f16 and bf16 are computed in f32, because they
/// cannot represent all indices above 2048.
static NodeRef ramp(Recorder &r, DType dtype, double start, double step,
                    int64_t count) {
  if (isComplex(dtype))
    return astype(r, ramp(r, planeOf(dtype), start, step, count), dtype);
  bool narrow = isFloat(dtype) && byteWidth(dtype) < 4;
  DType wide = narrow ? DType::F32 : isPacked(dtype) ? DType::I32 : dtype;
  auto scalar = [&](double value) -> Operand {
    if (isFloat(dtype))
      return Scalar::of(value);
    return Scalar::of(static_cast<int64_t>(value));
  };
  NodeRef x = iota(r, wide, count, 0);
  if (step != 1)
    x = elementwise(r, OpKind::Mul, {x, scalar(step)});
  if (start != 0)
    x = elementwise(r, OpKind::Add, {x, scalar(start)});
  return astype(r, x, dtype);
}

NodeRef arange(Recorder &r, DType dtype, double start, double stop,
               double step) {
  if (!std::isfinite(start) || !std::isfinite(stop) || !std::isfinite(step))
    return r.fail("arange", "start, stop and step must be finite, not " +
                                toString(Scalar::of(start)) + ", " +
                                toString(Scalar::of(stop)) + " and " +
                                toString(Scalar::of(step)));
  if (step == 0)
    return r.fail("arange", "step is 0");
  double count = std::max(0.0, std::ceil((stop - start) / step));
  if (!(count < 9e18))
    return r.fail("arange", "too many elements");
  if (count == 0)
    return ramp(r, dtype, 0, 1, 0);
  bool hasAll = !isIn(dtype, integerMask);
  for (double end : {start, start + (count - 1) * step})
    if (!hasAll && !encode(Scalar::of(std::trunc(end)), dtype))
      return r.fail("arange", "the number " + toString(Scalar::of(end)) +
                                  " is outside " + dtypeName(dtype));
  return ramp(r, dtype, start, step, static_cast<int64_t>(count));
}

NodeRef linspace(Recorder &r, DType dtype, double start, double stop,
                 int64_t count) {
  if (isComplex(dtype))
    return astype(r, linspace(r, planeOf(dtype), start, stop, count), dtype);
  if (!isFloat(dtype))
    return r.fail("linspace", "dtype must be a float, not " +
                                  llvm::Twine(dtypeName(dtype)));
  if (count < 2)
    return full(r, dtype, count, Scalar::of(start));
  double step = (stop - start) / static_cast<double>(count - 1);
  NodeRef x = ramp(r, dtype, start, step, count);
  // The last element is exactly `stop`, regardless of rounding.
  NodeRef index = iota(r, DType::I64, count, 0);
  NodeRef inner = elementwise(r, OpKind::Lt, {index, Scalar::of(count - 1)});
  return elementwise(r, OpKind::Select, {inner, x, Scalar::of(stop)});
}

NodeRef eye(Recorder &r, DType dtype, int64_t rows, int64_t columns,
            int64_t diagonal) {
  NodeRef row = iota(r, DType::I64, {rows, columns}, 0);
  NodeRef column = iota(r, DType::I64, {rows, columns}, 1);
  if (diagonal != 0)
    row = elementwise(r, OpKind::Add, {row, Scalar::of(diagonal)});
  return astype(r, elementwise(r, OpKind::Eq, {row, column}), dtype);
}

NodeRef placeholder(Recorder &r, DType dtype, Ints shape) {
  return NodeRef::take(
      Node::create(OpKind::Placeholder, dtype, shape, {}, {}, r.location));
}

} // namespace tensorc::graph
