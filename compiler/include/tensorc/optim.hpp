//===- optim.hpp - optimizers, schedules, clipping ------------------------===//
//
//   tensorc::AdamW adam(tensorc::cosine_schedule(1e-3, 1000, 50));
//   auto step = tensorc::jit([&](const Model &model, const auto &state,
//                                const Tensor &x, const Tensor &y) {
//     auto [loss, gradient] = tensorc::value_and_grad(of)(model, x, y);
//     auto [next, nextState] = adam.update(model, gradient, state);
//     return std::tuple(next, nextState, loss);
//   });
//   auto state = adam.init(model);
//
// An optimizer is a value without state: update() takes parameters, their
// gradients and a state, and returns new ones. Parameters are any value that
// tensorc/structure.hpp can traverse; only tensors of floats are changed.
// Formulas and defaults are PyTorch's.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_OPTIM_HPP
#define TENSORC_OPTIM_HPP

#include "tensorc/grad.hpp"
#include "tensorc/losses.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <sstream>
#include <tuple>

namespace tensorc {
namespace detail {

template <typename T> std::vector<Tensor *> tensorsOf(T &value) {
  std::vector<Tensor *> tensors;
  for_each_tensor(value, [&](Tensor &x) { tensors.push_back(&x); });
  return tensors;
}
inline bool isTrained(const Tensor &x) {
  return x.defined() && isFloat(x.dtype());
}
/// Replaces trained tensors by zeros, and others by undefined tensors.
template <typename T> T zerosFor(T value) {
  for_each_tensor(
      value, [](Tensor &x) { x = isTrained(x) ? zeros_like(x) : Tensor(); });
  return value;
}
/// Returns a step count of 0 on the device of the first trained tensor.
template <typename T> Tensor noSteps(const T &parameters) {
  Tensor count;
  for_each_tensor(parameters, [&](const Tensor &p) {
    if (!count.defined() && isTrained(p))
      count = full({}, int32_t(0), TensorOptions{i32, p.device()});
  });
  return count.defined() ? count : scalar(int32_t(0));
}
/// Returns the gradient in the parameter's dtype. Throws if its shape differs.
inline Tensor gradientOf(const char *op, const Tensor &parameter,
                         const Tensor &gradient, Location at) {
  if (gradient.shape() != parameter.shape()) {
    std::ostringstream text;
    text << "a gradient has the shape " << gradient.shape()
         << ", its parameter " << parameter.shape();
    fail(op, text.str(), at);
  }
  return astype(gradient, parameter.dtype());
}
/// Throws if the gradients or the state have another number of tensors than the
/// parameters.
template <typename Lists>
void checkLists(const char *op, const Lists &lists, Location at) {
  for (const auto &list : lists)
    if (list.size() != lists[0].size())
      fail(op,
           "there are " + std::to_string(lists[0].size()) +
               " parameters, and a gradient or state of " +
               std::to_string(list.size()),
           at);
}

template <typename Call, size_t... I>
void callWithIndices(Call call, std::index_sequence<I...>) {
  call(std::integral_constant<size_t, I>()...);
}
/// Performs one step of an optimizer. Calls each(parameter, gradient, parts...)
/// for every trained parameter with a gradient. The parts are the tensors for
/// this parameter in the members of the state after `step`; `each` assigns to
/// them and to the parameter.
template <typename P, typename State, typename Each>
std::pair<P, State> updateEach(const char *op, P parameters, P gradients,
                               State state, Location at, Each each) {
  std::apply(
      [&](Tensor &step, auto &...parts) {
        std::array lists{tensorsOf(parameters), tensorsOf(gradients),
                         tensorsOf(parts)...};
        checkLists(op, lists, at);
        for (size_t i = 0; i < lists[0].size(); ++i) {
          auto call = [&](auto... part) {
            each(*lists[0][i], gradientOf(op, *lists[0][i], *lists[1][i], at),
                 *lists[2 + part][i]...);
          };
          if (isTrained(*lists[0][i]) && lists[1][i]->defined())
            callWithIndices(call,
                            std::index_sequence_for<decltype(parts)...>());
        }
        step = step + 1;
      },
      tensorc_members(state));
  return {std::move(parameters), std::move(state)};
}

} // namespace detail

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// A number that is constant, or a function of the number of steps so far (an
/// f32 that starts at 0).
class Schedule {
public:
  Schedule(double value) : number(value) {}
  Schedule(std::function<Tensor(const Tensor &step)> of)
      : function(std::move(of)) {}

