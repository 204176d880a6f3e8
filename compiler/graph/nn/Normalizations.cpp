//===- Normalizations.cpp - Norms, deviations, normalizations -------------===//

#include "compiler/graph/nn/NeuralNetworks.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace tensorc::graph {

static Shape withKeepDims(Ints axes, bool keepDims) {
  Shape parameters(axes.begin(), axes.end());
  parameters.push_back(keepDims);
  return parameters;
}

/// A reduction over no axes is the operand: the list of axes of a scalar.
static NodeRef reduceOver(Recorder &r, OpKind op, const NodeRef &x, Ints axes,
                          bool keepDims) {
  return axes.empty() ? x : reduce(r, op, x, axes, keepDims);
}

NodeRef logSumExp(Recorder &r, const NodeRef &x, Ints axes, bool keepDims) {
  Shape dims;
  if (!needFloat(r, "logsumexp", x) ||
      !normalizeAxes(r, "logsumexp", *x.get(), axes, true, dims))
    return {};
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  NodeRef largest = reduceOver(r, OpKind::ReduceMax, wide, dims, true);
  // Of an infinite maximum the distances would be NaN.
  NodeRef shift = elementwise(
      r, OpKind::Select,
      {elementwise(r, OpKind::IsFinite, {largest}), largest, Scalar::of(0.0)});
  NodeRef e =
      elementwise(r, OpKind::Exp, {elementwise(r, OpKind::Sub, {wide, shift})});
  NodeRef body = elementwise(
      r, OpKind::Add,
      {elementwise(r, OpKind::Log, {reduceOver(r, OpKind::Sum, e, dims, true)}),
       shift});
  if (!keepDims && body && !dims.empty())
    body = squeeze(r, body, dims);
  return composite(r, "logsumexp", x, withKeepDims(dims, keepDims),
                   astype(r, body, x->dtype()));
}

NodeRef standardDeviation(Recorder &r, const NodeRef &x, Ints axes,
                          double correction, bool keepDims) {
  if (!needFloat(r, "std", x))
    return {};
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  NodeRef root =
      elementwise(r, OpKind::Sqrt, {var(r, wide, axes, correction, keepDims)});
  return astype(r, root, x->dtype());
}

NodeRef norm(Recorder &r, const NodeRef &x, double order, Ints axes,
             bool keepDims) {
  Shape dims;
  if (!needFloat(r, "norm", x) ||
      !normalizeAxes(r, "norm", *x.get(), axes, true, dims))
    return {};
  if (std::isnan(order))
    return r.fail("norm", "the order is NaN");
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  auto sum = [&](const NodeRef &terms) {
    return reduceOver(r, OpKind::Sum, terms, dims, keepDims);
  };
  NodeRef size = elementwise(r, OpKind::Abs, {wide}), body;
  if (std::isinf(order)) {
    body = reduceOver(r, order > 0 ? OpKind::ReduceMax : OpKind::ReduceMin,
                      size, dims, keepDims);
    if (order > 0) // of no elements: 0
      body = elementwise(r, OpKind::Max, {body, Scalar::of(0.0)});
  } else if (order == 0) {
    body = sum(astype(r, elementwise(r, OpKind::Ne, {wide, Scalar::of(0.0)}),
                      wide->dtype()));
  } else if (order == 1) {
    body = sum(size);
  } else if (order == 2) {
    body = elementwise(r, OpKind::Sqrt,
                       {sum(elementwise(r, OpKind::Mul, {wide, wide}))});
  } else {
    NodeRef powers = elementwise(r, OpKind::Pow, {size, Scalar::of(order)});
    body = elementwise(r, OpKind::Pow, {sum(powers), Scalar::of(1 / order)});
  }
  Shape parameters = withKeepDims(dims, keepDims);
  parameters.push_back(bitsOf(order));
  return composite(r, "norm", x, parameters, astype(r, body, x->dtype()));
}

/// The values one per channel, so that they broadcast along `axis`.
static NodeRef alongAxis(Recorder &r, const NodeRef &values, const Node &x,
                         int64_t axis) {
  Shape shape(x.rank() - axis, 1);
  shape[0] = x.shape()[axis];
  return reshape(r, values, shape);
}

static bool checkPerChannel(Recorder &r, const char *name,
                            llvm::ArrayRef<NodeRef> list, const Node &x,
                            int64_t axis) {
  for (const NodeRef &values : list)
    if (values && values->shape() != Ints(x.shape()[axis]))
      r.fail(name, "needs one number per channel of " + shapeString(x.shape()) +
                       ", of shape " + shapeString(x.shape()[axis]) + ", not " +
                       shapeString(values->shape()));
    else if (values && !isIn(values->dtype(), floatMask))
      r.fail(name, llvm::Twine("dtype must be a float, not ") +
                       dtypeName(values->dtype()));
  return r.error.empty();
}

static NodeRef meanOver(Recorder &r, const NodeRef &x, Ints axes,
                        const NodeRef &count) {
  return elementwise(r, OpKind::Div,
                     {reduce(r, OpKind::Sum, x, axes, true), count});
}

