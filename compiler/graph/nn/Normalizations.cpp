//===- Normalizations.cpp - Recording softmax, mean and norms -------------===//

#include "compiler/graph/nn/NeuralNetworks.h"

#include <cmath>

namespace tensorc::graph {

//===----------------------------------------------------------------------===//
// Along dims
//===----------------------------------------------------------------------===//

static NodeRef alongAxis(Recorder &r, OpKind op, const NodeRef &x,
                         int64_t axis) {
  const char *name = traits(op).apiName;
  Shape dims;
  if (!needFloat(r, name, x) ||
      !normalizeAxes(r, name, *x.get(), axis, false, dims))
    return {};
  return composite(r, op, x->dtype(), x, tx::AlongDimAttributes{dims[0]});
}

NodeRef softmax(Recorder &r, const NodeRef &x, int64_t axis) {
  return alongAxis(r, OpKind::Softmax, x, axis);
}

NodeRef logSoftmax(Recorder &r, const NodeRef &x, int64_t axis) {
  return alongAxis(r, OpKind::LogSoftmax, x, axis);
}

/// Records a reduction of floats. `correction` may be null.
static NodeRef floatReduction(Recorder &r, OpKind op, const NodeRef &x,
                              const NodeRef &correction, Ints axes,
                              bool keepDims) {
  const char *name = traits(op).apiName;
  Shape dims;
  if (!needFloat(r, name, x) ||
      !normalizeAxes(r, name, *x.get(), axes, true, dims))
    return {};
  return composite(r, op, x->dtype(), {x, correction},
                   tx::FloatReductionAttributes{dims, keepDims});
}

NodeRef logSumExp(Recorder &r, const NodeRef &x, Ints axes, bool keepDims) {
  return floatReduction(r, OpKind::Logsumexp, x, {}, axes, keepDims);
}

NodeRef mean(Recorder &r, const NodeRef &x, Ints axes, bool keepDims) {
  if (x && isComplex(x->dtype())) {
    NodeRef re = mean(r, real(r, x), axes, keepDims);
    return re ? complex(r, re, mean(r, imag(r, x), axes, keepDims)) : re;
  }
  return floatReduction(r, OpKind::Mean, x, {}, axes, keepDims);
}

NodeRef var(Recorder &r, const NodeRef &x, Ints axes, double correction,
            bool keepDims) {
  if (x && isComplex(x->dtype())) {
    NodeRef re = var(r, real(r, x), axes, correction, keepDims);
    NodeRef im = re ? var(r, imag(r, x), axes, correction, keepDims) : re;
    return im ? elementwise(r, OpKind::Add, {re, im}) : im;
  }
  return floatReduction(r, OpKind::Var, x, number(r, DType::F64, correction),
                        axes, keepDims);
}

NodeRef standardDeviation(Recorder &r, const NodeRef &x, Ints axes,
                          double correction, bool keepDims) {
  if (x && isComplex(x->dtype())) {
    NodeRef variance = var(r, x, axes, correction, keepDims);
    return variance ? elementwise(r, OpKind::Sqrt, {variance}) : variance;
  }
  return floatReduction(r, OpKind::Std, x, number(r, DType::F64, correction),
                        axes, keepDims);
}

static tx::NormKind kindOf(double order) {
  if (std::isinf(order))
    return order > 0 ? tx::NormKind::Max : tx::NormKind::Min;
  return order == 0   ? tx::NormKind::Count
         : order == 1 ? tx::NormKind::Sum
         : order == 2 ? tx::NormKind::Euclidean
                      : tx::NormKind::Power;
}

NodeRef norm(Recorder &r, const NodeRef &x, double order, Ints axes,
             bool keepDims) {
  if (x && isComplex(x->dtype()))
    return norm(r, elementwise(r, OpKind::Abs, {x}), order, axes, keepDims);
  Shape dims;
  if (!needFloat(r, "norm", x) ||
      !normalizeAxes(r, "norm", *x.get(), axes, true, dims))
    return {};
  if (std::isnan(order))
    return r.fail("norm", "the order is NaN");
  tx::NormKind kind = kindOf(order);
  NodeRef power;
  if (kind == tx::NormKind::Power)
    power = number(r, wideOf(x->dtype()), order);
  return composite(
      r, OpKind::Norm, x->dtype(), {x, power},
      tx::NormAttributes{presenceOf({power}), kind, dims, keepDims});
}

//===----------------------------------------------------------------------===//
// Normalizations
//===----------------------------------------------------------------------===//

/// Checks that all operands that are present are floats.
static bool needFloats(Recorder &r, const char *name,
                       llvm::ArrayRef<NodeRef> list) {
  for (const NodeRef &values : list)
    if (values && r.error.empty())
      needFloat(r, name, values);
  return r.error.empty();
}

NodeRef layerNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                  const NodeRef &bias, double epsilon) {
  const char *name = "layer_norm";
  if (!needFloat(r, name, x) || !needFloats(r, name, {scale, bias}))
    return {};
  return composite(r, OpKind::LayerNorm, x->dtype(),
                   {x, number(r, wideOf(x->dtype()), epsilon), scale, bias},
                   tx::LayerNormAttributes{presenceOf({scale, bias})});
}

