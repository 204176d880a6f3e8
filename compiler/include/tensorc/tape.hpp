//===- tape.hpp - gradients of computations in host code ------------------===//
//
//   Tape tape;
//   tape.watch(params);
//   Tensor loss = lossOf(params, x);
//   while (loss.item<float>() > 1)     // reads a value, and branches on it
//     loss = loss * lossOf(params, x);
//   Params gradient = tape.gradient(loss, params);
//
// grad() differentiates a function, which is recorded once. A tape
// differentiates the operations that were performed, which may depend on
// branches of host code. The same operations in the same order are
// differentiated and compiled only once.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TAPE_HPP
#define TENSORC_TAPE_HPP

#include "tensorc/grad.hpp"

namespace tensorc {

/// Records what its thread computes from watched values, from its construction
/// until release() or its destruction. Values that the gradient needs stay in
/// memory. While a tape records, functions made by jit() and grad() are called
/// like ordinary functions, and compiled functions refuse recorded values.
class Tape {
public:
  explicit Tape(Location at = Location::current()) {
    detail::check(tensorc_tape_create(at, &handle), at);
  }
  Tape(const Tape &) = delete;
  Tape &operator=(const Tape &) = delete;
  ~Tape() { release(); }

  /// Watches a tensor of floats, or all tensors of floats in a structure, so
  /// that gradient() can be called for it.
  template <typename T>
  void watch(const T &value, Location at = Location::current()) {
    for_each_tensor(value, [&](const Tensor &x) {
      if (isSource<T>(x))
        detail::check(tensorc_tape_watch(handle, x.operand("watch", at), at),
                      at);
    });
  }

  /// Returns the gradient of the target, one float, with respect to a watched
  /// value or a value computed from watched ones. The gradient has the source's
  /// type: zeros where the target does not depend on the source, undefined
  /// tensors for other dtypes than floats. A std::tie of several sources gives
  /// a tuple. May be called any number of times. An outer tape records the
  /// gradient.
  template <typename T>
  auto gradient(const Tensor &target, const T &source,
                Location at = Location::current()) const {
    std::vector<tensorc_tensor *> sources;
    for_each_tensor(source, [&](const Tensor &x) {
      if (isSource<T>(x))
        sources.push_back(x.operand("gradient", at));
    });
    std::vector<tensorc_tensor *> made(sources.size());
    detail::check(tensorc_tape_gradient(
                      handle, target.operand("gradient", at), sources.data(),
                      static_cast<int32_t>(made.size()), at, made.data()),
                  at);
    auto next = made.begin();
    typename Held<detail::Owned<T>>::Type result(source);
    for_each_tensor(result, [&](Tensor &x) {
      x = isSource<T>(x) ? Tensor::take(*next++) : Tensor(at);
    });
    return result;
  }

  /// Ends the recording, and releases the values that were kept for gradients.
  void release() { tensorc_tape_release(std::exchange(handle, nullptr)); }

private:
  /// The type of a gradient: for a tuple of references, a tuple of values.
  template <typename T> struct Held {
    using Type = T;
  };
  template <typename... Ts> struct Held<std::tuple<Ts...>> {
    using Type = std::tuple<detail::Owned<Ts>...>;
  };
  /// A single tensor is a source whatever its dtype is; in a structure only
  /// tensors with derivatives are.
  template <typename T> static bool isSource(const Tensor &x) {
    return std::is_base_of_v<Tensor, T> ||
           (x.defined() && detail::hasDerivatives(x.dtype()));
  }

  tensorc_tape *handle = nullptr;
};

} // namespace tensorc

#endif