  /// Multiplies x by the number. The result has x's dtype.
  Tensor times(const Tensor &x, const Tensor &step,
               Location at = Location::current()) const {
    detail::CalledAt called(at);
    if (!function)
      return x * number;
    return x * astype(function(astype(step, f32)), x.dtype());
  }
  Tensor at(const Tensor &step, Location place = Location::current()) const {
    detail::CalledAt called(place);
    Tensor count = astype(step, f32);
    return function ? astype(function(count), f32) : full_like(count, number);
  }

private:
  double number = 0;
  std::function<Tensor(const Tensor &)> function;
};

/// Returns a schedule: `value` multiplied by `factor` once every `steps` steps.
inline Schedule step_schedule(double value, int64_t steps, double factor) {
  return Schedule([=](const Tensor &step) {
    return value *
           exp(floor(step / static_cast<double>(steps)) * std::log(factor));
  });
}
/// Returns a schedule: `value` times factor^step.
inline Schedule exponential_schedule(double value, double factor) {
  return Schedule(
      [=](const Tensor &step) { return value * exp(step * std::log(factor)); });
}
/// Returns a schedule that changes linearly from `begin` to `end` in `steps`
/// steps, and then stays at `end`.
inline Schedule linear_schedule(double begin, double end, int64_t steps) {
  return Schedule([=](const Tensor &step) {
    return begin +
           (end - begin) * minimum(step / static_cast<double>(steps), 1);
  });
}
/// Returns a schedule that rises linearly from 0 to `peak` in `warmup` steps,
/// and then follows a cosine to `end` at step `steps`.
inline Schedule cosine_schedule(double peak, int64_t steps, int64_t warmup = 0,
                                double end = 0) {
  return Schedule([=](const Tensor &step) {
    auto begin = static_cast<double>(warmup);
    auto rest = static_cast<double>(std::max<int64_t>(1, steps - warmup));
    Tensor part = clip((step - begin) / rest, 0, 1);
    Tensor value = end + (peak - end) * 0.5 * (1 + cos(part * M_PI));
    if (warmup == 0)
      return value;
    return select(lt(step, begin), peak * (step + 1) / begin, value);
  });
}

//===----------------------------------------------------------------------===//
// Clipping
//===----------------------------------------------------------------------===//

/// Returns the norm of all tensors as one vector, in f32; 0 without tensors.
template <typename T>
Tensor global_norm(const T &gradients, Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor total;
  for_each_tensor(gradients, [&](const Tensor &g) {
    if (!detail::isTrained(g))
      return;
    Tensor wide = astype(g, f32);
    Tensor own = sum(wide * wide);
    total = total.defined() ? total + own : own;
  });
  return total.defined() ? sqrt(total) : scalar(0.0f);
}

/// Multiplies all gradients by the same factor, so that their global norm is at
/// most `most`.
template <typename T>
T clip_by_norm(T gradients, double most, Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor factor = minimum(most / (global_norm(gradients) + 1e-6), 1);
  for_each_tensor(gradients, [&](Tensor &g) {
    if (detail::isTrained(g))
      g = g * astype(factor, g.dtype());
  });
  return gradients;
}

/// Clamps each element to [-most, most].
template <typename T>
T clip_by_value(T gradients, double most, Location at = Location::current()) {
  detail::CalledAt called(at);
  for_each_tensor(gradients, [&](Tensor &g) {
    if (detail::isTrained(g))
      g = clip(g, -most, most);
  });
  return gradients;
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

/// Of Sgd.
template <typename P> struct SgdState {
  Tensor step; // i32
  P velocity;  // empty tensors without momentum
  friend const char *tensorc_member_names(const SgdState &) {
    return "step, velocity";
  }
  friend auto tensorc_members(SgdState &s) {
    return std::tie(s.step, s.velocity);
  }
  friend auto tensorc_members(const SgdState &s) {
    return std::tie(s.step, s.velocity);
  }
};

struct SgdOptions {
  double momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;
};

/// Gradient descent with optional momentum.
class Sgd {
public:
  explicit Sgd(Schedule schedule, SgdOptions given = {})
      : rate(std::move(schedule)), options(given) {}

  template <typename P>
  SgdState<P> init(const P &parameters,
                   Location at = Location::current()) const {
    detail::CalledAt called(at);
    P velocity = detail::zerosFor(parameters);
    if (options.momentum == 0)
      for_each_tensor(velocity, [](Tensor &v) { v = Tensor(); });
    return {detail::noSteps(parameters), std::move(velocity)};
  }

  template <typename P>
  std::pair<P, SgdState<P>> update(P parameters, P gradients, SgdState<P> state,
                                   Location at = Location::current()) const {
    detail::CalledAt called(at);
    Tensor step = state.step;
    return detail::updateEach(
        "sgd", std::move(parameters), std::move(gradients), std::move(state),
        at, [&](Tensor &p, Tensor g, Tensor &v) {
          if (options.weight_decay != 0)
            g = g + p * options.weight_decay;
          if (options.momentum != 0) {
            // As in PyTorch, the first velocity is the gradient without
            // dampening.
            Tensor taken =
                options.dampening == 0
                    ? g
                    : select(eq(step, 0), g, g * (1 - options.dampening));
            v = v * options.momentum + taken;
            g = options.nesterov ? g + v * options.momentum : v;
          }
          p = p - rate.times(g, step);
        });
  }

private:
  Schedule rate;
  SgdOptions options;
};

/// State of Adam and AdamW.
template <typename P> struct AdamState {
  Tensor step; // i32
  P first, second;
  friend const char *tensorc_member_names(const AdamState &) {
    return "step, first, second";
  }
  friend auto tensorc_members(AdamState &s) {
    return std::tie(s.step, s.first, s.second);
  }
  friend auto tensorc_members(const AdamState &s) {
    return std::tie(s.step, s.first, s.second);
  }
};

struct AdamOptions {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weight_decay = 0;
};

/// Adam. Its weight decay is added to the gradient.
class Adam {
public:
  explicit Adam(Schedule schedule = 1e-3, AdamOptions given = {})
      : Adam(std::move(schedule), given, false) {}

  template <typename P>
  AdamState<P> init(const P &parameters,
                    Location at = Location::current()) const {
    detail::CalledAt called(at);
    return {detail::noSteps(parameters), detail::zerosFor(parameters),
            detail::zerosFor(parameters)};
  }

  template <typename P>
  std::pair<P, AdamState<P>> update(P parameters, P gradients,
                                    AdamState<P> state,
                                    Location at = Location::current()) const {
    detail::CalledAt called(at);
    Tensor step = state.step, count = astype(step + 1, f32);
    // 1 - beta^t without cancellation.
    Tensor first = -expm1(count * std::log(options.beta1)),
           second = -expm1(count * std::log(options.beta2));
    return detail::updateEach(
        "adam", std::move(parameters), std::move(gradients), std::move(state),
        at, [&](Tensor &p, Tensor g, Tensor &m, Tensor &v) {
          if (options.weight_decay != 0 && !decoupled)
            g = g + p * options.weight_decay;
          m = m * options.beta1 + g * (1 - options.beta1);
          v = v * options.beta2 + g * g * (1 - options.beta2);
          Tensor root = sqrt(v / astype(second, v.dtype())) + options.epsilon;
          Tensor move = m / astype(first, m.dtype()) / root;
          if (options.weight_decay != 0 && decoupled)
            move = move + p * options.weight_decay;
          p = p - rate.times(move, step);
        });
  }

protected:
  Adam(Schedule schedule, AdamOptions given, bool isDecoupled)
      : rate(std::move(schedule)), options(given), decoupled(isDecoupled) {}

private:
  Schedule rate;
  AdamOptions options;
  bool decoupled;
};

/// Adam with decoupled weight decay (0.01 by default), which shrinks the
/// parameters directly.
class AdamW : public Adam {
public:
  explicit AdamW(Schedule schedule = 1e-3,
                 AdamOptions given = {0.9, 0.999, 1e-8, 0.01})
      : Adam(std::move(schedule), given, true) {}
};

/// Of Lion.
template <typename P> using LionState = SgdState<P>;

struct LionOptions {
  double beta1 = 0.9, beta2 = 0.99, weight_decay = 0;
};

/// Steps by the sign of a running mean of gradients. Its state is half as large
/// as Adam's.
class Lion {
public:
  explicit Lion(Schedule schedule = 1e-4, LionOptions given = {})
      : rate(std::move(schedule)), options(given) {}

  template <typename P>
  LionState<P> init(const P &parameters,
                    Location at = Location::current()) const {
    detail::CalledAt called(at);
    return {detail::noSteps(parameters), detail::zerosFor(parameters)};
  }

  template <typename P>
  std::pair<P, LionState<P>> update(P parameters, P gradients,
                                    LionState<P> state,
                                    Location at = Location::current()) const {
    detail::CalledAt called(at);
    Tensor step = state.step;
    return detail::updateEach(
        "lion", std::move(parameters), std::move(gradients), std::move(state),
        at, [&](Tensor &p, const Tensor &g, Tensor &m) {
          Tensor move = sign(m * options.beta1 + g * (1 - options.beta1));
          m = m * options.beta2 + g * (1 - options.beta2);
          if (options.weight_decay != 0)
            move = move + p * options.weight_decay;
          p = p - rate.times(move, step);
        });
  }

private:
  Schedule rate;
  LionOptions options;
};

/// State of Adafactor. For a matrix: the running means of squared gradients,
/// averaged per row and per column. For tensors of lower rank `rows` holds the
/// running means of all squares, and `columns` is undefined.
template <typename P> struct AdafactorState {
  Tensor step; // i32
  P rows, columns;
  friend const char *tensorc_member_names(const AdafactorState &) {
    return "step, rows, columns";
  }
  friend auto tensorc_members(AdafactorState &s) {
    return std::tie(s.step, s.rows, s.columns);
  }
  friend auto tensorc_members(const AdafactorState &s) {
    return std::tie(s.step, s.rows, s.columns);
  }
};

struct AdafactorOptions {
  /// Step t moves the running means by a fraction t^decay.
  double decay = -0.8;
  /// Minimum of the running means; 0 stands for the squared machine epsilon of
  /// the parameter's dtype.
  double epsilon = 0;
  /// Minimum of a parameter's root mean square. Steps are relative to this
  /// value.
  double scale = 1e-3;
  /// Maximum root mean square of a step.
  double clip = 1, weight_decay = 0;
};

/// Adafactor (Shazeer and Stern 2018): like Adam, but a matrix has a state of
/// only one row and one column. `rate` bounds a step relative to the
/// parameter's root mean square.
class Adafactor {
public:
  explicit Adafactor(Schedule schedule = 1e-2, AdafactorOptions given = {})
      : rate(std::move(schedule)), options(given) {}

  template <typename P>
  AdafactorState<P> init(const P &parameters,
                         Location at = Location::current()) const {
    detail::CalledAt called(at);
    P rows = detail::zerosFor(parameters), columns = rows;
    for_each_tensor(rows, [](Tensor &x) {
      if (x.defined() && x.rank() > 1)
        x = zeros_like(sum(x, {-1}, true));
    });
    for_each_tensor(columns, [](Tensor &x) {
      if (x.defined())
        x = x.rank() > 1 ? zeros_like(sum(x, {-2}, true)) : Tensor();
    });
    return {detail::noSteps(parameters), std::move(rows), std::move(columns)};
  }

  template <typename P>
  std::pair<P, AdafactorState<P>>
  update(P parameters, P gradients, AdafactorState<P> state,
         Location at = Location::current()) const {
    detail::CalledAt called(at);
    Tensor step = state.step, count = astype(step + 1, f32);
    Tensor fresh = exp(log(count) * options.decay);
    Tensor most = minimum(rate.at(step), rsqrt(count));
    return detail::updateEach(
        "adafactor", std::move(parameters), std::move(gradients),
        std::move(state), at,
        [&](Tensor &p, const Tensor &g, Tensor &rows, Tensor &columns) {
          Tensor wide = astype(p, f32);
          Tensor move = scaled(astype(g, f32), fresh, rows, columns,
                               epsilonOf(p.dtype()));
          move = move / maximum(rootMeanSquare(move) / options.clip, 1);
          Tensor length = maximum(rootMeanSquare(wide), options.scale) * most;
          if (options.weight_decay != 0)
            wide = wide - rate.times(wide * options.weight_decay, step);
          p = astype(wide - length * move, p.dtype());
        });
  }

private:
  static Tensor rootMeanSquare(const Tensor &x) { return sqrt(mean(x * x)); }
  double epsilonOf(DType dtype) const {
    if (options.epsilon != 0)
      return options.epsilon;
    double epsilon = dtype == DType::bf16  ? 0x1p-7
                     : dtype == DType::f16 ? 0x1p-10
                     : dtype == DType::f64 ? 0x1p-52
                                           : 0x1p-23;
    return epsilon * epsilon;
  }
  /// Updates the running means and returns the gradient divided by their root.
  static Tensor scaled(const Tensor &g, const Tensor &fresh, Tensor &rows,
                       Tensor &columns, double epsilon) {
    auto follow = [&](Tensor &mean, const Tensor &now) {
      Tensor before = astype(mean, f32);
      Tensor next = before + (now - before) * fresh;
      mean = astype(next, mean.dtype());
      return next;
    };
    Tensor squares = g * g;
    if (g.rank() < 2)
      return g * rsqrt(maximum(follow(rows, squares), epsilon));
    Tensor row = follow(rows, mean(squares, {-1}, true)),
           column = follow(columns, mean(squares, {-2}, true));
    Tensor all = maximum(mean(row, {-2}, true), std::sqrt(epsilon));
    return g * rsqrt(maximum(row * column / all, epsilon));
  }

  Schedule rate;
  AdafactorOptions options;
};

} // namespace tensorc

#endif
