//===- jit.hpp - functions traced once; included by tensorc.hpp -----------===//
#ifndef TENSORC_JIT_HPP
#define TENSORC_JIT_HPP

#include "tensorc/devices.h"
#include "tensorc/tensorc.hpp"

namespace tensorc {
namespace detail {

/// How a traced function's result turns into tensors and back.
template <typename R> struct Results;
template <> struct Results<Tensor> {
  static std::vector<Tensor> list(Tensor result) { return {std::move(result)}; }
  static Tensor make(tensorc_tensor **handles, size_t) {
    return Tensor::take(handles[0]);
  }
};
template <> struct Results<std::vector<Tensor>> {
  static std::vector<Tensor> list(std::vector<Tensor> result) { return result; }
  static std::vector<Tensor> make(tensorc_tensor **handles, size_t count) {
    std::vector<Tensor> result;
    for (size_t i = 0; i < count; ++i)
      result.push_back(Tensor::take(handles[i]));
    return result;
  }
};
template <typename... Ts> struct Results<std::tuple<Ts...>> {
  static std::vector<Tensor> list(std::tuple<Ts...> result) {
    return std::apply(
        [](auto &&...tensors) { return std::vector<Tensor>{tensors...}; },
        std::move(result));
  }
  static std::tuple<Ts...> make(tensorc_tensor **handles, size_t) {
    return make(handles, std::index_sequence_for<Ts...>());
  }
  template <size_t... Is>
  static std::tuple<Ts...> make(tensorc_tensor **handles,
                                std::index_sequence<Is...>) {
    return {Tensor::take(handles[Is])...};
  }
};
template <> struct Results<std::pair<Tensor, Tensor>> {
  static std::vector<Tensor> list(std::pair<Tensor, Tensor> result) {
    return {std::move(result.first), std::move(result.second)};
  }
  static std::pair<Tensor, Tensor> make(tensorc_tensor **handles, size_t) {
    return {Tensor::take(handles[0]), Tensor::take(handles[1])};
  }
};

} // namespace detail

/// See jit().
template <typename F> class Jit {
public:
  explicit Jit(F function, Location at)
      : function(std::move(function)), place(at) {}

  template <typename... Tensors>
  auto operator()(const Tensors &...arguments) const {
    using Result = std::invoke_result_t<const F &, const Tensors &...>;
    std::array<tensorc_tensor *, sizeof...(arguments)> handles{
        arguments.raw()...};
    // Within another trace, or without values to pass: just the function.
    for (tensorc_tensor *handle : handles)
      if (!handle || tensorc_tensor_is_traced(handle))
        return function(arguments...);
    std::shared_ptr<Traced> traced = find(handles);
    if (!traced)
      traced = trace<Result>(arguments...);
    tensorc_tensor *few[4];
    std::unique_ptr<tensorc_tensor *[]> many;
    tensorc_tensor **results = few;
    if (traced->results > 4)
      results =
          (many = std::make_unique<tensorc_tensor *[]>(traced->results)).get();
    detail::check(
        tensorc_function_call(traced->function, handles.data(), results));
    return detail::Results<Result>::make(results, traced->results);
  }

  /// Bytes that a call with such arguments will allocate at most at one time,
  /// results included; traces the function if need be, and runs nothing.
  template <typename... Tensors>
  uint64_t memory_required(const Tensors &...arguments) const {
    using Result = std::invoke_result_t<const F &, const Tensors &...>;
    std::array<tensorc_tensor *, sizeof...(arguments)> handles{
        arguments.raw()...};
    std::shared_ptr<Traced> traced = find(handles);
    if (!traced)
      traced = trace<Result>(arguments...);
    uint64_t bytes = 0;
    detail::check(tensorc_function_memory(traced->function, &bytes));
    return bytes;
  }

  /// How often the function was traced.
  size_t traces() const {
    std::scoped_lock lock(state->mutex);
    return state->list.size();
  }

private:
  struct Traced {
    tensorc_function *function = nullptr;
    size_t results = 0;
    ~Traced() { tensorc_function_release(function); }
  };
  /// Shared by copies.
  struct State {
    std::mutex mutex;
    std::vector<std::shared_ptr<Traced>> list;
  };

  template <size_t N>
  std::shared_ptr<Traced>
  find(const std::array<tensorc_tensor *, N> &handles) const {
    std::scoped_lock lock(state->mutex);
    for (auto &traced : state->list)
      if (tensorc_function_accepts(traced->function, handles.data(), N))
        return traced;
    return nullptr;
  }

  template <typename Result, typename... Tensors>
  std::shared_ptr<Traced> trace(const Tensors &...arguments) const {
    auto call = [&](const auto &...inputs) {
      std::vector<Tensor> results =
          detail::Results<Result>::list(function(inputs...));
      std::array<tensorc_tensor *, sizeof...(inputs)> in{inputs.raw()...};
      std::vector<tensorc_tensor *> out;
      for (const Tensor &result : results)
        out.push_back(result.raw());
      auto traced = std::make_shared<Traced>();
      traced->results = out.size();
      detail::check(tensorc_function_create(
          in.data(), static_cast<int32_t>(in.size()), out.data(),
          static_cast<int32_t>(out.size()), &traced->function));
      return traced;
    };
    std::shared_ptr<Traced> traced = call(input(arguments)...);
    std::scoped_lock lock(state->mutex);
    state->list.push_back(traced);
    return traced;
  }

  Tensor input(const Tensor &like) const {
    tensorc_tensor *out = nullptr;
    tensorc_status *status =
        tensorc_trace_argument_like(like.raw(), place, &out);
    return detail::take(status, out);
  }

  F function;
  Location place;
  std::shared_ptr<State> state = std::make_shared<State>();
};

/// A function of tensors that is called once per set of dtypes and shapes, to
/// record what it computes; later calls run that at once. It returns a Tensor,
/// or a pair, tuple or vector of them, and must not look at values. Numbers and
/// tensors that it captures are fixed when it is traced. Other shapes of the
/// same structure are traced again but share kernels.
template <typename F>
Jit<F> jit(F function, Location at = Location::current()) {
  return Jit<F>(std::move(function), at);
}

} // namespace tensorc

#endif
