//===- Composites.cpp - Functions recorded as one node --------------------===//
//
// A composite's body is built from its inputs like any expression; the node
// that stands for it keeps the inputs and the body's root. Counts that depend
// on a size are inputs, so that a body holds for all sizes.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/Trace.h"
#include "compiler/graph/nn/NeuralNetworks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tensorc::graph {

/// The nodes below the root that are not inputs, operands first.
static llvm::SmallVector<Node *> bodyOrder(Node &root,
                                           llvm::ArrayRef<Node *> inputs) {
  llvm::SmallPtrSet<Node *, 16> seen(inputs.begin(), inputs.end());
  llvm::SmallVector<Node *> order;
  llvm::SmallVector<std::pair<Node *, unsigned>> stack;
  auto enter = [&](Node *node) {
    if (seen.insert(node).second)
      stack.push_back({node, 0});
  };
  enter(&root);
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    // The body of a composite within is its own affair.
    auto inputs = node->op() == OpKind::Composite ? node->compositeInputs()
                                                  : node->inputs();
    if (next < inputs.size()) {
      enter(inputs[next++]);
      continue;
    }
    order.push_back(node);
    stack.pop_back();
  }
  return order;
}

llvm::SmallVector<Node *> compositeBodyOrder(const Node &composite) {
  return bodyOrder(*composite.compositeBody(), composite.compositeInputs());
}

/// What the compiled body depends on beyond the classes of the inputs' sizes:
/// numbers and offsets are constants there.
static void appendBodyFacts(Node &root, llvm::ArrayRef<Node *> inputs,
                            Shape &result) {
  std::vector<uint64_t> facts;
  for (Node *node : bodyOrder(root, inputs)) {
    appendSizeFacts(*node, facts);
    if (node->op() == OpKind::Full || node->op() == OpKind::Slice)
      llvm::append_range(facts, node->words());
  }
  result.append(facts.begin(), facts.end());
}

NodeRef composite(Recorder &r, const char *name, llvm::ArrayRef<NodeRef> inputs,
                  Ints parameters, const NodeRef &body) {
  if (!body || !r.error.empty())
    return {};
  llvm::SmallVector<Node *, 5> nodes;
  for (const NodeRef &input : inputs)
    nodes.push_back(input.get());
  Shape facts;
  appendBodyFacts(*body.get(), nodes, facts);
  nodes.push_back(body.get());
  return NodeRef::take(
      Node::create(OpKind::Composite, body->dtype(), body->shape(), nodes,
                   CompositeAttributes{name, parameters, facts}, r.location));
}

