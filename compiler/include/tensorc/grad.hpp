//===- grad.hpp - gradients of C++ functions ------------------------------===//
//
//   auto loss = [&](const Params &p, const Tensor &x, const Tensor &y) {
//     return mean(square(matmul(x, p.w) + p.b - y));
//   };
//   auto step = tensorc::value_and_grad(loss);
//   auto [value, gradient] = step(params, x, y);   // gradient is a Params
//
// Arguments and results are tensors or values that contain tensors
// (tensorc/structure.hpp). Gradients are expressions: these functions nest, and
// can be used in functions for jit() and compile(). docs/gradients.md describes
// what is differentiated, and how.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_GRAD_HPP
#define TENSORC_GRAD_HPP

#include "tensorc/grad.h"
#include "tensorc/tensorc.hpp"

namespace tensorc {

/// Positions of arguments: grad(f, argnums<0, 2>).
template <size_t... I> struct Argnums {};
template <size_t... I> inline constexpr Argnums<I...> argnums{};

namespace detail {

inline bool isFloat(DType dtype) {
  return dtype == DType::f16 || dtype == DType::bf16 || dtype == DType::f32 ||
         dtype == DType::f64;
}

/// True for dtypes with derivatives: floats and complex numbers.
inline bool hasDerivatives(DType dtype) {
  return isFloat(dtype) || is_complex(dtype);
}

inline Tensor traceArgument(const Tensor &like, Location at) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_trace_argument_like(like.raw(), at, &out);
  return detail::take(status, out);
}

inline std::vector<tensorc_tensor *> rawOf(const std::vector<Tensor> &tensors) {
  std::vector<tensorc_tensor *> raw;
  for (const Tensor &x : tensors)
    raw.push_back(x.raw());
  return raw;
}

/// A recorded function, its arguments in the trace and their values.
struct Recorded {
  std::vector<Tensor> arguments, values, results;
  std::vector<int32_t> wanted;

  /// Replaces a value's tensors by arguments of a trace. In a struct, only
  /// tensors of floats have gradients.
  template <typename T> void add(T &value, Location at) {
    for_each_tensor(value, [&](Tensor &x) {
      if (!x.defined())
        return;
      wanted.push_back(std::is_base_of_v<Tensor, T> ||
                       hasDerivatives(x.dtype()));
      values.push_back(x);
      x = traceArgument(x, at);
      arguments.push_back(x);
    });
  }

  struct Pulled {
    std::vector<Tensor> results, gradients;
  };
  /// `cotangents` has one tensor per result, or is empty if the result is one
  /// element. Error messages start with `called`.
  Pulled pull(const std::vector<int32_t> &of,
              const std::vector<Tensor> &cotangents, bool isScalar, Location at,
              const char *called = "grad") const {
    std::vector<tensorc_tensor *> out(results.size()), made(arguments.size());
    auto seeds = rawOf(cotangents);
    checkAs(tensorc_pullback(
                rawOf(arguments).data(), rawOf(values).data(), of.data(),
                static_cast<int32_t>(of.size()), rawOf(results).data(),
                isScalar ? nullptr : seeds.data(),
                static_cast<int32_t>(out.size()), at, out.data(), made.data()),
            called);
    Pulled pulled;
    for (tensorc_tensor *x : out)
      pulled.results.push_back(Tensor::take(x));
    for (tensorc_tensor *x : made)
      pulled.gradients.push_back(x ? Tensor::take(x) : Tensor(at));
    return pulled;
  }
};

/// Returns the value with its tensors replaced, in order. The number of tensors
/// must match.
template <typename T>
T withTensors(T value, std::vector<Tensor>::const_iterator &next) {
  for_each_tensor(value, [&](Tensor &x) {
    if (x.defined())
      x = *next++;
  });
  return value;
}

/// Returns the only element of a tuple, or the tuple if it has several.
template <typename... Ts> auto only(std::tuple<Ts...> values) {
  if constexpr (sizeof...(Ts) == 1)
    return std::get<0>(std::move(values));
  else
    return values;
}

template <typename T> struct First {
  using Type = T;
};
template <typename A, typename B> struct First<std::pair<A, B>> {
  using Type = A;
};
template <typename A, typename... Rest> struct First<std::tuple<A, Rest...>> {
  using Type = A;
};

/// The function that value_and_grad() returns.
template <typename F, size_t... I> class ValueAndGrad {
public:
  ValueAndGrad(F f, Location at) : function(std::move(f)), place(at) {}

  template <typename... Args> auto operator()(const Args &...arguments) const {
    static_assert(((I < sizeof...(Args)) && ...),
                  "the function has no such argument");
    using Result = Owned<std::invoke_result_t<const F &, const Args &...>>;
    static_assert(std::is_base_of_v<Tensor, typename First<Result>::Type>,
                  "the function returns its loss, or a pair or tuple that "
                  "begins with it");
    std::tuple<Args...> inputs(arguments...);
    Recorded recorded;
    (recorded.add(std::get<I>(inputs), place), ...);
    Result result = record(inputs);
    for_each_tensor(result, [&](Tensor &x) {
      if (x.defined())
        recorded.results.push_back(x);
    });
    if (!recorded.results.empty() &&
        !static_cast<const Tensor &>(first(result)).defined())
      fail("grad", "the function's loss is an undefined tensor", place);
    Recorded::Pulled pulled =
        recorded.pull(recorded.wanted, {}, /*isScalar=*/true, place);
    auto nextResult = pulled.results.cbegin();
    auto nextGradient = pulled.gradients.cbegin();
    result = withTensors(std::move(result), nextResult);
    // A braced list is evaluated in order.
    std::tuple<Owned<std::tuple_element_t<I, std::tuple<Args...>>>...>
        gradients{
            withTensors(Owned<std::tuple_element_t<I, std::tuple<Args...>>>(
                            std::get<I>(inputs)),
                        nextGradient)...};
    return std::pair(std::move(result), only(std::move(gradients)));
  }

private:
  template <typename Inputs> auto record(const Inputs &inputs) const {
    TracingScope scope("grad");
    CalledAt called(place);
    return std::apply(
        [&](const auto &...parts) {
          return Owned<decltype(function(parts...))>(function(parts...));
        },
        inputs);
  }
  template <typename T> static const auto &first(const T &result) {
    if constexpr (std::is_base_of_v<Tensor, T>)
      return result;
    else
      return std::get<0>(result);
  }

  F function;
  Location place;
};

/// Returns only the gradient of value_and_grad().
template <typename F> struct GradientOnly {
  F both;
  template <typename... Args> auto operator()(const Args &...arguments) const {
    return both(arguments...).second;
  }
};

} // namespace detail

