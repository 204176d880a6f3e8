//===- control.hpp - branches and loops over tensors ----------------------===//
//
//   auto [last, all] = tensorc::scan(
//       [&](const Tensor &h, const Tensor &x) {
//         Tensor next = tanh(matmul(h, w) + x);
//         return std::pair(next, next);
//       }, h0, xs);
//
// The functions are recorded once, not called in each iteration. State, inputs
// and results are tensors or values that contain tensors
// (tensorc/structure.hpp). Tensors that a function captures are computed before
// the loop; numbers that it captures are fixed. docs/control-flow.md describes
// the cost of loops.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CONTROL_HPP
#define TENSORC_CONTROL_HPP

#include "tensorc/control.h"
#include "tensorc/grad.hpp"

#include <deque>

namespace tensorc {
namespace detail {

template <typename T> std::vector<Tensor> listTensors(const T &value) {
  std::vector<Tensor> tensors;
  for_each_tensor(value, [&](const Tensor &x) {
    if (x.defined())
      tensors.push_back(x);
  });
  return tensors;
}

/// A function recorded for a loop or a branch.
struct RecordedBody {
  std::vector<Tensor> arguments, results;

  /// Returns a copy of the value in which arguments of the trace replace the
  /// tensors.
  template <typename T> T argument(T like, Location at) {
    for_each_tensor(like, [&](Tensor &x) {
      if (x.defined())
        arguments.push_back(x = traceArgument(x, at));
    });
    return like;
  }
  /// Returns a copy of the value in which each tensor is replaced by an argument
  /// for a slice of the tensor along its first axis.
  template <typename T> T part(T like, Location at) {
    for_each_tensor(like, [&](Tensor &x) {
      if (!x.defined())
        return;
      tensorc_tensor *out = nullptr;
      tensorc_status *status = tensorc_trace_part_like(x.raw(), at, &out);
      arguments.push_back(x = take(status, out));
    });
    return like;
  }
  template <typename T> void result(const T &value) {
    for (Tensor &x : listTensors(value))
      results.push_back(std::move(x));
  }
  /// The body as arrays of C handles. The RecordedBody must outlive it.
  struct Raw {
    std::vector<tensorc_tensor *> arguments, results;
    tensorc_body body;
    explicit Raw(const RecordedBody &from)
        : arguments(rawOf(from.arguments)), results(rawOf(from.results)),
          body{arguments.data(), static_cast<int32_t>(arguments.size()),
               results.data(), static_cast<int32_t>(results.size())} {}
    Raw(const Raw &) = delete;
  };
};

inline std::vector<Tensor> takeAll(const std::vector<tensorc_tensor *> &raw) {
  std::vector<Tensor> tensors;
  for (tensorc_tensor *x : raw)
    tensors.push_back(Tensor::take(x));
  return tensors;
}

/// Records a scan; `call` records the body and returns its result.
template <typename State, typename Xs, typename Call>
std::vector<Tensor> scanLoop(const char *tracer, const State &carried,
                             const Xs &scanned, int64_t length, bool reverse,
                             Location at, Call call) {
  std::vector<Tensor> first = listTensors(carried), all = listTensors(scanned);
  TensorOptions counts{i64};
  if (!first.empty() || !all.empty())
    counts.device = (first.empty() ? all : first).front().device(at);
  RecordedBody body;
  {
    TracingScope scope(tracer);
    Tensor index = full({}, int64_t(0), counts);
    index = body.argument(std::move(index), at);
    State state = body.argument(State(carried), at);
    Xs parts = body.part(Xs(scanned), at);
    call(body, index, state, parts);
  }
  RecordedBody::Raw raw(body);
  std::vector<tensorc_tensor *> out(body.results.size());
  checkAs(tensorc_scan_loop(rawOf(first).data(),
                            static_cast<int32_t>(first.size()),
                            rawOf(all).data(), static_cast<int32_t>(all.size()),
                            length, reverse, &raw.body, at, out.data()),
          tracer);
  return takeAll(out);
}

/// Returns the common first size of the scanned tensors.
template <typename Xs> int64_t lengthOf(const Xs &xs, Location at) {
  std::vector<Tensor> all = listTensors(xs);
  if (all.empty())
    fail("scan", "there is nothing to scan: use fori_loop", at);
  if (all[0].rank() == 0)
    fail("scan", "a tensor of rank 0 has no parts", at);
  return all[0].size(0);
}

} // namespace detail

namespace detail {

template <typename... Args>
std::vector<Tensor> tensorsOfAll(const Args &...arguments) {
  std::vector<Tensor> tensors;
  (
      [&] {
        for (Tensor &x : listTensors(arguments))
          tensors.push_back(std::move(x));
      }(),
      ...);
  return tensors;
}

/// Records a branch into `body` and returns its result.
template <typename Result, typename Function, typename... Args>
Result recordBranch(const char *tracer, RecordedBody &body, Function &function,
                    Location at, const Args &...arguments) {
  TracingScope scope(tracer);
  std::tuple<Owned<Args>...> inputs{
      body.argument(Owned<Args>(arguments), at)...};
  Result result = applied(function, inputs, at);
  body.result(result);
  return result;
}

/// See cond().
template <typename Then, typename Otherwise, typename... Args>
auto condFor(const char *tracer, const Located &predicate, Then then,
             Otherwise otherwise, const Args &...arguments) {
  Location at = predicate.at;
  using Result = detail::Owned<
      std::invoke_result_t<Then &, const detail::Owned<Args> &...>>;
  detail::RecordedBody first, second;
  Result result =
      detail::recordBranch<Result>(tracer, first, then, at, arguments...);
  detail::recordBranch<Result>(tracer, second, otherwise, at, arguments...);
  std::vector<Tensor> inputs = detail::tensorsOfAll(arguments...);
  detail::RecordedBody::Raw rawFirst(first), rawSecond(second);
  std::vector<tensorc_tensor *> out(first.results.size());
  detail::check(tensorc_cond(predicate.tensor.operand(tracer, at),
                             detail::rawOf(inputs).data(),
                             static_cast<int32_t>(inputs.size()),
                             &rawFirst.body, &rawSecond.body, at, out.data()),
                at);
  std::vector<Tensor> made = detail::takeAll(out);
  auto next = made.cbegin();
  return detail::withTensors(std::move(result), next);
}

} // namespace detail

/// Returns then(arguments...) if the predicate, one i1, is true, else
/// otherwise(arguments...). Only the selected function runs, except for
/// operations that do not depend on the arguments. Both functions return the
/// same type, with tensors of the same dtypes and shapes.
template <typename Then, typename Otherwise, typename... Args>
auto cond(const Located &predicate, Then then, Otherwise otherwise,
          const Args &...arguments) {
  return detail::condFor("cond", predicate, std::move(then),
                         std::move(otherwise), arguments...);
}

/// Returns branches[index](arguments...) for an integer index, which is clamped
/// to the branches. Only the selected branch runs, except for operations that
/// do not depend on the arguments. All branches return the same type, with
/// tensors of the same dtypes and shapes.
template <typename Branches, typename... Args>
auto switch_(const Located &index, const Branches &branches,
             const Args &...arguments) {
  Location at = index.at;
  using Result = detail::Owned<decltype(branches[0](
      std::declval<const detail::Owned<Args> &>()...))>;
  std::vector<detail::RecordedBody> bodies(std::size(branches));
  std::optional<Result> result;
  for (size_t i = 0; i < bodies.size(); ++i) {
    Result made = detail::recordBranch<Result>("switch_", bodies[i],
                                               branches[i], at, arguments...);
    if (!result)
      result = std::move(made);
  }
  std::vector<Tensor> inputs = detail::tensorsOfAll(arguments...);
  std::deque<detail::RecordedBody::Raw> raw;
  std::vector<tensorc_body> list;
  for (const detail::RecordedBody &body : bodies)
    list.push_back(raw.emplace_back(body).body);
  std::vector<tensorc_tensor *> out(bodies.empty() ? 0
                                                   : bodies[0].results.size());
  detail::check(tensorc_switch(index.tensor.operand("switch_", at),
                               detail::rawOf(inputs).data(),
                               static_cast<int32_t>(inputs.size()), list.data(),
                               static_cast<int32_t>(list.size()), at,
                               out.data()),
                at);
  std::vector<Tensor> made = detail::takeAll(out);
  auto next = made.cbegin();
  return detail::withTensors(*std::move(result), next);
}

struct WhileOptions {
  int64_t most = 0; // maximum number of iterations
};

namespace detail {
/// Implements while_loop(). A `most` of 0 means no bound.
template <typename Condition, typename Body, typename State>
Owned<State> whileLoopFor(Condition condition, Body body, const State &initial,
                          int64_t most, Location at) {
  using Carried = Owned<State>;
  RecordedBody goesOn, next;
  {
    TracingScope scope("while_loop");
    CalledAt called(at);
    const Carried tested = goesOn.argument(Carried(initial), at),
                  before = next.argument(Carried(initial), at);
    goesOn.result(Tensor(condition(tested)));
    next.result(Carried(body(before)));
  }
  std::vector<Tensor> carried = listTensors(initial);
  RecordedBody::Raw rawCondition(goesOn), rawBody(next);
  std::vector<tensorc_tensor *> out(carried.size());
  check(tensorc_while_loop(
            rawOf(carried).data(), static_cast<int32_t>(carried.size()),
            &rawCondition.body, &rawBody.body, most, at, out.data()),
        at);
  std::vector<Tensor> made = takeAll(out);
  auto from = made.cbegin();
  return withTensors(Carried(initial), from);
}
} // namespace detail

/// Repeats state = body(state) while condition(state), one i1, is true, and
/// returns the last state. Dtypes and shapes must not change.
template <typename Condition, typename Body, typename State>
detail::Owned<State> while_loop(Condition condition, Body body,
                                const State &initial,
                                Location at = Location::current()) {
  return detail::whileLoopFor(std::move(condition), std::move(body), initial, 0,
                              at);
}

/// A while_loop with a maximum number of iterations. It has a gradient, which
/// keeps memory for the states of that many iterations.
template <typename Condition, typename Body, typename State>
detail::Owned<State>
while_loop(Condition condition, Body body, const State &initial,
           const WhileOptions &options, Location at = Location::current()) {
  if (options.most < 1)
    detail::fail(
        "while_loop",
        "at most " + std::to_string(options.most) + " iterations are none", at);
  return detail::whileLoopFor(std::move(condition), std::move(body), initial,
                              options.most, at);
}

namespace detail {
/// Implements fori_loop().
template <typename Body, typename State>
Owned<State> foriLoopFor(const char *tracer, int64_t begin, int64_t end,
                         Body body, const State &initial, Location at) {
  using Value = Owned<State>;
  // Unsigned, because the difference of two i64 may overflow.
  uint64_t count =
      end > begin ? static_cast<uint64_t>(end) - static_cast<uint64_t>(begin)
                  : 0;
  CalledAt called(at);
  if (count > static_cast<uint64_t>(INT64_MAX))
    fail(tracer,
         "from " + std::to_string(begin) + " to " + std::to_string(end) +
             " are more than 2^63 - 1 iterations",
         at);
  std::vector<Tensor> made =
      scanLoop(tracer, Value(initial), std::tuple<>(),
               static_cast<int64_t>(count), false, at,
               [&](RecordedBody &recorded, const Tensor &index,
                   const Value &state, const std::tuple<> &) {
                 recorded.result(Value(
                     body(begin == 0 ? index : Tensor(index + begin), state)));
               });
  auto from = made.cbegin();
  return withTensors(Value(initial), from);
}
} // namespace detail

/// Applies state = body(i, state) for i from begin to end - 1 and returns the
/// last state; i is an i64 of rank 0. There are at most 2^63 - 1 iterations.
/// Has a gradient.
template <typename Body, typename State>
detail::Owned<State> fori_loop(int64_t begin, int64_t end, Body body,
                               const State &initial,
                               Location at = Location::current()) {
  return detail::foriLoopFor("fori_loop", begin, end, std::move(body), initial,
                             at);
}

struct LoopOptions {
  /// Number of iterations per segment. A gradient keeps only the state before
  /// each segment and recomputes the states within it. 0 keeps the state before
  /// each iteration.
  int64_t segment = 0;
};

namespace detail {
/// Throws if the length of a segment is invalid.
inline void checkSegment(const char *tracer, int64_t segment, Location at) {
  if (segment < 0)
    fail(tracer, "a segment of " + std::to_string(segment) + " iterations", at);
}
} // namespace detail

/// fori_loop() with options.
template <typename Body, typename State>
detail::Owned<State> fori_loop(int64_t begin, int64_t end, Body body,
                               const State &initial, const LoopOptions &options,
                               Location at = Location::current()) {
  using Carried = detail::Owned<State>;
  const char *tracer = "fori_loop";
  int64_t size = options.segment;
  detail::checkSegment(tracer, size, at);
  // Unsigned, because the difference of two i64 may overflow.
  if (size == 0 || end <= begin ||
      static_cast<uint64_t>(end) - static_cast<uint64_t>(begin) <=
          static_cast<uint64_t>(size))
    return detail::foriLoopFor(tracer, begin, end, std::move(body), initial,
                               at);
  // Implemented as a loop over loops. A gradient recomputes the iterations of
  // an inner loop, like any body. An incomplete segment comes last.
  int64_t count = (end - begin) / size, whole = begin + count * size;
  auto segment = [&](const Tensor &index, const Carried &state) {
    Tensor first = index * size + begin;
    auto step = [&](const Tensor &i, const Carried &inner) {
      return body(first + i, inner);
    };
    return detail::foriLoopFor(tracer, 0, size, step, state, at);
  };
  Carried last = detail::foriLoopFor(tracer, 0, count, segment, initial, at);
  return detail::foriLoopFor(tracer, whole, end, body, last, at);
}

struct ScanOptions {
  bool reverse = false; // iterate from the last slice to the first
  int64_t segment = 0;  // as in LoopOptions
};

namespace detail {
/// Implements scan(). Uses only the option `reverse`.
template <typename Body, typename State, typename Xs>
auto plainScan(const char *tracer, Body body, const State &initial,
               const Xs &xs, const ScanOptions &options, Location at) {
  using Value = Owned<State>;
  using Parts = Owned<Xs>;
  using Pair = std::invoke_result_t<Body &, const Value &, const Parts &>;
  using Result = Owned<typename Pair::second_type>;
  std::optional<Result> result;
  std::vector<Tensor> made = scanLoop(
      tracer, Value(initial), Parts(xs), lengthOf(xs, at), options.reverse, at,
      [&](RecordedBody &recorded, const Tensor &, const Value &state,
          const Parts &parts) {
        Pair pair = body(state, parts);
        recorded.result(Value(pair.first));
        result = Result(pair.second);
        recorded.result(*result);
      });
  auto from = made.cbegin();
  Value last = withTensors(Value(initial), from);
  return std::pair(std::move(last), withTensors(*std::move(result), from));
}

/// Returns the value with each tensor x replaced by change(x).
template <typename T, typename Change> T changed(T value, Change change) {
  for_each_tensor(value, [&](Tensor &x) {
    if (x.defined())
      x = change(x);
  });
  return value;
}

/// Implements a scan as a scan over scans. A gradient recomputes the iterations
/// of an inner scan, like any body. An incomplete segment comes last.
template <typename Body, typename State, typename Xs>
auto scanInSegments(const char *tracer, Body body, const State &initial,
                    const Xs &xs, const ScanOptions &options, Location at) {
  using Value = Owned<State>;
  using Parts = Owned<Xs>;
  int64_t length = lengthOf(xs, at), size = options.segment,
          count = length / size, whole = count * size;
  auto slices = [&](int64_t from, int64_t to) {
    return changed(Parts(xs), [&](const Tensor &x) {
      return x.index({Slice(from, to)}, at);
    });
  };
  auto each = [&](const Value &state, const Parts &parts) {
    return plainScan(tracer, body, state, parts, options, at);
  };
  Parts segments = changed(slices(0, whole), [&](const Tensor &x) {
    Shape shape = x.shape();
    shape[0] = count;
    shape.insert(shape.begin() + 1, size);
    return reshape(x, shape);
  });
  std::optional<decltype(each(Value(initial), segments))> rest;
  if (options.reverse && whole < length)
    rest = each(Value(initial), slices(whole, length));
  auto made = plainScan(tracer, each, rest ? rest->first : Value(initial),
                        segments, options, at);
  if (!options.reverse && whole < length)
    rest = each(made.first, slices(whole, length));
  std::vector<Tensor> behind;
  if (rest)
    behind = listTensors(rest->second);
  size_t next = 0;
  auto joined = changed(std::move(made.second), [&](const Tensor &x) {
    Shape shape = x.shape();
    shape.erase(shape.begin());
    shape[0] = whole;
    Tensor front = reshape(x, shape);
    return rest ? concatenate({front, behind[next++]}, 0) : front;
  });
  return std::pair(rest && !options.reverse ? rest->first : made.first,
                   std::move(joined));
}

/// See scan().
template <typename Body, typename State, typename Xs>
auto scanFor(const char *tracer, Body body, const State &initial, const Xs &xs,
             const ScanOptions &options, Location at) {
  CalledAt called(at);
  checkSegment(tracer, options.segment, at);
  if (options.segment > 0 && options.segment < lengthOf(xs, at))
    return scanInSegments(tracer, std::move(body), initial, xs, options, at);
  return plainScan(tracer, std::move(body), initial, xs, options, at);
}
} // namespace detail

/// Calls body(state, x) for each slice x of xs along the first axis. The body
/// returns the next state and a result as a pair. Returns the last state, and
/// the results stacked along a new first axis. Has a gradient.
template <typename Body, typename State, typename Xs>
auto scan(Body body, const State &initial, const Xs &xs,
          const ScanOptions &options = {}, Location at = Location::current()) {
  return detail::scanFor("scan", std::move(body), initial, xs, options, at);
}

/// The result of custom_vjp().
template <typename Forward, typename Backward> class CustomVjp {
public:
  CustomVjp(Forward f, Backward b, Location at)
      : forward(std::move(f)), backward(std::move(b)), place(at) {}

  template <typename... Args> auto operator()(const Args &...arguments) const {
    using Pair =
        std::invoke_result_t<const Forward &, const detail::Owned<Args> &...>;
    using Result = detail::Owned<typename Pair::first_type>;
    detail::RecordedBody value, gradient;
    std::optional<Result> result;
    size_t returned = 0;
    {
      detail::TracingScope scope("custom_vjp");
      std::tuple<detail::Owned<Args>...> inputs{
          value.argument(detail::Owned<Args>(arguments), place)...};
      Pair pair = detail::applied(forward, inputs, place);
      result = Result(pair.first);
      value.result(*result);
      returned = value.results.size();
      value.result(pair.second);
      auto kept = gradient.argument(pair.second, place);
      Result cotangent = gradient.argument(Result(*result), place);
      gradient.result(backward(std::as_const(kept), std::as_const(cotangent)));
    }
    std::vector<Tensor> inputs = detail::tensorsOfAll(arguments...);
    detail::RecordedBody::Raw rawValue(value), rawGradient(gradient);
    std::vector<tensorc_tensor *> out(returned);
    detail::check(tensorc_custom_vjp(detail::rawOf(inputs).data(),
                                     static_cast<int32_t>(inputs.size()),
                                     static_cast<int32_t>(returned),
                                     &rawValue.body, &rawGradient.body, place,
                                     out.data()),
                  place);
    std::vector<Tensor> made = detail::takeAll(out);
    auto next = made.cbegin();
    return detail::withTensors(*std::move(result), next);
  }

private:
  Forward forward;
  Backward backward;
  Location place;
};

/// Returns a function with a custom gradient. `forward` takes the arguments and
/// returns a pair: the result and the values that `backward` needs. `backward`
/// takes these values and the result's cotangent, and returns the argument's
/// cotangent, or a tuple for several arguments. Captured values have no
/// gradient.
template <typename Forward, typename Backward>
auto custom_vjp(Forward forward, Backward backward,
                Location at = Location::current()) {
  return CustomVjp<Forward, Backward>(std::move(forward), std::move(backward),
                                      at);
}

/// Applies f to each slice of xs along the first axis and stacks the results.
template <typename F, typename Xs>
auto map(F f, const Xs &xs, Location at = Location::current()) {
  return detail::scanFor(
             "map",
             [&](const std::tuple<> &, const detail::Owned<Xs> &x) {
               return std::pair(std::tuple<>(), f(x));
             },
             std::tuple<>(), xs, {}, at)
      .second;
}

/// The result of checkpoint().
template <typename F> class Checkpoint {
public:
  Checkpoint(F f, Location at) : function(std::move(f)), place(at) {}

  template <typename... Args> auto operator()(const Args &...arguments) const {
    using Result = detail::Owned<
        std::invoke_result_t<const F &, const detail::Owned<Args> &...>>;
    detail::RecordedBody body;
    std::optional<Result> result;
    {
      detail::TracingScope scope("checkpoint");
      std::tuple<detail::Owned<Args>...> inputs{
          body.argument(detail::Owned<Args>(arguments), place)...};
      result = Result(detail::applied(function, inputs, place));
      body.result(*result);
    }
    std::vector<Tensor> inputs = detail::tensorsOfAll(arguments...);
    detail::RecordedBody::Raw raw(body);
    std::vector<tensorc_tensor *> out(body.results.size());
    detail::check(tensorc_checkpoint(detail::rawOf(inputs).data(),
                                     static_cast<int32_t>(inputs.size()),
                                     &raw.body, place, out.data()),
                  place);
    std::vector<Tensor> made = detail::takeAll(out);
    auto next = made.cbegin();
    return detail::withTensors(*std::move(result), next);
  }

private:
  F function;
  Location place;
};

/// Returns f with a gradient that saves memory: it keeps only the arguments and
/// captured tensors of f and recomputes everything else.
template <typename F> auto checkpoint(F f, Location at = Location::current()) {
  return Checkpoint<F>(std::move(f), at);
}

} // namespace tensorc

#endif
