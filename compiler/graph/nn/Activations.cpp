//===- Activations.cpp - Recording activation functions -------------------===//

#include "compiler/graph/nn/NeuralNetworks.h"

namespace tensorc::graph {

NodeRef activation(Recorder &r, OpKind op, llvm::ArrayRef<Operand> operands) {
  const char *name = traits(op).apiName;
  if (operands[0].isScalar)
    return r.fail(name, "needs a tensor, not a number");
  NodeRef x = operands[0].node;
  if (!needFloat(r, name, x))
    return {};
  llvm::SmallVector<NodeRef, 2> nodes{x};
  for (const Operand &operand : operands.drop_front()) {
    nodes.push_back(operand.isScalar
                        ? full(r, wideOf(x->dtype()), {}, operand.scalar)
                        : NodeRef(operand.node));
    if (!needFloat(r, name, nodes.back()))
      return {};
    if (nodes.back()->rank() != 0)
      return r.fail(name, "needs a number, not " +
                              shapeString(nodes.back()->shape()));
  }
  return composite(r, op, x->dtype(), nodes);
}

NodeRef relu(Recorder &r, const NodeRef &x) {
  if (!x || !isIn(x->dtype(), numberMask))
    return r.fail("relu", "needs a tensor of numbers");
  return composite(r, OpKind::Relu, x->dtype(), x);
}

NodeRef sigmoid(Recorder &r, const NodeRef &x) {
  return needFloat(r, "sigmoid", x) ? elementwise(r, OpKind::Sigmoid, {x})
                                    : NodeRef();
}

NodeRef gelu(Recorder &r, const NodeRef &x, bool approximate) {
  if (!needFloat(r, "gelu", x))
    return {};
  return composite(r, OpKind::Gelu, x->dtype(), x,
                   tx::GeluAttributes{approximate});
}

NodeRef softplus(Recorder &r, const NodeRef &x, double beta) {
  if (!needFloat(r, "softplus", x))
    return {};
  // Omits beta if it is 1, which avoids a division.
  NodeRef given = beta == 1 ? NodeRef() : number(r, wideOf(x->dtype()), beta);
  return composite(r, OpKind::Softplus, x->dtype(), {x, given},
                   tx::SoftplusAttributes{presenceOf({given})});
}

} // namespace tensorc::graph