int64_t bitsOf(double value) {
  int64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool needFloat(Recorder &r, const char *name, const NodeRef &x) {
  if (!x)
    r.fail(name, "the operand is an empty tensor");
  else if (!isIn(x->dtype(), floatMask))
    r.fail(name,
           llvm::Twine("dtype must be a float, not ") + dtypeName(x->dtype()));
  return r.error.empty();
}

NodeRef relu(Recorder &r, const NodeRef &x) {
  if (!x || !isIn(x->dtype(), numberMask))
    return r.fail("relu", "needs a tensor of numbers");
  NodeRef body = elementwise(r, OpKind::Max, {x, Scalar::of(int64_t(0))});
  return composite(r, "relu", x, {}, body);
}

/// x less its maximum along the axis.
static NodeRef shifted(Recorder &r, const NodeRef &x, int64_t axis) {
  return elementwise(r, OpKind::Sub,
                     {x, reduce(r, OpKind::ReduceMax, x, axis, true)});
}

NodeRef softmax(Recorder &r, const NodeRef &x, int64_t axis) {
  Shape axes;
  if (!needFloat(r, "softmax", x) ||
      !normalizeAxes(r, "softmax", *x.get(), axis, false, axes))
    return {};
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  NodeRef e = elementwise(r, OpKind::Exp, {shifted(r, wide, axes[0])});
  // One division for each row, not for each element.
  NodeRef scale = elementwise(
      r, OpKind::Div, {Scalar::of(1.0), reduce(r, OpKind::Sum, e, axes, true)});
  NodeRef body = elementwise(r, OpKind::Mul, {e, scale});
  return composite(r, "softmax", x, axes, astype(r, body, x->dtype()));
}

NodeRef logSoftmax(Recorder &r, const NodeRef &x, int64_t axis) {
  Shape axes;
  if (!needFloat(r, "log_softmax", x) ||
      !normalizeAxes(r, "log_softmax", *x.get(), axis, false, axes))
    return {};
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  NodeRef shift = shifted(r, wide, axes[0]);
  NodeRef sum =
      reduce(r, OpKind::Sum, elementwise(r, OpKind::Exp, {shift}), axes, true);
  NodeRef body =
      elementwise(r, OpKind::Sub, {shift, elementwise(r, OpKind::Log, {sum})});
  return composite(r, "log_softmax", x, axes, astype(r, body, x->dtype()));
}

NodeRef countOf(Recorder &r, const Node &x, Ints axes, double correction) {
  double count = 1;
  for (int64_t axis : axes)
    count *= static_cast<double>(x.shape()[axis]);
  return full(r, wideOf(x.dtype()), {},
              Scalar::of(std::max(count - correction, 0.0)));
}

static NodeRef meanBody(Recorder &r, const NodeRef &wide, Ints axes,
                        const NodeRef &count, bool keepDims) {
  // A reduction without axes would be over all of them.
  NodeRef sum =
      axes.empty() ? wide : reduce(r, OpKind::Sum, wide, axes, keepDims);
  return elementwise(r, OpKind::Div, {sum, count});
}

NodeRef mean(Recorder &r, const NodeRef &x, Ints axes, bool keepDims) {
  Shape dims;
  if (!needFloat(r, "mean", x) ||
      !normalizeAxes(r, "mean", *x.get(), axes, true, dims))
    return {};
  NodeRef count = countOf(r, *x.get(), dims);
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  NodeRef body = meanBody(r, wide, dims, count, keepDims);
  Shape parameters = dims;
  parameters.push_back(keepDims);
  return composite(r, "mean", {x, count}, parameters,
                   astype(r, body, x->dtype()));
}

NodeRef var(Recorder &r, const NodeRef &x, Ints axes, double correction,
            bool keepDims) {
  Shape dims;
  if (!needFloat(r, "var", x) ||
      !normalizeAxes(r, "var", *x.get(), axes, true, dims))
    return {};
  NodeRef count = countOf(r, *x.get(), dims);
  NodeRef divisor = countOf(r, *x.get(), dims, correction);
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  NodeRef center =
      elementwise(r, OpKind::Sub, {wide, meanBody(r, wide, dims, count, true)});
  NodeRef body = meanBody(r, elementwise(r, OpKind::Mul, {center, center}),
                          dims, divisor, keepDims);
  Shape parameters = dims;
  parameters.push_back(keepDims);
  return composite(r, "var", {x, count, divisor}, parameters,
                   astype(r, body, x->dtype()));
}

NodeRef layerNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                  const NodeRef &bias, double epsilon) {
  if (!needFloat(r, "layer_norm", x))
    return {};
  if (x->rank() == 0)
    return r.fail("layer_norm", "needs at least one dimension");
  for (const NodeRef &extra : {scale, bias})
    if (extra && extra->shape() != x->shape().take_back())
      return r.fail("layer_norm", "scale and bias must be of shape " +
                                      shapeString(x->shape().take_back()) +
                                      ", not " + shapeString(extra->shape()));
  int64_t axis = x->rank() - 1;
  NodeRef count = countOf(r, *x.get(), axis);
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  NodeRef center =
      elementwise(r, OpKind::Sub, {wide, meanBody(r, wide, axis, count, true)});
  NodeRef variance = meanBody(r, elementwise(r, OpKind::Mul, {center, center}),
                              axis, count, true);
  NodeRef scaleOf = elementwise(
      r, OpKind::Rsqrt,
      {elementwise(r, OpKind::Add, {variance, Scalar::of(epsilon)})});
  NodeRef body = elementwise(r, OpKind::Mul, {center, scaleOf});
  llvm::SmallVector<NodeRef> inputs{x, count};
  if (scale) {
    body = elementwise(r, OpKind::Mul, {body, scale});
    inputs.push_back(scale);
  }
  if (bias) {
    body = elementwise(r, OpKind::Add, {body, bias});
    inputs.push_back(bias);
  }
  body = body ? astype(r, body, x->dtype()) : body;
  Shape parameters{bitsOf(epsilon), static_cast<bool>(scale),
                   static_cast<bool>(bias)};
  return composite(r, "layer_norm", inputs, parameters, body);
}

} // namespace tensorc::graph
