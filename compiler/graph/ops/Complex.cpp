//===- Complex.cpp - Complex numbers and their parts ----------------------===//

#include "compiler/graph/DefaultFloat.h"
#include "compiler/graph/ops/Rules.h"

#include <cmath>

namespace tensorc::graph {

static NodeRef nodeOf(Recorder &r, OpKind op, DType dtype, Ints shape,
                      llvm::ArrayRef<Node *> inputs) {
  if (!checkShape(r, traits(op).apiName, dtype, shape))
    return {};
  return NodeRef::take(Node::create(op, dtype, shape, inputs, {}, r.location));
}

/// Returns the dtype, f32 or f64, that the operands promote to, or nullopt
/// after an error.
static std::optional<DType> commonPlane(Recorder &r, const char *op,
                                        llvm::ArrayRef<Operand> operands) {
  DType common = DType::F32;
  for (const Operand &operand : operands) {
    if (!operand.isScalar && !operand.node) {
      r.fail(op, "an operand is an undefined tensor");
      return std::nullopt;
    }
    DType dtype =
        operand.isScalar ? defaultDType(operand.scalar) : operand.node->dtype();
    if (!isIn(dtype, computeMask)) {
      r.fail(op, llvm::Twine("dtype must be i1 or a number, not ") +
                     dtypeName(dtype) + remedyFor(dtype));
      return std::nullopt;
    }
    common = dtype == DType::F64 ? dtype : common;
  }
  return common;
}

/// Converts both operands to the dtype and broadcasts them to a common shape.
/// Returns nulls after an error.
static std::pair<NodeRef, NodeRef> together(Recorder &r, const char *op,
                                            DType dtype, const Operand &a,
                                            const Operand &b) {
  Ints shapes[2];
  for (auto [shape, operand] : {std::pair(&shapes[0], &a), {&shapes[1], &b}})
    if (!operand->isScalar)
      *shape = operand->node->shape();
  Shape shape;
  if (!broadcastShapes(r, op, shapes[0], shapes[1], shape))
    return {};
  auto fit = [&](const Operand &operand) {
    return operand.isScalar
               ? full(r, dtype, shape, operand.scalar)
               : broadcastTo(r, astype(r, operand.node, dtype), shape);
  };
  return {fit(a), fit(b)};
}

NodeRef complex(Recorder &r, const Operand &re, const Operand &im) {
  std::optional<DType> dtype = commonPlane(r, "complex", {re, im});
  if (!dtype)
    return {};
  auto [x, y] = together(r, "complex", *dtype, re, im);
  if (!x || !y)
    return {};
  return nodeOf(r, OpKind::Complex, complexOf(*dtype), x->shape(),
                {x.get(), y.get()});
}

static bool check(Recorder &r, const char *op, const NodeRef &x) {
  if (!x)
    r.fail(op, "the operand is an undefined tensor");
  else
    checkComputed(r, op, x->dtype());
  return r.error.empty();
}

NodeRef real(Recorder &r, const NodeRef &x) {
  if (!check(r, "real", x))
    return {};
  return isComplex(x->dtype())
             ? nodeOf(r, OpKind::Real, planeOf(x->dtype()), x->shape(), x.get())
             : x;
}

NodeRef imag(Recorder &r, const NodeRef &x) {
  if (!check(r, "imag", x))
    return {};
  if (isComplex(x->dtype()))
    return nodeOf(r, OpKind::Imag, planeOf(x->dtype()), x->shape(), x.get());
  Scalar zero =
      x->dtype() == DType::I1 ? Scalar::of(false) : Scalar::of(int64_t(0));
  return full(r, x->dtype(), x->shape(), zero);
}

NodeRef conj(Recorder &r, const NodeRef &x) {
  if (!check(r, "conj", x))
    return {};
  if (!isComplex(x->dtype()))
    return x;
  return complex(r, real(r, x), elementwise(r, OpKind::Neg, {imag(r, x)}));
}

NodeRef angle(Recorder &r, const NodeRef &x) {
  if (!check(r, "angle", x))
    return {};
  if (isComplex(x->dtype()))
    return elementwise(r, OpKind::Atan2, {imag(r, x), real(r, x)});
  NodeRef real = isFloat(x->dtype()) ? x : astype(r, x, defaultFloat());
  if (!real)
    return {};
  // Like NumPy, also returns 0 for -0.
  NodeRef angle =
      elementwise(r, OpKind::Select,
                  {elementwise(r, OpKind::Lt, {real, Scalar::of(0.0)}),
                   full(r, real->dtype(), real->shape(), Scalar::of(M_PI)),
                   Scalar::of(0.0)});
  return elementwise(r, OpKind::Select,
                     {elementwise(r, OpKind::IsNan, {real}), real, angle});
}

NodeRef polar(Recorder &r, const Operand &magnitude, const Operand &angle) {
  std::optional<DType> dtype = commonPlane(r, "polar", {magnitude, angle});
  if (!dtype)
    return {};
  auto [radius, phi] = together(r, "polar", *dtype, magnitude, angle);
  if (!radius || !phi)
    return {};
  return complex(
      r,
      elementwise(r, OpKind::Mul, {radius, elementwise(r, OpKind::Cos, {phi})}),
      elementwise(r, OpKind::Mul,
                  {radius, elementwise(r, OpKind::Sin, {phi})}));
}

} // namespace tensorc::graph
