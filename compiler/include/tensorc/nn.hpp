//===- nn.hpp - losses, norms, attention; included by tensorc.hpp ---------===//
//
// Names, parameters and results are those of PyTorch; see tensorc/nn.h for
// details.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_NN_HPP
#define TENSORC_NN_HPP

#include "tensorc/functions.hpp"
#include "tensorc/ops.h"

#include <optional>
#include <sstream>

namespace tensorc {

namespace detail {
/// Returns the handle of an operand that may be undefined.
inline const tensorc_tensor *optional(const char *op, const Tensor &tensor,
                                      const Arg &first) {
  return tensor.operand(op, first.at());
}
} // namespace detail

/// PyTorch's linear, x weight^T + bias. The weight is [out, in]; an undefined
/// bias is omitted.
inline Tensor linear(Arg x, const Tensor &weight, const Tensor &bias = {}) {
  Location at = x.at();
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_transpose(weight.operand("linear", at), 0, nullptr, at, &out);
  Tensor turned = detail::take(status, out, "linear");
  status = tensorc_matmul(x.tensor("linear"), turned.raw(), at, &out);
  x.drop();
  Tensor y = detail::take(status, out, "linear");
  if (!bias.operand("linear", at))
    return y;
  status = tensorc_add(Arg(y).raw("linear"), Arg(bias).raw("linear"), at, &out);
  return detail::take(status, out, "linear");
}

enum class LossReduction {
  mean = TENSORC_LOSS_MEAN,
  sum = TENSORC_LOSS_SUM,
  none = TENSORC_LOSS_NONE
};
struct CrossEntropyOptions {
  /// One number per class.
  Tensor weight = Tensor();
  LossReduction reduction = LossReduction::mean;
  int64_t ignore_index = -100;
  double label_smoothing = 0;
};
/// Cross entropy of logits and integer labels. Classes are axis 1.
inline Tensor cross_entropy(Arg logits, const Tensor &labels,
                            const CrossEntropyOptions &options = {}) {
  const char *op = "cross_entropy";
  return detail::unary(op, logits, tensorc_cross_entropy,
                       detail::optional(op, labels, logits),
                       detail::optional(op, options.weight, logits),
                       static_cast<tensorc_loss_reduction>(options.reduction),
                       options.ignore_index, options.label_smoothing);
}

struct AttentionOptions {
  /// If i1, true where a query attends to a key. If float, added to the scores.
  Tensor mask = Tensor();
  bool causal = false;
  /// The default is 1 / sqrt of q's last size.
  std::optional<double> scale = std::nullopt;
};
/// PyTorch's scaled_dot_product_attention. k and v may have fewer heads than q.
inline Tensor attention(Arg q, const Tensor &k, const Tensor &v,
                        const AttentionOptions &options = {}) {
  const char *op = "attention";
  return detail::unary(op, q, tensorc_attention, detail::optional(op, k, q),
                       detail::optional(op, v, q),
                       detail::optional(op, options.mask, q),
                       static_cast<int32_t>(options.causal),
                       options.scale ? &*options.scale : nullptr);
}
inline Tensor scaled_dot_product_attention(Arg q, const Tensor &k,
                                           const Tensor &v,
                                           const Tensor &mask = {},
                                           bool is_causal = false) {
  AttentionOptions options;
  options.mask = mask;
  options.causal = is_causal;
  return attention(std::move(q), k, v, options);
}

enum class Interpolation { nearest, linear };
/// Resizes images [N, C, spatial...] of 1 to 3 spatial dimensions, as PyTorch's
/// modes `nearest` and `linear`, `bilinear` or `trilinear`.
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

/// PyTorch's layer_norm: normalizes over the last axes, whose sizes are
/// `normalized`.
inline Tensor layer_norm(Arg x, const Shape &normalized,
                         const Tensor &scale = {}, const Tensor &bias = {},
                         double epsilon = 1e-5) {
  const tensorc_tensor *handle = x.tensor("layer_norm");
  auto rank = static_cast<size_t>(tensorc_tensor_rank(handle));
  const int64_t *dims = tensorc_tensor_dims(handle);
  bool isLast = normalized.size() <= rank &&
                std::equal(normalized.begin(), normalized.end(),
                           dims + (rank - normalized.size()));
  if (handle && !isLast) {
    std::ostringstream what;
    what << "the last sizes of " << Shape(dims, dims + rank) << " are not "
         << normalized;
    detail::fail("layer_norm", what.str(), x.at());
  }
  return layer_norm_over(std::move(x), static_cast<int64_t>(normalized.size()),
                         scale, bias, epsilon);
}

struct BatchNorm {
  Tensor y, running_mean, running_var;
};
/// Batch normalization in training: normalizes by the mean and variance of the
/// batch, and moves the running mean and variance towards them by `momentum`
/// (the variance with Bessel's correction, as in PyTorch). Channels are along
/// `axis`.
inline BatchNorm
batch_norm_training(const Tensor &x, const Tensor &running_mean,
                    const Tensor &running_var, const Tensor &scale = {},
                    const Tensor &bias = {}, double momentum = 0.1,
                    double epsilon = 1e-5, int64_t axis = 1,
                    Location at = Location::current()) {
  detail::CalledAt called(at);
  auto here = [&](const Tensor &tensor) {
    return Arg(tensor, at.file, at.line);
  };
  int64_t channels = detail::axisOf("batch_norm_training", here(x), axis);
  Axes others;
  int64_t count = 1;
  for (int64_t i = 0; i < x.rank(at); ++i)
    if (i != channels) {
      others.list.push_back(i);
      count *= x.size(i, at);
    }
  if (count < 2)
    detail::fail("batch_norm_training",
                 "needs more than one element per channel", at);
  Tensor average = mean(here(x), others), variance = var(here(x), others);
  double unbiased = static_cast<double>(count) / static_cast<double>(count - 1);
  auto moved = [&](const Tensor &running, const Tensor &to, double factor) {
    return running.mul(1 - momentum).add(to.mul(momentum * factor));
  };
  return {
      batch_norm(here(x), average, variance, scale, bias, epsilon, channels),
      moved(running_mean, average, 1), moved(running_var, variance, unbiased)};
}

} // namespace tensorc

#endif
