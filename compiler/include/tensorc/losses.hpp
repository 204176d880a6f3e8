//===- losses.hpp - losses other than cross_entropy -----------------------===//
//
// Names, formulas and defaults are PyTorch's. The shapes of prediction and
// target must be equal or broadcast; `reduction` gives the reduction over
// elements.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_LOSSES_HPP
#define TENSORC_LOSSES_HPP

#include "tensorc/tensorc.hpp"

#include <cmath>

namespace tensorc {
namespace detail {
inline Tensor reduced(const Tensor &losses, LossReduction reduction) {
  if (reduction == LossReduction::mean)
    return mean(losses);
  return reduction == LossReduction::sum ? sum(losses) : losses;
}
inline void checkPositive(const char *op, const char *what, double value,
                          bool orZero, Location at) {
  if (!(value > 0 || (orZero && value == 0)))
    fail(op, std::string(what) + " is " + std::to_string(value), at);
}
} // namespace detail

/// (x - y)^2.
inline Tensor mse_loss(const Arg &x, const Arg &y,
                       LossReduction reduction = LossReduction::mean) {
  detail::CalledAt called(x.at());
  Tensor distance = sub(x, y);
  return detail::reduced(distance * distance, reduction);
}

/// |x - y|.
inline Tensor l1_loss(const Arg &x, const Arg &y,
                      LossReduction reduction = LossReduction::mean) {
  detail::CalledAt called(x.at());
  return detail::reduced(abs(sub(x, y)), reduction);
}

/// Returns (x - y)^2 / 2 for distances |x - y| up to `delta`, and delta (|x -
/// y| - delta / 2) for larger distances.
inline Tensor huber_loss(const Arg &x, const Arg &y, double delta = 1,
                         LossReduction reduction = LossReduction::mean,
                         Location at = Location::current()) {
  detail::CalledAt called(at);
  detail::checkPositive("huber_loss", "delta", delta, false, at);
  Tensor distance = abs(sub(x, y));
  // The part up to delta is squared, so that neither branch overflows.
  Tensor inner = minimum(distance, delta);
  return detail::reduced(inner * (distance - inner * 0.5), reduction);
}

/// Returns huber_loss with a delta of `beta`, divided by `beta`. For a beta of
/// 0, returns l1_loss.
inline Tensor smooth_l1_loss(const Arg &x, const Arg &y, double beta = 1,
                             LossReduction reduction = LossReduction::mean,
                             Location at = Location::current()) {
  detail::CalledAt called(at);
  detail::checkPositive("smooth_l1_loss", "beta", beta, true, at);
  if (beta == 0)
    return l1_loss(x, y, reduction);
  return huber_loss(x, y, beta, reduction, at) / beta;
}

enum class KlReduction { none, sum, mean, batchmean };

/// Returns the Kullback-Leibler divergence, target (log target - x), where x
/// are log probabilities and `target` are probabilities, or log probabilities
/// if `log_target` is set; 0 where the target is 0. `mean` is over all
/// elements. `batchmean` divides the sum by the first size, which gives the
/// mean divergence of the distributions of a batch.
inline Tensor kl_div(const Arg &x, const Tensor &target,
                     KlReduction reduction = KlReduction::batchmean,
                     bool log_target = false) {
  detail::CalledAt called(x.at());
  Tensor losses;
  if (log_target) {
    losses = exp(target) * sub(target, x);
  } else {
    Tensor safe = select(gt(target, 0), target, ones_like(target));
    losses = select(eq(target, 0), zeros_like(target), target * log(safe)) -
             mul(target, x);
  }
  switch (reduction) {
  case KlReduction::none:
    return losses;
  case KlReduction::sum:
    return sum(losses);
  case KlReduction::mean:
    return mean(losses);
  case KlReduction::batchmean:
    return sum(losses) /
           static_cast<double>(losses.rank() ? losses.size(0) : 1);
  }
  return losses;
}

/// Returns -x[i, label], where x are log probabilities and labels are integers.
/// Classes are axis 1 of x, or axis 0 of a vector. Labels equal to
/// `ignore_index` are ignored.
inline Tensor nll_loss(const Tensor &x, const Tensor &labels,
                       LossReduction reduction = LossReduction::mean,
                       int64_t ignore_index = -100,
                       Location at = Location::current()) {
  detail::CalledAt called(at);
  int64_t axis = x.rank() == 1 ? 0 : 1;
  Tensor counts = ne(labels, ignore_index);
  Tensor known = select(counts, labels, zeros_like(labels));
  Tensor picked = squeeze(
      take_along_axis(x, expand_dims(astype(known, i64), axis), axis), {axis});
  Tensor losses = select(counts, -picked, zeros_like(picked));
  if (reduction != LossReduction::mean)
    return detail::reduced(losses, reduction);
  return sum(losses) / sum(astype(counts, losses.dtype()));
}

/// Returns the cross entropy of logits and class probabilities. Classes are
/// axis 1, or axis 0 of a vector. `weight` has one number per class; the mean
/// is over the examples. `label_smoothing` is the fraction of probability that
/// is spread evenly over the classes.
inline Tensor soft_cross_entropy(const Tensor &logits, const Tensor &target,
                                 LossReduction reduction = LossReduction::mean,
                                 const Tensor &weight = Tensor(),
                                 double label_smoothing = 0,
                                 Location at = Location::current()) {
  detail::CalledAt called(at);
  if (logits.rank() == 0 || target.shape() != logits.shape())
    detail::fail("cross_entropy",
                 "probabilities need one number for each of the logits", at);
  if (!(label_smoothing >= 0 && label_smoothing <= 1))
    detail::fail("cross_entropy", "label smoothing must lie between 0 and 1",
                 at);
  const int64_t axis = logits.rank() == 1 ? 0 : 1;
  const int64_t classes = logits.shape()[static_cast<size_t>(axis)];
  Tensor shares = target;
  if (label_smoothing > 0)
    shares = target * (1 - label_smoothing) +
             label_smoothing / static_cast<double>(classes);
  Tensor each = shares * log_softmax(logits, axis);
  if (weight.defined()) {
    std::vector<int64_t> alongClasses(static_cast<size_t>(logits.rank()), 1);
    alongClasses[static_cast<size_t>(axis)] = classes;
    each = each * reshape(weight, alongClasses);
  }
  return detail::reduced(-sum(each, {axis}), reduction);
}

/// Returns the binary cross entropy of probabilities x and targets from 0 to 1.
/// Logarithms are clamped to at least -100.
inline Tensor
binary_cross_entropy(const Tensor &x, const Tensor &target,
                     LossReduction reduction = LossReduction::mean,
                     Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor yes = maximum(log(x), -100), no = maximum(log1p(-x), -100);
  return detail::reduced(-(target * yes + (1 - target) * no), reduction);
}

/// The same for logits instead of probabilities, without overflow. `pos_weight`
/// weights the targets of 1.
inline Tensor
binary_cross_entropy_with_logits(const Tensor &x, const Tensor &target,
                                 LossReduction reduction = LossReduction::mean,
                                 const Tensor &pos_weight = Tensor(),
                                 Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor no = -logsigmoid(-x), yes = -logsigmoid(x);
  Tensor weighted = pos_weight.defined() ? target * pos_weight : target;
  return detail::reduced(weighted * yes + (1 - target) * no, reduction);
}

/// Returns the cosine of the angle between vectors along an axis. Lengths are
/// clamped to at least `epsilon`.
inline Tensor cosine_similarity(const Tensor &x, const Tensor &y,
                                int64_t axis = 1, double epsilon = 1e-8,
                                Location at = Location::current()) {
  detail::CalledAt called(at);
  // The squared lengths are clamped, so that zero vectors have a gradient.
  auto length = [&](const Tensor &v) {
    return sqrt(maximum(sum(v * v, {axis}), epsilon * epsilon));
  };
  return sum(x * y, {axis}) / (length(x) * length(y));
}

/// Returns 1 - cos(x, y) where the label is 1, and max(0, cos(x, y) - margin)
/// where it is -1.
inline Tensor
cosine_embedding_loss(const Tensor &x, const Tensor &y, const Tensor &labels,
                      double margin = 0,
                      LossReduction reduction = LossReduction::mean,
                      Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor cosine = cosine_similarity(x, y, x.rank() == 1 ? 0 : 1);
  return detail::reduced(
      select(gt(labels, 0), 1 - cosine, maximum(cosine - margin, 0)),
      reduction);
}

/// Returns max(0, |anchor - positive| - |anchor - negative| + margin), where |
/// | is the distance of vectors along the last axis.
inline Tensor triplet_margin_loss(const Tensor &anchor, const Tensor &positive,
                                  const Tensor &negative, double margin = 1,
                                  double epsilon = 1e-6,
                                  LossReduction reduction = LossReduction::mean,
                                  Location at = Location::current()) {
  detail::CalledAt called(at);
  auto distance = [&](const Tensor &x, const Tensor &y) {
    Tensor d = x - y + epsilon;
    return sqrt(sum(d * d, {-1}));
  };
  return detail::reduced(
      maximum(distance(anchor, positive) - distance(anchor, negative) + margin,
              0),
      reduction);
}

} // namespace tensorc

#endif
