//===- tape.hpp - gradients of what host code did --------------------------===//
//
//   Tape tape;
//   tape.watch(params);
//   Tensor loss = lossOf(params, x);
//   while (loss.item<float>() > 1)     // reads a value, and branches on it
//     loss = loss * lossOf(params, x);
//   Params gradient = tape.gradient(loss, params);
//
// grad() differentiates a function, which is recorded once. A tape
// differentiates what was done this time, whatever host code decided on the
// way. What was done in the same way before is neither differentiated nor
// compiled again.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TAPE_HPP
#define TENSORC_TAPE_HPP

#include "tensorc/grad.hpp"

namespace tensorc {

/// Records from its construction until release() or its end, in the thread that
/// made it: what is made of the values that it watches. Values that are read
/// meanwhile stay in memory for the gradient. Functions of jit() and grad() are
/// called plainly while a tape records, and compiled functions refuse values
/// that are recorded.
class Tape {
public:
  explicit Tape(Location at = Location::current()) {
    detail::check(tensorc_tape_create(at, &handle), at);
  }
  Tape(const Tape &) = delete;
  Tape &operator=(const Tape &) = delete;
  ~Tape() { release(); }

  /// Values of which gradients will be asked for: tensors of floats, and what
  /// holds them, of which all floats are watched.
  template <typename T>
  void watch(const T &value, Location at = Location::current()) {
    for_each_tensor(value, [&](const Tensor &x) {
      if (isSource<T>(x))
        detail::check(tensorc_tape_watch(handle, x.raw(), at), at);
    });
  }

  /// The derivatives of a float of one element by a watched value, or by what
  /// was made of watched values: of its type, zeros where the target does not
  /// depend on it, and undefined where it holds no floats. May be called any
  /// number of times. Of several values, which a std::tie makes one, a tuple.
  /// Within another tape's scope, that one records the gradient.
  template <typename T>
  auto gradient(const Tensor &target, const T &source,
                Location at = Location::current()) const {
    std::vector<tensorc_tensor *> sources;
    for_each_tensor(source, [&](const Tensor &x) {
      if (isSource<T>(x))
        sources.push_back(x.raw());
    });
    std::vector<tensorc_tensor *> made(sources.size());
    detail::check(tensorc_tape_gradient(handle, target.raw(), sources.data(),
                                        static_cast<int32_t>(made.size()), at,
                                        made.data()),
                  at);
    auto next = made.begin();
    typename Held<detail::Owned<T>>::Type result(source);
    for_each_tensor(result, [&](Tensor &x) {
      x = isSource<T>(x) ? Tensor::take(*next++) : Tensor(at);
    });
    return result;
  }

  /// Ends the recording, and lets go of what was kept for gradients.
  void release() { tensorc_tape_release(std::exchange(handle, nullptr)); }

private:
  /// A tuple of references holds values.
  template <typename T> struct Held {
    using Type = T;
  };
  template <typename... Ts> struct Held<std::tuple<Ts...>> {
    using Type = std::tuple<detail::Owned<Ts>...>;
  };
  /// A tensor by itself is refused where it has no floats.
  template <typename T> static bool isSource(const Tensor &x) {
    return std::is_base_of_v<Tensor, T> ||
           (x.defined() && detail::hasDerivatives(x.dtype()));
  }

  tensorc_tape *handle = nullptr;
};

} // namespace tensorc

#endif
