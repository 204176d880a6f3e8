//===- precision.hpp - mixed precision: casts and loss scaling ------------===//
//
//   LossScaler scaler;                                  // for f16
//   auto step = jit([&](const P &p, const auto &state, const LossScale &scale,
//                       const Tensor &x, const Tensor &y) {
//     auto [loss, g] = value_and_grad([&](const P &p) {
//       Tensor loss = lossOf(cast(p, f16), astype(x, f16), y);
//       return scaler.scale(loss, scale);
//     })(p);
//     return scaler.update(adam, p, g, state, scale);
//   });
//
// Parameters are f32, and are converted to a narrower dtype for computations.
// The gradient of a conversion converts back, so gradients are f32. bf16 has
// the range of f32 and needs no scale.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_PRECISION_HPP
#define TENSORC_PRECISION_HPP

#include "tensorc/optim.hpp"

namespace tensorc {

/// Converts the floats of a value to another float dtype. Gradients with
/// respect to the value keep their dtypes.
template <typename T>
T cast(T value, DType dtype, Location at = Location::current()) {
  if (!detail::isFloat(dtype))
    detail::fail("cast", "to a dtype that is not a float", at);
  detail::CalledAt called(at);
  for_each_tensor(value, [&](Tensor &x) {
    if (detail::isTrained(x))
      x = astype(x, dtype);
  });
  return value;
}

/// Sets, for a scope, the thread's precision for operands of f32 matrix
/// products: "highest", "tf32" or "bf16"; see tensorc_set_matmul_precision.
/// Throws for other names.
class MatmulPrecision {
public:
  explicit MatmulPrecision(const char *name, Location at = Location::current())
      : former(tensorc_matmul_precision()) {
    detail::check(tensorc_set_matmul_precision(name), at);
  }
  MatmulPrecision(const MatmulPrecision &) = delete;
  ~MatmulPrecision() {
    tensorc_status_free(tensorc_set_matmul_precision(former));
  }

private:
  const char *former;
};

/// The state of a LossScaler.
struct LossScale {
  Tensor scale; // f32
  Tensor good;  // i32: steps since the scale changed
};
TENSORC_STRUCT(LossScale, scale, good)

struct LossScalerOptions {
  /// The initial scale is the largest power of two in f16.
  double initial = 32768, growth = 2, backoff = 0.5;
  /// The scale grows after this many steps with finite gradients; 0 means
  /// never.
  int32_t interval = 2000;
};

/// Scales the loss, so that small gradients do not become 0 in f16. If a
/// gradient is not finite, the step is skipped and the scale shrinks, as in
/// PyTorch's GradScaler.
class LossScaler {
public:
  explicit LossScaler(LossScalerOptions given = {}) : options(given) {}
  /// Returns a scaler with a constant scale. Steps with non-finite gradients
  /// are still skipped.
  static LossScaler fixed(double scale) { return LossScaler({scale, 1, 1, 0}); }

  LossScale init(Location at = Location::current()) const {
    detail::CalledAt called(at);
    return {full({}, options.initial, f32), scalar(int32_t(0))};
  }

  /// Returns the loss times the scale, in f32.
  Tensor scale(const Tensor &loss, const LossScale &state,
               Location at = Location::current()) const {
    detail::CalledAt called(at);
    return astype(loss, f32) * state.scale;
  }

  /// Converts gradients of the scaled loss to gradients of the loss.
  template <typename G>
  G unscale(G gradients, const LossScale &state,
            Location at = Location::current()) const {
    detail::CalledAt called(at);
    for_each_tensor(gradients, [&](Tensor &g) {
      if (detail::isTrained(g))
        g = astype(astype(g, f32) / state.scale, g.dtype());
    });
    return gradients;
  }

  /// Returns one i1, which is true if all gradients are finite.
  template <typename G>
  static Tensor all_finite(const G &gradients,
                           Location at = Location::current()) {
    detail::CalledAt called(at);
    Tensor holds = scalar(true);
    for_each_tensor(gradients, [&](const Tensor &g) {
      if (detail::isTrained(g))
        holds = holds & all(is_finite(g));
    });
    return holds;
  }

  /// Performs an optimizer step with gradients of the scaled loss. Returns the
  /// new parameters, optimizer state and scale; parameters and state are
  /// unchanged if a gradient is not finite.
  template <typename Optimizer, typename P, typename S>
  std::tuple<P, S, LossScale> update(const Optimizer &optimizer,
                                     const P &parameters, const P &gradients,
                                     const S &state, const LossScale &scaling,
                                     Location at = Location::current()) const {
    detail::CalledAt called(at);
    Tensor isGood = all_finite(gradients);
    auto [next, nextState] =
        optimizer.update(parameters, unscale(gradients, scaling), state, at);
    return {choose(isGood, std::move(next), parameters),
            choose(isGood, std::move(nextState), state),
            after(isGood, scaling)};
  }

  /// Returns the scale for the next step.
  LossScale after(const Tensor &isGood, const LossScale &state,
                  Location at = Location::current()) const {
    detail::CalledAt called(at);
    Tensor good = select(isGood, state.good + 1, 0), scale = state.scale;
    if (options.interval > 0) {
      Tensor grows = ge(good, options.interval);
      scale = select(isGood, select(grows, scale * options.growth, scale),
                     scale * options.backoff);
      good = select(grows, 0, good);
    }
    return {scale, good};
  }

  /// Selects the new value if the gradients were finite, else the old value.
  template <typename T>
  static T choose(const Tensor &isGood, T made, const T &before,
                  Location at = Location::current()) {
    detail::CalledAt called(at);
    std::vector<Tensor> old;
    for_each_tensor(before, [&](const Tensor &x) { old.push_back(x); });
    auto next = old.begin();
    for_each_tensor(made, [&](Tensor &x) {
      const Tensor &was = *next++;
      if (x.defined() && was.defined())
        x = select(isGood, x, was);
    });
    return made;
  }

private:
  LossScalerOptions options;
};

} // namespace tensorc

#endif
