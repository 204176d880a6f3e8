//===- vmap.hpp - applying a function of one example to a batch -----------===//
//
//   auto score = [&](const Tensor &x, const Tensor &w) { return sum(x * w); };
//   auto scores = tensorc::vmap(score, {0, std::nullopt});
//   Tensor all = scores(xs, w);     // one per row of xs
//   auto each = tensorc::vmap(tensorc::grad(score), {0, std::nullopt});
//
// The function is written for one example and recorded once. Its operations get
// a batch dimension; a contraction remains a single contraction, and a
// convolution a single convolution. Arguments and results are tensors or values
// that contain tensors (tensorc/structure.hpp). docs/control-flow.md describes
// loops.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_VMAP_HPP
#define TENSORC_VMAP_HPP

#include "tensorc/control.hpp"

namespace tensorc {

/// The axes of the batch: one axis for all tensors, or a list with one axis per
/// argument (or per element of the tuple that a function returns). Negative
/// axes count from the end. std::nullopt means that all examples share the
/// argument, or that they have the same result.
class BatchAxes {
public:
  using Axis = std::optional<int64_t>;
  BatchAxes(int64_t all) : axes{all}, isList(false) {}
  BatchAxes(std::initializer_list<Axis> each) : axes(each), isList(true) {}

  /// Returns the axis of argument or element i of `count`.
  Axis of(size_t i, size_t count, const char *what, Location at) const {
    if (!isList)
      return axes[0];
    if (axes.size() != count)
      detail::fail("vmap",
                   "there are " + std::to_string(count) + " " + what +
                       ", but " + std::to_string(axes.size()) + " axes",
                   at);
    return axes[i];
  }

private:
  std::vector<Axis> axes;
  bool isList;
};

namespace detail {

template <typename T> struct IsTuple : std::false_type {};
template <typename A, typename B>
struct IsTuple<std::pair<A, B>> : std::true_type {};
template <typename... Ts> struct IsTuple<std::tuple<Ts...>> : std::true_type {};

/// See vmap().
template <typename F> class Vmap {
public:
  Vmap(F f, BatchAxes inAxes, BatchAxes outAxes, Location at)
      : function(std::move(f)), in(std::move(inAxes)), out(std::move(outAxes)),
        place(at) {}

  template <typename... Args> auto operator()(const Args &...arguments) const {
    using Result =
        Owned<std::invoke_result_t<const F &, const Owned<Args> &...>>;
    CalledAt called(place);
    Recording recording;
    Result result = record<Result>(
        recording, std::index_sequence_for<Args...>(), arguments...);
    std::vector<int64_t> axes = resultAxes(result);
    RecordedBody::Raw raw(recording.body);
    std::vector<tensorc_tensor *> made(recording.body.results.size());
    check(tensorc_vmap(rawOf(recording.values).data(), recording.axes.data(),
                       static_cast<int32_t>(recording.values.size()), &raw.body,
                       axes.data(), place, made.data()),
          place);
    std::vector<Tensor> all = takeAll(made);
    auto next = all.cbegin();
    return withTensors(std::move(result), next);
  }

private:
  struct Recording {
    RecordedBody body;
    std::vector<Tensor> values;
    std::vector<int64_t> axes;
  };

  /// Returns the argument with its tensors replaced by arguments of the trace,
  /// without the batch axis.
  template <typename T>
  T one(Recording &recording, T value, size_t number, size_t count) const {
    BatchAxes::Axis axis = in.of(number, count, "arguments", place);
    for_each_tensor(value, [&](Tensor &x) {
      if (!x.defined())
        return;
      recording.values.push_back(x);
      recording.axes.push_back(axis.value_or(TENSORC_NO_AXIS));
      if (!axis) {
        x = recording.body.argument(x, place);
        return;
      }
      int64_t rank = x.rank(), from = *axis < 0 ? *axis + rank : *axis;
      if (from < 0 || from >= rank)
        fail("vmap",
             "argument " + std::to_string(number) + ", of rank " +
                 std::to_string(rank) + ", has no axis " +
                 std::to_string(*axis),
             place);
      std::vector<int64_t> order{from};
      for (int64_t i = 0; i < rank; ++i)
        if (i != from)
          order.push_back(i);
      x = recording.body.part(from ? transpose(x, order) : x, place);
    });
    return value;
  }

  template <typename Result, size_t... I, typename... Args>
  Result record(Recording &recording, std::index_sequence<I...>,
                const Args &...arguments) const {
    TracingScope scope("vmap");
    // A braced list is evaluated in order.
    std::tuple<Owned<Args>...> inputs{
        one(recording, Owned<Args>(arguments), I, sizeof...(Args))...};
    Result result = applied(function, inputs, place);
    recording.body.result(result);
    return result;
  }

  /// Returns one axis per tensor.
  template <typename Result>
  std::vector<int64_t> resultAxes(const Result &result) const {
    std::vector<int64_t> axes;
    auto add = [&](const auto &value, BatchAxes::Axis axis) {
      axes.resize(axes.size() + listTensors(value).size(),
                  axis.value_or(TENSORC_NO_AXIS));
    };
    if constexpr (IsTuple<Result>::value) {
      constexpr size_t count = std::tuple_size_v<Result>;
      size_t i = 0;
      std::apply(
          [&](const auto &...parts) {
            (add(parts, out.of(i++, count, "results", place)), ...);
          },
          result);
    } else {
      add(result, out.of(0, 1, "results", place));
    }
    return axes;
  }

  F function;
  BatchAxes in, out;
  Location place;
};

} // namespace detail

/// Returns a function that applies f to a batch of examples at once. The
/// arguments of f have no batch axis; the results of the returned function have
/// one. Random keys are arguments like others: with a batch of keys each
/// example has its own random numbers. vmap, grad, jit, cond and loops nest in
/// any order.
template <typename F>
auto vmap(F f, BatchAxes in_axes = 0, BatchAxes out_axes = 0,
          Location at = Location::current()) {
  return Jit(detail::Vmap<F>(std::move(f), std::move(in_axes),
                             std::move(out_axes), at),
             at);
}

} // namespace tensorc

#endif
