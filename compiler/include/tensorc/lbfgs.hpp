//===- lbfgs.hpp - minima of smooth functions, by L-BFGS ------------------===//
//
//   auto fit = tensorc::lbfgs([&](const Params &p) {
//     return tensorc::mse_loss(curve(p, x), y);
//   }, guess);
//   fit.parameters, fit.loss
//
// For functions without noise, as in curve fitting and inverse problems. The
// algorithm is 7.5 of Nocedal and Wright, Numerical Optimization; bisection
// finds steps that satisfy the weak Wolfe conditions (Lewis and Overton 2013).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_LBFGS_HPP
#define TENSORC_LBFGS_HPP

#include "tensorc/optim.hpp"

#include <deque>

namespace tensorc {

struct LbfgsOptions {
  /// Number of previous steps from which the curvature is estimated.
  int history = 10;
  int most_iterations = 200;
  /// The search ends if no element of the gradient has a larger magnitude.
  double gradient = 1e-5;
  /// The search ends if a step lowers the loss by a smaller fraction of the
  /// loss, or only by rounding errors.
  double change = 1e-9;
};

template <typename P> struct LbfgsResult {
  P parameters;
  double loss = 0;
  int iterations = 0, evaluations = 0;
  /// True if the search ended because of `gradient` or `change`; false if no
  /// step was found, or after `most_iterations`.
  bool converged = false;
};

namespace detail {

/// Converts structures of floats to one vector, and back.
template <typename P> class Packing {
public:
  explicit Packing(const P &example) : like(example) {}
  Tensor pack(const P &value) const {
    std::vector<Tensor> parts;
    for_each_tensor(value, [&](const Tensor &x) {
      if (isTrained(x))
        parts.push_back(reshape(x, {-1}));
    });
    return concatenate(parts);
  }
  P unpack(const Tensor &vector) const {
    P value = like;
    int64_t begin = 0;
    for_each_tensor(value, [&](Tensor &x) {
      if (!isTrained(x))
        return;
      Shape shape = x.shape();
      int64_t end = begin + x.numel();
      x = astype(reshape(slice(vector, {{begin, end}}), shape), x.dtype());
      begin = end;
    });
    return value;
  }

private:
  P like;
};

inline double dot(const Tensor &a, const Tensor &b) {
  return sum(astype(a, f64) * astype(b, f64)).item<double>();
}

/// An approximation of the inverse Hessian, made from the last steps.
class Curvature {
public:
  explicit Curvature(int count) : most(static_cast<size_t>(count)) {}
  /// Adds a step and the change of the gradient along it.
  void add(Tensor step, Tensor change) {
    double along = dot(step, change);
    if (!(along > 1e-12 * dot(change, change)))
      return;
    pairs.push_back({std::move(step), std::move(change), along});
    if (pairs.size() > most)
      pairs.pop_front();
  }
  void clear() { pairs.clear(); }
  bool empty() const { return pairs.empty(); }
  /// Returns a descent direction.
  Tensor direction(const Tensor &gradient) const {
    Tensor q = gradient;
    std::vector<double> parts(pairs.size());
    for (size_t i = pairs.size(); i-- > 0;) {
      parts[i] = dot(pairs[i].step, q) / pairs[i].along;
      q = q - pairs[i].change * parts[i];
    }
    if (!pairs.empty())
      q = q *
          (pairs.back().along / dot(pairs.back().change, pairs.back().change));
    for (size_t i = 0; i < pairs.size(); ++i)
      q = q +
          pairs[i].step * (parts[i] - dot(pairs[i].change, q) / pairs[i].along);
    return -q;
  }

private:
  struct Pair {
    Tensor step, change;
    double along;
  };
  size_t most;
  std::deque<Pair> pairs;
};

/// A point of the search.
struct LbfgsPoint {
  Tensor x, gradient;
  double loss = 0;
};

/// Searches the line for a point that meets the Wolfe conditions: the loss is
/// lower by a fraction of the linear prediction, and the slope is less steep.
/// `evaluate` computes loss and gradient at a point. Returns false if no point
/// is found.
template <typename Evaluate>
bool searchLine(const LbfgsPoint &from, const Tensor &direction, double step,
                Evaluate evaluate, LbfgsPoint &found) {
  constexpr double decrease = 1e-4, flatter = 0.9;
  constexpr int maxTrials = 40;
  double slope = dot(from.gradient, direction), low = 0,
         high = std::numeric_limits<double>::infinity();
  if (!(slope < 0))
    return false;
  for (int trial = 0; trial < maxTrials; ++trial) {
    found = evaluate(from.x + direction * step);
    // The condition is also true if the loss is NaN.
    if (!(found.loss <= from.loss + decrease * step * slope))
      high = step;
    else if (dot(found.gradient, direction) < flatter * slope)
      low = step;
    else
      return true;
    step = std::isinf(high) ? 2 * step : (low + high) / 2;
  }
  // If rounding hides the slope, a lower loss is sufficient, provided that an
  // upper bound was found.
  return !std::isinf(high) && found.loss < from.loss;
}

} // namespace detail

/// Finds a minimum of f near `start`. f returns one float. `start` is any value
/// that tensorc/structure.hpp can traverse; its floats are the variables. f is
/// differentiated and compiled once. Errors are those of grad().
template <typename F, typename P>
LbfgsResult<P> lbfgs(F f, const P &start, LbfgsOptions options = {},
                     Location at = Location::current()) {
  detail::CalledAt called(at);
  if (options.history < 1)
    detail::fail("lbfgs",
                 "a history of " + std::to_string(options.history) +
                     " steps: at least one",
                 at);
  detail::Packing<P> packing(start);
  auto pulled = Jit(
      [&](const Tensor &x) {
        auto [loss, gradient] = value_and_grad(f, at)(packing.unpack(x));
        return std::pair(loss, packing.pack(gradient));
      },
      at);
  LbfgsResult<P> result;
  auto evaluate = [&](const Tensor &x) {
    ++result.evaluations;
    auto [loss, gradient] = pulled(x);
    return detail::LbfgsPoint{x, gradient, loss.template item<double>()};
  };
  Tensor first = packing.pack(start);
  detail::LbfgsPoint here = evaluate(first), next;
  detail::Curvature curvature(options.history);
  double change =
      std::max(options.change, first.dtype() == DType::f64 ? 0x1p-52 : 0x1p-23);
  auto isFlat = [&](const detail::LbfgsPoint &point) {
    return max(abs(point.gradient)).template item<double>() <= options.gradient;
  };
  result.converged = isFlat(here);
  while (!result.converged && result.iterations < options.most_iterations) {
    Tensor direction = curvature.direction(here.gradient);
    // The first step has at most length 1, because the scale is unknown.
    double length = std::sqrt(detail::dot(direction, direction));
    double step = curvature.empty() ? std::min(1.0, 1 / length) : 1;
    if (!detail::searchLine(here, direction, step, evaluate, next)) {
      if (curvature.empty()) {
        // The search has also converged if the predicted decrease is below the
        // rounding error of the loss.
        result.converged =
            step * length * length <= 4 * change * std::abs(here.loss);
        break;
      }
      curvature.clear();
      continue;
    }
    ++result.iterations;
    curvature.add(next.x - here.x, next.gradient - here.gradient);
    double lower = here.loss - next.loss;
    here = next;
    result.converged = isFlat(here) || lower <= change * std::abs(here.loss);
  }
  result.loss = here.loss;
  result.parameters = packing.unpack(here.x);
  eval(result.parameters);
  return result;
}

} // namespace tensorc

#endif
