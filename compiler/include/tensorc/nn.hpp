//===- nn.hpp - losses, norms, attention; included by tensorc.hpp ---------===//
//
// Names, parameters and results are PyTorch's; tensorc/nn.h has the details.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_NN_HPP
#define TENSORC_NN_HPP

#include "tensorc/nn.h"
#include "tensorc/tensor.hpp"

#include <optional>

namespace tensorc {

namespace detail {
/// An operand that may be absent.
inline const tensorc_tensor *optional(const Tensor &tensor) {
  return tensor.raw();
}
inline Tensor activateWith(const char *op, tensorc_activation activation,
                           Arg &x, double parameter) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_activate_with(activation, x.tensor(op),
                                                 parameter, x.at(), &out);
  x.drop();
  return take(status, out);
}
} // namespace detail

/// x, or alpha (e^x - 1) below 0.
inline Tensor elu(Arg x, double alpha = 1) {
  return detail::activateWith("elu", TENSORC_ELU, x, alpha);
}
/// x, or slope x below 0.
inline Tensor leaky_relu(Arg x, double slope = 0.01) {
  return detail::activateWith("leaky_relu", TENSORC_LEAKY_RELU, x, slope);
}
/// log(1 + e^(beta x)) / beta, without overflow.
inline Tensor softplus(Arg x, double beta = 1) {
  return detail::activateWith("softplus", TENSORC_SOFTPLUS, x, beta);
}
/// x tanh(softplus(x)).
inline Tensor mish(Arg x) {
  return detail::activateWith("mish", TENSORC_MISH, x, 1);
}
/// x clip(x + 3, 0, 6) / 6.
inline Tensor hardswish(Arg x) {
  return detail::activateWith("hardswish", TENSORC_HARDSWISH, x, 1);
}

/// log of the sum of e^x, by the distances to the maximum.
inline Tensor logsumexp(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return detail::unary("logsumexp", x, tensorc_logsumexp, axes.size(),
                       axes.data(), static_cast<int32_t>(keepdims));
}
/// The root of var; NumPy's std.
inline Tensor stddev(Arg x, const Axes &axes = {}, double correction = 0,
                     bool keepdims = false) {
  return detail::unary("std", x, tensorc_std, axes.size(), axes.data(),
                       correction, static_cast<int32_t>(keepdims));
}
/// The vector norm of this order: any number, inf and -inf.
inline Tensor norm(Arg x, double order = 2, const Axes &axes = {},
                   bool keepdims = false) {
  return detail::unary("norm", x, tensorc_norm, order, axes.size(), axes.data(),
                       static_cast<int32_t>(keepdims));
}
/// x / sqrt(mean(x^2) + epsilon) scale, over the last axis.
inline Tensor rms_norm(Arg x, const Tensor &scale = {}, double epsilon = 1e-5) {
  return detail::unary("rms_norm", x, tensorc_rms_norm,
                       detail::optional(scale), epsilon);
}
/// Channels are axis 1.
inline Tensor group_norm(Arg x, int64_t groups, const Tensor &scale = {},
                         const Tensor &bias = {}, double epsilon = 1e-5) {
  return detail::unary("group_norm", x, tensorc_group_norm, groups,
                       detail::optional(scale), detail::optional(bias),
                       epsilon);
}
/// With given statistics: (x - mean) / sqrt(variance + epsilon) scale + bias.
inline Tensor batch_norm(Arg x, const Tensor &mean, const Tensor &variance,
                         const Tensor &scale = {}, const Tensor &bias = {},
                         double epsilon = 1e-5, int64_t axis = 1) {
  return detail::unary("batch_norm", x, tensorc_batch_norm,
                       detail::optional(mean), detail::optional(variance),
                       detail::optional(scale), detail::optional(bias), epsilon,
                       axis);
}

enum class LossReduction {
  mean = TENSORC_LOSS_MEAN,
  sum = TENSORC_LOSS_SUM,
  none = TENSORC_LOSS_NONE
};
struct CrossEntropyOptions {
  /// One per class.
  Tensor weight = Tensor();
  LossReduction reduction = LossReduction::mean;
  int64_t ignore_index = -100;
  double label_smoothing = 0;
};
/// Of logits (classes are axis 1) and integer labels.
inline Tensor cross_entropy(Arg logits, const Tensor &labels,
                            const CrossEntropyOptions &options = {}) {
  return detail::unary("cross_entropy", logits, tensorc_cross_entropy,
                       detail::optional(labels),
                       detail::optional(options.weight),
                       static_cast<tensorc_loss_reduction>(options.reduction),
                       options.ignore_index, options.label_smoothing);
}

struct AttentionOptions {
  /// i1: true where an element takes part; floats are added.
  Tensor mask = Tensor();
  bool causal = false;
  /// None: 1 / sqrt of the last size.
  std::optional<double> scale = std::nullopt;
};
/// PyTorch's scaled_dot_product_attention; k and v may have fewer heads.
inline Tensor attention(Arg q, const Tensor &k, const Tensor &v,
                        const AttentionOptions &options = {}) {
  return detail::unary("attention", q, tensorc_attention, detail::optional(k),
                       detail::optional(v), detail::optional(options.mask),
                       static_cast<int32_t>(options.causal),
                       options.scale ? &*options.scale : nullptr);
}

enum class Interpolation { nearest, linear };
/// Images N, C and 1 to 3 spatial dimensions, of these sizes: PyTorch's nearest,
/// and linear, bilinear or trilinear.
inline Tensor interpolate(Arg x, const Shape &size,
                          Interpolation mode = Interpolation::nearest,
                          bool align_corners = false) {
  if (align_corners && mode == Interpolation::nearest)
    detail::fail("interpolate", "only linear interpolation aligns corners",
                 x.at());
  return detail::unary("interpolate", x, tensorc_interpolate,
                       detail::rankOf(size), size.data(),
                       mode == Interpolation::nearest ? TENSORC_NEAREST
                       : align_corners                ? TENSORC_LINEAR_CORNERS
                                                      : TENSORC_LINEAR);
}

} // namespace tensorc

#endif