NodeRef rmsNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                double epsilon) {
  const char *name = "rms_norm";
  if (!needFloat(r, name, x) || !needFloats(r, name, scale))
    return {};
  return composite(r, OpKind::RmsNorm, x->dtype(),
                   {x, number(r, wideOf(x->dtype()), epsilon), scale},
                   tx::RmsNormAttributes{presenceOf({scale})});
}

NodeRef groupNorm(Recorder &r, const NodeRef &x, int64_t groups,
                  const NodeRef &scale, const NodeRef &bias, double epsilon) {
  const char *name = "group_norm";
  if (!needFloat(r, name, x) || !needFloats(r, name, {scale, bias}))
    return {};
  return composite(r, OpKind::GroupNorm, x->dtype(),
                   {x, number(r, wideOf(x->dtype()), epsilon), scale, bias},
                   tx::GroupNormAttributes{presenceOf({scale, bias}), groups});
}

NodeRef instanceNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                     const NodeRef &bias, double epsilon) {
  if (!needFloat(r, "instance_norm", x))
    return {};
  if (x->rank() < 3)
    return r.fail("instance_norm", "needs images, channels and spatial "
                                   "dimensions, not " +
                                       shapeString(x->shape()));
  // If there are no channels, there are no groups.
  return x->shape()[1] == 0
             ? x
             : groupNorm(r, x, x->shape()[1], scale, bias, epsilon);
}

NodeRef layerNormOver(Recorder &r, const NodeRef &x, int64_t axes,
                      const NodeRef &scale, const NodeRef &bias,
                      double epsilon) {
  const char *name = "layer_norm";
  if (!needFloat(r, name, x) || !needFloats(r, name, {scale, bias}))
    return {};
  if (axes < 1 || axes > x->rank())
    return r.fail(name, "over the last " + llvm::Twine(axes) + " axes of " +
                            shapeString(x->shape()));
  Ints over = x->shape().take_back(axes);
  for (const NodeRef &each : {scale, bias})
    if (each && each->shape() != over)
      return r.fail(name, "scale and bias must be " + shapeString(over) +
                              ", not " + shapeString(each->shape()));
  int64_t count = 1;
  for (int64_t size : over)
    count *= size;
  Shape flat(x->shape().drop_back(axes));
  flat.push_back(count);
  auto row = [&](const NodeRef &values) {
    return values ? reshape(r, values, count) : NodeRef();
  };
  NodeRef rows =
      layerNorm(r, reshape(r, x, flat), row(scale), row(bias), epsilon);
  return rows ? reshape(r, rows, x->shape()) : NodeRef();
}

NodeRef batchNorm(Recorder &r, const NodeRef &x, const NodeRef &mean,
                  const NodeRef &variance, const NodeRef &scale,
                  const NodeRef &bias, double epsilon, int64_t axis) {
  const char *name = "batch_norm";
  Shape axes;
  if (!needFloat(r, name, x) || !needFloat(r, name, mean) ||
      !needFloat(r, name, variance) || !needFloats(r, name, {scale, bias}))
    return {};
  if (x->rank() < 2)
    return r.fail(name,
                  "needs images and channels, not " + shapeString(x->shape()));
  if (!normalizeAxes(r, name, *x.get(), axis, false, axes))
    return {};
  return composite(
      r, OpKind::BatchNorm, x->dtype(),
      {x, mean, variance, number(r, wideOf(x->dtype()), epsilon), scale, bias},
      tx::BatchNormAttributes{presenceOf({scale, bias}), axes[0]});
}

} // namespace tensorc::graph
