//===- Quantization.cpp - Recording quantization --------------------------===//

#include "compiler/graph/nn/Quantization.h"
#include "compiler/graph/random/Random.h"

#include "llvm/Support/FormatVariadic.h"

namespace tensorc::graph {

NodeRef scaleAlong(Recorder &r, const char *name, const NodeRef &x,
                   const NodeRef &scale, int64_t axis) {
  if (!x || !scale || scale->rank() != 1 || x->rank() == 1)
    return scale;
  Shape dims;
  if (!normalizeAxes(r, name, *x.get(), axis, false, dims))
    return {};
  int64_t size = x->shape()[dims[0]], length = scale->shape()[0];
  // A negative length or size is a named size, which may match.
  if (length != size && length != 1 && length >= 0 && size >= 0)
    return r.fail(name, llvm::formatv("{0} numbers for the {1} of axis {2}; a "
                                      "scale per group has the rank of x",
                                      length, size, dims[0]));
  Shape shape(x->rank(), 1);
  shape[dims[0]] = length;
  return reshape(r, scale, shape);
}

static constexpr DTypeMask quantizedMask =
    maskOf(DType::I8) | maskOf(DType::UI8) | maskOf(DType::I16) |
    maskOf(DType::UI16) | maskOf(DType::I32) | storageMask;

static bool checkQuantized(Recorder &r, const char *name, DType dtype,
                           const NodeRef &zeroPoint) {
  if (!isIn(dtype, quantizedMask))
    r.fail(name, llvm::Twine("dtype must be i4, ui4, i8, ui8, i16, ui16, i32 "
                             "or f8, not ") +
                     dtypeName(dtype));
  else if (zeroPoint && zeroPoint->dtype() != dtype)
    r.fail(name, llvm::Twine("the zero point is ") +
                     dtypeName(zeroPoint->dtype()) + ", not " +
                     dtypeName(dtype));
  else if (zeroPoint && isFloat(dtype))
    r.fail(name, "f8 has no zero point");
  return r.error.empty();
}

NodeRef quantize(Recorder &r, const NodeRef &x, const NodeRef &scale,
                 const NodeRef &zeroPoint, DType dtype, int64_t axis) {
  const char *name = "quantize";
  if (!needFloat(r, name, x) || !needFloat(r, name, scale) ||
      !checkQuantized(r, name, dtype, zeroPoint))
    return {};
  NodeRef factor = scaleAlong(r, name, x, scale, axis);
  NodeRef zero = scaleAlong(r, name, x, zeroPoint, axis);
  if (!r.error.empty())
    return {};
  return composite(r, OpKind::Quantize, dtype, {x, factor, zero},
                   tx::QuantizeAttributes{presenceOf({zero})});
}

NodeRef dequantize(Recorder &r, const NodeRef &x, const NodeRef &scale,
                   const NodeRef &zeroPoint, int64_t axis) {
  const char *name = "dequantize";
  if (!x)
    return r.fail(name, "the operand is an undefined tensor");
  if (!needFloat(r, name, scale) ||
      !checkQuantized(r, name, x->dtype(), zeroPoint))
    return {};
  NodeRef factor = scaleAlong(r, name, x, scale, axis);
  NodeRef zero = scaleAlong(r, name, x, zeroPoint, axis);
  if (!r.error.empty())
    return {};
  return composite(r, OpKind::Dequantize, scale->dtype(), {x, factor, zero},
                   tx::DequantizeAttributes{presenceOf({zero})});
}

NodeRef stochasticRound(Recorder &r, const NodeRef &key, const NodeRef &x,
                        DType dtype) {
  const char *name = "stochastic_round";
  if (!needFloat(r, name, x))
    return {};
  if (!isIn(dtype, integerMask))
    return r.fail(name, llvm::Twine("dtype must be an integer, not ") +
                            dtypeName(dtype));
  DType wide = wideOf(x->dtype());
  NodeRef value = astype(r, x, wide);
  NodeRef u = uniform(r, key, wide, x->shape(), 0, 1);
  NodeRef down = elementwise(r, OpKind::Floor, {value});
  NodeRef rest = elementwise(r, OpKind::Sub, {value, down});
  NodeRef up = elementwise(r, OpKind::Add, {down, Scalar::of(1.0)});
  NodeRef isUp = elementwise(r, OpKind::Lt, {u, rest});
  return astype(r, elementwise(r, OpKind::Select, {isUp, up, down}), dtype);
}

NodeRef matmulI32(Recorder &r, const NodeRef &x, const NodeRef &y) {
  for (const NodeRef &operand : {x, y})
    if (!operand ||
        !isIn(operand->dtype(), maskOf(DType::I8) | maskOf(DType::UI8)))
      return r.fail("matmul_i32",
                    llvm::Twine("operands must be i8 or ui8, not ") +
                        (operand ? dtypeName(operand->dtype()) : "undefined"));
  return matmul(r, astype(r, x, DType::I32), astype(r, y, DType::I32));
}

} // namespace tensorc::graph
