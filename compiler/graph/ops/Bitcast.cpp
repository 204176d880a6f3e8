//===- Bitcast.cpp - Reinterpreting bits as another dtype -----------------===//
//
// tx.bitcast is for dtypes of equal width. Otherwise elements are cast to
// unsigned integers, which are split or joined by shifts, so that no kernel
// reads an element of one dtype as several elements of another.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/ops/Arrays.h"
#include "compiler/graph/ops/Builders.h"

namespace tensorc::graph {

static DType unsignedOf(DType dtype) {
  switch (byteWidth(dtype)) {
  case 1:
    return DType::UI8;
  case 2:
    return DType::UI16;
  case 4:
    return DType::UI32;
  default:
    return DType::UI64;
  }
}

/// Reinterprets the bits as another dtype of the same width.
static NodeRef reinterpret(Recorder &r, const NodeRef &x, DType dtype) {
  if (!x || x->dtype() == dtype)
    return x;
  return NodeRef::take(Node::create(OpKind::Bitcast, dtype, x->shape(), x.get(),
                                    {}, r.location));
}

/// Returns the shifts 0, w, 2w, ... of an integer's parts of w bits, low part
/// first.
static NodeRef shiftsOf(Recorder &r, DType wide, int64_t parts) {
  return elementwise(
      r, OpKind::Mul,
      {iota(r, wide, parts, 0), Scalar::of(8 * byteWidth(wide) / parts)});
}

static NodeRef takeApart(Recorder &r, const NodeRef &x, DType narrow,
                         int64_t parts) {
  DType wide = unsignedOf(x->dtype());
  Shape shape(x->shape()), last(x->shape());
  shape.push_back(1);
  last.back() *= parts;
  NodeRef bits = reshape(r, reinterpret(r, x, wide), shape);
  NodeRef shifted =
      elementwise(r, OpKind::ShrLogical, {bits, shiftsOf(r, wide, parts)});
  return reshape(r, astype(r, shifted, unsignedOf(narrow)), last);
}

static NodeRef putTogether(Recorder &r, const NodeRef &x, DType wide,
                           int64_t parts) {
  Shape shape(x->shape());
  int64_t axis = x->rank();
  shape.back() /= parts;
  shape.push_back(parts);
  NodeRef bits = reinterpret(r, x, unsignedOf(x->dtype()));
  NodeRef split = astype(r, reshape(r, bits, shape), unsignedOf(wide));
  NodeRef shifted = elementwise(r, OpKind::Shl,
                                {split, shiftsOf(r, unsignedOf(wide), parts)});
  // A sum has the effect of a bitwise or, because the parts have no bits in
  // common.
  return reduce(r, OpKind::Sum, shifted, axis, /*keepDims=*/false);
}

/// Each complex number becomes its real part followed by its imaginary part.
static NodeRef partsOf(Recorder &r, const NodeRef &x) {
  Shape last(x->shape());
  last.back() *= 2;
  NodeRef parts = stack(r, {real(r, x), imag(r, x)}, x->rank());
  return reshape(r, parts, last);
}

static NodeRef complexOf(Recorder &r, const NodeRef &parts) {
  Shape starts(parts->rank(), 0), steps(parts->rank(), 1);
  Shape stops(parts->shape());
  steps.back() = 2;
  NodeRef re = slice(r, parts, starts, stops, steps);
  starts.back() = 1;
  return complex(r, re, slice(r, parts, starts, stops, steps));
}

NodeRef bitcast(Recorder &r, const NodeRef &x, DType dtype) {
  if (!x)
    return r.fail("bitcast", "the operand is an undefined tensor");
  DType from = x->dtype();
  if (from == dtype)
    return x;
  if (from == DType::I1 || dtype == DType::I1)
    return r.fail("bitcast", "i1 has no bits of its own; convert with astype");
  if (isPacked(from) && isPacked(dtype))
    return reinterpret(r, x, dtype);
  if (isPacked(from) || isPacked(dtype))
    return r.fail("bitcast", llvm::Twine("elements of ") +
                                 dtypeName(isPacked(from) ? from : dtype) +
                                 " are not whole bytes; convert with astype");
  int64_t a = byteWidth(from), b = byteWidth(dtype);
  if (a == b && !isComplex(from) && !isComplex(dtype))
    return reinterpret(r, x, dtype);
  if (x->rank() == 0)
    return r.fail("bitcast", llvm::Twine(dtypeName(from)) + shapeString({}) +
                                 " has no last dimension for the parts of " +
                                 dtypeName(dtype));
  if (isComplex(from))
    return bitcast(r, partsOf(r, x), dtype);
  if (a > b && !isComplex(dtype))
    return reinterpret(r, takeApart(r, x, dtype, a / b), dtype);
  if (a < b && x->shape().back() % (b / a) != 0)
    return r.fail("bitcast", llvm::Twine("the last dimension of ") +
                                 dtypeName(from) + shapeString(x->shape()) +
                                 " is not a multiple of " + llvm::Twine(b / a) +
                                 ", as " + dtypeName(dtype) + " needs");
  if (isComplex(dtype)) {
    NodeRef parts = bitcast(r, x, planeOf(dtype));
    return parts ? complexOf(r, parts) : parts;
  }
  return reinterpret(r, putTogether(r, x, dtype, b / a), dtype);
}

} // namespace tensorc::graph
