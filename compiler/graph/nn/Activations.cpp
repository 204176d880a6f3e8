//===- Activations.cpp - Functions of single elements as composites -------===//

#include "compiler/graph/nn/NeuralNetworks.h"

namespace tensorc::graph {

/// A composite of one float operand; the body is built in f32 for halves.
template <typename Fn>
static NodeRef activation(Recorder &r, const char *name, const NodeRef &x,
                          Ints parameters, Fn body) {
  if (!needFloat(r, name, x))
    return {};
  NodeRef result = body(astype(r, x, wideOf(x->dtype())));
  return composite(r, name, x, parameters, astype(r, result, x->dtype()));
}

static const Scalar zero = Scalar::of(0.0);

NodeRef sigmoid(Recorder &r, const NodeRef &x) {
  return needFloat(r, "sigmoid", x) ? elementwise(r, OpKind::Sigmoid, {x})
                                    : NodeRef();
}

NodeRef silu(Recorder &r, const NodeRef &x) {
  return activation(r, "silu", x, {}, [&](const NodeRef &v) {
    return elementwise(r, OpKind::Mul, {v, sigmoid(r, v)});
  });
}

/// v/2 (1 + erf(v / sqrt(2))), or tanh of a cubic in place of erf.
NodeRef gelu(Recorder &r, const NodeRef &x, bool approximate) {
  return activation(r, "gelu", x, approximate, [&](const NodeRef &v) {
    auto times = [&](const NodeRef &a, double b) {
      return elementwise(r, OpKind::Mul, {a, Scalar::of(b)});
    };
    NodeRef inner;
    if (approximate) {
      NodeRef square = elementwise(r, OpKind::Mul, {v, v});
      NodeRef cube = elementwise(r, OpKind::Mul, {square, v});
      NodeRef sum = elementwise(r, OpKind::Add, {v, times(cube, 0.044715)});
      inner = elementwise(r, OpKind::Tanh, {times(sum, 0.7978845608028654)});
    } else {
      inner = elementwise(r, OpKind::Erf, {times(v, 0.7071067811865476)});
    }
    NodeRef gate = elementwise(r, OpKind::Add, {inner, Scalar::of(1.0)});
    return elementwise(r, OpKind::Mul, {times(v, 0.5), gate});
  });
}

NodeRef elu(Recorder &r, const NodeRef &x, double alpha) {
  return activation(r, "elu", x, bitsOf(alpha), [&](const NodeRef &v) {
    NodeRef below =
        elementwise(r, OpKind::Mul,
                    {elementwise(r, OpKind::Expm1, {v}), Scalar::of(alpha)});
    return elementwise(r, OpKind::Select,
                       {elementwise(r, OpKind::Gt, {v, zero}), v, below});
  });
}

NodeRef leakyRelu(Recorder &r, const NodeRef &x, double slope) {
  return activation(r, "leaky_relu", x, bitsOf(slope), [&](const NodeRef &v) {
    NodeRef below = elementwise(r, OpKind::Mul, {v, Scalar::of(slope)});
    return elementwise(r, OpKind::Select,
                       {elementwise(r, OpKind::Gt, {v, zero}), v, below});
  });
}

/// max(v, 0) + log(1 + e^-|v|): the exponential cannot overflow.
static NodeRef softplusBody(Recorder &r, const NodeRef &v) {
  NodeRef magnitude = elementwise(r, OpKind::Abs, {v});
  NodeRef small =
      elementwise(r, OpKind::Exp, {elementwise(r, OpKind::Neg, {magnitude})});
  return elementwise(r, OpKind::Add,
                     {elementwise(r, OpKind::Max, {v, zero}),
                      elementwise(r, OpKind::Log1p, {small})});
}

NodeRef softplus(Recorder &r, const NodeRef &x, double beta) {
  return activation(r, "softplus", x, bitsOf(beta), [&](const NodeRef &v) {
    if (beta == 1)
      return softplusBody(r, v);
    NodeRef scaled = elementwise(r, OpKind::Mul, {v, Scalar::of(beta)});
    return elementwise(r, OpKind::Div,
                       {softplusBody(r, scaled), Scalar::of(beta)});
  });
}

NodeRef mish(Recorder &r, const NodeRef &x) {
  return activation(r, "mish", x, {}, [&](const NodeRef &v) {
    return elementwise(r, OpKind::Mul,
                       {v, elementwise(r, OpKind::Tanh, {softplusBody(r, v)})});
  });
}

NodeRef hardswish(Recorder &r, const NodeRef &x) {
  return activation(r, "hardswish", x, {}, [&](const NodeRef &v) {
    NodeRef shifted = elementwise(r, OpKind::Add, {v, Scalar::of(3.0)});
    NodeRef gate =
        elementwise(r, OpKind::Clamp, {zero, shifted, Scalar::of(6.0)});
    return elementwise(
        r, OpKind::Div,
        {elementwise(r, OpKind::Mul, {v, gate}), Scalar::of(6.0)});
  });
}

} // namespace tensorc::graph
