//===- CrossEntropy.cpp - The loss of classifiers -------------------------===//

#include "compiler/graph/nn/NeuralNetworks.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace tensorc::graph {

static bool check(Recorder &r, const char *name, const NodeRef &logits,
                  const NodeRef &labels, const NodeRef &weight, int64_t axis,
                  const CrossEntropy &options) {
  Shape expected(logits->shape().begin(), logits->shape().end());
  expected.erase(expected.begin() + axis);
  int64_t classes = logits->shape()[axis];
  if (!labels || !isIn(labels->dtype(), integerMask))
    r.fail(name, labels ? llvm::Twine("labels must be integers, not ") +
                              dtypeName(labels->dtype())
                        : llvm::Twine("the labels are an empty tensor"));
  else if (labels->shape() != Ints(expected))
    r.fail(name, "labels for " + shapeString(logits->shape()) +
                     " must be of shape " + shapeString(expected) + ", not " +
                     shapeString(labels->shape()));
  else if (weight && (weight->shape() != Ints(classes) ||
                      !isIn(weight->dtype(), floatMask)))
    r.fail(name, "weights must be floats of shape " + shapeString(classes) +
                     ", not " + dtypeName(weight->dtype()) +
                     shapeString(weight->shape()));
  else if (!(options.labelSmoothing >= 0 && options.labelSmoothing <= 1))
    r.fail(name, "label smoothing must lie between 0 and 1");
  return r.error.empty();
}

/// x less its logarithm of the sum of exponentials.
static NodeRef logProbabilities(Recorder &r, const NodeRef &x, int64_t axis) {
  NodeRef shifted = elementwise(
      r, OpKind::Sub, {x, reduce(r, OpKind::ReduceMax, x, axis, true)});
  NodeRef sum = reduce(r, OpKind::Sum, elementwise(r, OpKind::Exp, {shifted}),
                       axis, true);
  return elementwise(r, OpKind::Sub,
                     {shifted, elementwise(r, OpKind::Log, {sum})});
}

NodeRef crossEntropy(Recorder &r, const NodeRef &logits, const NodeRef &labels,
                     const NodeRef &weight, const CrossEntropy &options) {
  const char *name = "cross_entropy";
  if (!needFloat(r, name, logits))
    return {};
  if (logits->rank() == 0)
    return r.fail(name, "needs a dimension of classes");
  int64_t axis = logits->rank() == 1 ? 0 : 1;
  if (!check(r, name, logits, labels, weight, axis, options))
    return {};
  const Scalar zero = Scalar::of(0.0);
  DType wide = wideOf(logits->dtype());
  NodeRef logp = logProbabilities(r, astype(r, logits, wide), axis);
  // One class per label: in i64, so that any ignored index can be compared.
  NodeRef wanted = astype(r, labels, DType::I64);
  NodeRef classes = iota(r, DType::I64, logits->shape(), axis);
  NodeRef hot =
      elementwise(r, OpKind::Eq, {classes, expandDims(r, wanted, axis)});
  NodeRef valid =
      elementwise(r, OpKind::Ne, {wanted, Scalar::of(options.ignoreIndex)});
  llvm::SmallVector<NodeRef> inputs{logits, labels};
  NodeRef weights;
  if (weight) {
    inputs.push_back(weight);
    Shape shape(logits->rank() - axis, 1);
    shape[0] = logits->shape()[axis];
    weights = reshape(r, astype(r, weight, wide), shape);
    logp = elementwise(r, OpKind::Mul, {logp, weights});
  }
  auto pick = [&](const NodeRef &values) {
    return reduce(r, OpKind::Sum,
                  elementwise(r, OpKind::Select, {hot, values, zero}), axis,
                  false);
  };
  auto negative = [&](const NodeRef &x) {
    return elementwise(r, OpKind::Neg, {x});
  };
  NodeRef loss = negative(pick(logp));
  if (options.labelSmoothing > 0) {
    double some = options.labelSmoothing;
    inputs.push_back(countOf(r, *logits.get(), axis));
    NodeRef uniform = elementwise(
        r, OpKind::Div,
        {negative(reduce(r, OpKind::Sum, logp, axis, false)), inputs.back()});
    loss =
        elementwise(r, OpKind::Add,
                    {elementwise(r, OpKind::Mul, {loss, Scalar::of(1 - some)}),
                     elementwise(r, OpKind::Mul, {uniform, Scalar::of(some)})});
  }
  NodeRef known = reduce(r, OpKind::Any, hot, axis, false);
  loss = elementwise(
      r, OpKind::Select,
      {known, loss, Scalar::of(std::numeric_limits<double>::quiet_NaN())});
  loss = elementwise(r, OpKind::Select, {valid, loss, zero});
  if (options.reduction != CrossEntropy::Reduction::None && loss) {
    bool many = loss->rank() > 0;
    NodeRef total = many ? reduce(r, OpKind::Sum, loss, {}, false) : loss;
    loss = total;
    if (options.reduction == CrossEntropy::Reduction::Mean) {
      NodeRef each = weight ? pick(broadcastTo(r, weights, logits->shape()))
                            : full(r, wide, {}, Scalar::of(1.0));
      each = elementwise(r, OpKind::Select, {valid, each, zero});
      NodeRef count = many ? reduce(r, OpKind::Sum, each, {}, false) : each;
      loss = elementwise(r, OpKind::Div, {total, count});
    }
  }
  Shape parameters{static_cast<int64_t>(options.reduction), options.ignoreIndex,
                   bitsOf(options.labelSmoothing), bool(weight)};
  return composite(r, name, inputs, parameters,
                   loss ? astype(r, loss, logits->dtype()) : loss);
}

} // namespace tensorc::graph
