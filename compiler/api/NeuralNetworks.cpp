//===- NeuralNetworks.cpp - tensorc/nn.h ----------------------------------===//

#include "compiler/graph/nn/NeuralNetworks.h"
#include "compiler/api/Api.h"

#include "tensorc/nn.h"

#include <cmath>

using namespace tensorc;
using namespace tensorc::api;
using graph::Ints;
using graph::NodeRef;
using graph::Recorder;

tensorc_status *tensorc_logsumexp(const tensorc_tensor *x, int32_t count,
                                  const int64_t *axes, int32_t keepdims,
                                  tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::logSumExp(r, refOf(x), intsOf(r, "axes", count, axes),
                                keepdims);
      },
      "logsumexp");
}

tensorc_status *tensorc_std(const tensorc_tensor *x, int32_t count,
                            const int64_t *axes, double correction,
                            int32_t keepdims, tensorc_location at,
                            tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::standardDeviation(
            r, refOf(x), intsOf(r, "axes", count, axes), correction, keepdims);
      },
      "std");
}

tensorc_status *tensorc_norm(const tensorc_tensor *x, double order,
                             int32_t count, const int64_t *axes,
                             int32_t keepdims, tensorc_location at,
                             tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::norm(r, refOf(x), order, intsOf(r, "axes", count, axes),
                           keepdims);
      },
      "norm");
}

tensorc_status *tensorc_rms_norm(const tensorc_tensor *x,
                                 const tensorc_tensor *scale, double epsilon,
                                 tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::rmsNorm(r, refOf(x), refOf(scale), epsilon);
      },
      "rms_norm");
}

tensorc_status *tensorc_group_norm(const tensorc_tensor *x, int64_t groups,
                                   const tensorc_tensor *scale,
                                   const tensorc_tensor *bias, double epsilon,
                                   tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::groupNorm(r, refOf(x), groups, refOf(scale), refOf(bias),
                                epsilon);
      },
      "group_norm");
}

tensorc_status *
tensorc_batch_norm(const tensorc_tensor *x, const tensorc_tensor *mean,
                   const tensorc_tensor *variance, const tensorc_tensor *scale,
                   const tensorc_tensor *bias, double epsilon, int64_t axis,
                   tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::batchNorm(r, refOf(x), refOf(mean), refOf(variance),
                                refOf(scale), refOf(bias), epsilon, axis);
      },
      "batch_norm");
}

tensorc_status *tensorc_cross_entropy(
    const tensorc_tensor *logits, const tensorc_tensor *labels,
    const tensorc_tensor *weight, tensorc_loss_reduction reduction,
    int64_t ignore_index, double label_smoothing, tensorc_location at,
    tensorc_tensor **out) {
  using Reduction = graph::CrossEntropy::Reduction;
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        graph::CrossEntropy options;
        options.ignoreIndex = ignore_index;
        options.labelSmoothing = label_smoothing;
        switch (reduction) {
        case TENSORC_LOSS_MEAN:
          options.reduction = Reduction::Mean;
          break;
        case TENSORC_LOSS_SUM:
          options.reduction = Reduction::Sum;
          break;
        case TENSORC_LOSS_NONE:
          options.reduction = Reduction::None;
          break;
        default:
          return r.fail("", "unknown reduction");
        }
        return graph::crossEntropy(r, refOf(logits), refOf(labels),
                                   refOf(weight), options);
      },
      "cross_entropy");
}

tensorc_status *tensorc_attention(const tensorc_tensor *q,
                                  const tensorc_tensor *k,
                                  const tensorc_tensor *v,
                                  const tensorc_tensor *mask, int32_t causal,
                                  const double *scale, tensorc_location at,
                                  tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::attention(r, refOf(q), refOf(k), refOf(v), refOf(mask),
                                causal,
                                scale ? std::optional(*scale) : std::nullopt);
      },
      "attention");
}

tensorc_status *tensorc_interpolate(const tensorc_tensor *x, int32_t count,
                                    const int64_t *sizes,
                                    tensorc_interpolation mode,
                                    tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (mode < TENSORC_NEAREST || mode > TENSORC_LINEAR_CORNERS)
          return r.fail("", "unknown mode");
        graph::Interpolation options;
        options.linear = mode != TENSORC_NEAREST;
        options.alignCorners = mode == TENSORC_LINEAR_CORNERS;
        return graph::interpolate(r, refOf(x), intsOf(r, "sizes", count, sizes),
                                  options);
      },
      "interpolate");
}