static NodeRef rsqrtOf(Recorder &r, const NodeRef &x, double epsilon) {
  return elementwise(r, OpKind::Rsqrt,
                     {elementwise(r, OpKind::Add, {x, Scalar::of(epsilon)})});
}

NodeRef rmsNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                double epsilon) {
  const char *name = "rms_norm";
  if (!needFloat(r, name, x))
    return {};
  if (x->rank() == 0)
    return r.fail(name, "needs at least one dimension");
  int64_t axis = x->rank() - 1;
  if (!checkPerChannel(r, name, scale, *x.get(), axis))
    return {};
  NodeRef count = countOf(r, *x.get(), axis);
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  NodeRef squares = elementwise(r, OpKind::Mul, {wide, wide});
  NodeRef body = elementwise(
      r, OpKind::Mul,
      {wide, rsqrtOf(r, meanOver(r, squares, axis, count), epsilon)});
  llvm::SmallVector<NodeRef> inputs{x, count};
  if (scale) {
    body = elementwise(r, OpKind::Mul, {body, scale});
    inputs.push_back(scale);
  }
  return composite(r, name, inputs, {bitsOf(epsilon), bool(scale)},
                   astype(r, body, x->dtype()));
}

/// x scale + bias along the axis, where they are present.
static NodeRef scaled(Recorder &r, NodeRef x, const NodeRef &scale,
                      const NodeRef &bias, int64_t axis,
                      llvm::SmallVectorImpl<NodeRef> &inputs) {
  for (auto [values, op] :
       {std::pair(scale, OpKind::Mul), std::pair(bias, OpKind::Add)}) {
    if (!values || !x)
      continue;
    inputs.push_back(values);
    x = elementwise(r, op, {x, alongAxis(r, values, *x.get(), axis)});
  }
  return x;
}

NodeRef groupNorm(Recorder &r, const NodeRef &x, int64_t groups,
                  const NodeRef &scale, const NodeRef &bias, double epsilon) {
  const char *name = "group_norm";
  if (!needFloat(r, name, x))
    return {};
  if (x->rank() < 2)
    return r.fail(name,
                  "needs images and channels, not " + shapeString(x->shape()));
  int64_t channels = x->shape()[1];
  if (groups < 1 || channels % groups != 0)
    return r.fail(name, llvm::Twine(groups) + " groups do not divide the " +
                            llvm::Twine(channels) + " channels of " +
                            shapeString(x->shape()));
  if (!checkPerChannel(r, name, {scale, bias}, *x.get(), 1))
    return {};
  Shape split(x->shape().begin(), x->shape().end()), axes;
  split[1] /= groups;
  split.insert(split.begin() + 1, groups);
  for (size_t i = 2; i < split.size(); ++i)
    axes.push_back(i);
  NodeRef wide = reshape(r, astype(r, x, wideOf(x->dtype())), split);
  if (!wide)
    return {};
  NodeRef count = countOf(r, *wide.get(), axes);
  NodeRef center =
      elementwise(r, OpKind::Sub, {wide, meanOver(r, wide, axes, count)});
  NodeRef squares = elementwise(r, OpKind::Mul, {center, center});
  NodeRef body = elementwise(
      r, OpKind::Mul,
      {center, rsqrtOf(r, meanOver(r, squares, axes, count), epsilon)});
  if (!body)
    return {};
  llvm::SmallVector<NodeRef> inputs{x, count};
  body = scaled(r, reshape(r, body, x->shape()), scale, bias, 1, inputs);
  return composite(r, name, inputs,
                   {groups, bitsOf(epsilon), bool(scale), bool(bias)},
                   astype(r, body, x->dtype()));
}

NodeRef batchNorm(Recorder &r, const NodeRef &x, const NodeRef &mean,
                  const NodeRef &variance, const NodeRef &scale,
                  const NodeRef &bias, double epsilon, int64_t axis) {
  const char *name = "batch_norm";
  Shape axes;
  if (!needFloat(r, name, x) || !needFloat(r, name, mean) ||
      !needFloat(r, name, variance))
    return {};
  if (x->rank() < 2)
    return r.fail(name,
                  "needs images and channels, not " + shapeString(x->shape()));
  if (!normalizeAxes(r, name, *x.get(), axis, false, axes) ||
      !checkPerChannel(r, name, {mean, variance, scale, bias}, *x.get(),
                       axes[0]))
    return {};
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  auto along = [&](const NodeRef &values) {
    return alongAxis(r, astype(r, values, wide->dtype()), *x.get(), axes[0]);
  };
  NodeRef body = elementwise(r, OpKind::Mul,
                             {elementwise(r, OpKind::Sub, {wide, along(mean)}),
                              rsqrtOf(r, along(variance), epsilon)});
  llvm::SmallVector<NodeRef> inputs{x, mean, variance};
  body = scaled(r, body, scale, bias, axes[0], inputs);
  return composite(r, name, inputs,
                   {axes[0], bitsOf(epsilon), bool(scale), bool(bias)},
                   body ? astype(r, body, x->dtype()) : body);
}

} // namespace tensorc::graph