/// Returns a function of the same arguments that returns a pair: the value of
/// f, and its gradient with respect to the first argument. The gradient has the
/// argument's type; in a struct, the gradients of tensors that are not floats
/// are undefined. f returns one float, or a pair or tuple that begins with one,
/// whose other elements are returned unchanged.
template <typename F>
auto value_and_grad(F f, Location at = Location::current()) {
  return Jit(detail::ValueAndGrad<F, 0>(std::move(f), at), at);
}
/// Like the function above, but with respect to the arguments I. Several
/// gradients form a tuple.
template <typename F, size_t... I>
auto value_and_grad(F f, Argnums<I...>, Location at = Location::current()) {
  static_assert(sizeof...(I) > 0, "name an argument");
  return Jit(detail::ValueAndGrad<F, I...>(std::move(f), at), at);
}
/// The same as value_and_grad(), but returns only the gradient.
template <typename F> auto grad(F f, Location at = Location::current()) {
  using Both = detail::ValueAndGrad<F, 0>;
  return Jit(detail::GradientOnly<Both>{Both(std::move(f), at)}, at);
}
template <typename F, size_t... I>
auto grad(F f, Argnums<I...>, Location at = Location::current()) {
  static_assert(sizeof...(I) > 0, "name an argument");
  using Both = detail::ValueAndGrad<F, I...>;
  return Jit(detail::GradientOnly<Both>{Both(std::move(f), at)}, at);
}

/// Returns x. Gradients treat it as a constant.
inline Tensor stop_gradient(const Located &x) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_stop_gradient(
      x.tensor.operand("stop_gradient", x.at), x.at, &out);
  return detail::take(status, out);
}

/// The result of vjp(): maps a cotangent of f's result (a value of the result's
/// type) to the cotangent of the argument, or to a tuple for several arguments.
/// May be called any number of times.
template <typename Result, typename... Args> class Pullback {
public:
  Pullback(detail::Recorded function, std::tuple<Args...> arguments)
      : recorded(std::move(function)), inputs(std::move(arguments)) {}

  auto operator()(const Result &cotangent,
                  Location at = Location::current()) const {
    std::vector<Tensor> seeds;
    for_each_tensor(cotangent, [&](const Tensor &x) { seeds.push_back(x); });
    if (seeds.size() != recorded.results.size())
      detail::fail("vjp",
                   "the cotangent has " + std::to_string(seeds.size()) +
                       " tensors, the result " +
                       std::to_string(recorded.results.size()),
                   at);
    auto pulled = recorded.pull(recorded.wanted, seeds, false, at, "vjp");
    auto next = pulled.gradients.cbegin();
    return std::apply(
        [&](const auto &...parts) {
          return detail::only(
              std::tuple<Args...>{detail::withTensors(Args(parts), next)...});
        },
        inputs);
  }

private:
  detail::Recorded recorded;
  std::tuple<Args...> inputs;
};

namespace detail {
template <typename F, typename... Args>
auto recordAll(const char *tracer, const F &f, Location at,
               const Args &...arguments) {
  std::tuple<Owned<Args>...> inputs{Owned<Args>(arguments)...};
  Recorded recorded;
  std::apply([&](auto &...parts) { (recorded.add(parts, at), ...); }, inputs);
  using Result = Owned<std::invoke_result_t<const F &, const Owned<Args> &...>>;
  TracingScope scope(tracer);
  Result result = applied(f, inputs, at);
  for_each_tensor(result, [&](Tensor &x) {
    if (!x.defined())
      fail("vjp", "a result is an undefined tensor", at);
    recorded.results.push_back(x);
  });
  return std::tuple(std::move(recorded), std::move(result), std::move(inputs));
}

template <typename F, typename... Args>
auto vjpFor(const char *tracer, const F &f, Location at,
            const Args &...arguments) {
  auto [recorded, result, inputs] = recordAll(tracer, f, at, arguments...);
  using Result = decltype(result);
  auto values =
      recorded.pull(std::vector<int32_t>(recorded.wanted.size(), 0),
                    std::vector<Tensor>(recorded.results.size()), false, at,
                    tracer);
  auto next = values.results.cbegin();
  Result value = withTensors(std::move(result), next);
  return std::pair(std::move(value),
                   Pullback<Result, Owned<Args>...>(std::move(recorded),
                                                    std::move(inputs)));
}
} // namespace detail

/// Returns the value of f and its pullback, as a pair.
template <typename F, typename... Args>
auto vjp(F f, const Args &...arguments) {
  return detail::vjpFor("vjp", f, Location{nullptr, 0}, arguments...);
}

} // namespace tensorc

#endif
