//===- jit.hpp - functions traced once; included by tensorc.hpp -----------===//
#ifndef TENSORC_JIT_HPP
#define TENSORC_JIT_HPP

#include "tensorc/calls.hpp"
#include "tensorc/package.hpp"
#include "tensorc/tensorc.hpp"

#include <atomic>
#include <condition_variable>
#include <list>
#include <sstream>

namespace tensorc {
namespace detail {

/// True while this thread traces a function. A nested trace must not wait for
/// other threads' traces, which may be waiting for this thread's.
inline thread_local bool isTracing = false;

/// While a function is being recorded, calls of other traced functions are
/// inlined into the recording.
struct TracingScope {
  explicit TracingScope(const char *tracer)
      : former(tensorc_set_tracer(tracer)) {}
  TracingScope(const TracingScope &) = delete;
  ~TracingScope() {
    isTracing = outer;
    tensorc_set_tracer(former);
  }

private:
  bool outer = std::exchange(isTracing, true);
  const char *former;
};

/// A trace of a function for certain argument types.
struct Traced {
  tensorc_function *function = nullptr;
  size_t results = 0;
  /// The value that the function returned, without its tensors, and whether
  /// each of the value's tensors is defined.
  std::shared_ptr<const void> result;
  std::vector<bool> defined;
  ~Traced() { tensorc_function_release(function); }
};

inline std::vector<tensorc_capture>
capturesOf(const tensorc_function *function) {
  std::vector<tensorc_capture> all(
      static_cast<size_t>(tensorc_function_captures(function, nullptr, 0)));
  tensorc_function_captures(function, all.data(),
                            static_cast<int32_t>(all.size()));
  return all;
}

/// The current values of captured tensors that rebind() replaced, shared by all
/// traces of a function.
class TraceGroup {
public:
  TraceGroup() { check(tensorc_trace_group_create(&group)); }
  TraceGroup(const TraceGroup &) = delete;
  ~TraceGroup() { tensorc_trace_group_release(group); }

  void add(const tensorc_function *trace, Location at) {
    check(tensorc_trace_group_add(group, trace), at);
  }
  void rebind(const Tensor &captured, const Tensor &value, Location at) {
    check(tensorc_trace_group_rebind(group, captured.operand("rebind", at),
                                     value.operand("rebind", at)),
          at);
  }

private:
  tensorc_trace_group *group = nullptr;
};

/// A cache of a function's traces, which drops the least recently used ones.
/// Thread-safe: if several threads need the same trace, the first thread makes
/// it and the others wait.
class Traces {
public:
  static constexpr size_t capacity = 1024;

  /// Returns the trace for the call. `trace` makes it if it is missing;
  /// replaced captures are then replaced in it, too.
  template <typename Trace>
  std::shared_ptr<Traced> find(const Call &call, Location at, Trace trace) {
    std::unique_lock lock(mutex);
    if (!entries.empty() && accepts(entries.front(), call))
      return entries.front().traced;
    Signature signature = call.signature();
    while (true) {
      auto known = index.find(signature);
      if (known == index.end())
        break;
      Entry &entry = *known->second;
      if (entry.traced) {
        entries.splice(entries.begin(), entries, known->second);
        return entry.traced;
      }
      if (isTracing) {
        lock.unlock();
        std::shared_ptr<Traced> traced = trace();
        group.add(traced->function, at);
        return traced;
      }
      changed.wait(lock);
    }
    entries.push_front({});
    auto entry = entries.begin();
    auto [place, isNew] = index.emplace(std::move(signature), entry);
    entry->place = place;
    lock.unlock();
    std::shared_ptr<Traced> traced;
    try {
      traced = trace();
      lock.lock();
      group.add(traced->function, at);
    } catch (...) {
      if (!lock.owns_lock())
        lock.lock();
      index.erase(entry->place);
      entries.erase(entry);
      changed.notify_all();
      throw;
    }
    entry->traced = last = traced;
    changed.notify_all();
    trim();
    return traced;
  }
  void rebind(const Tensor &captured, const Tensor &value, Location at) {
    group.rebind(captured, value, at);
  }
  void noteTrace() { ++made; }
  size_t traces() const { return made; }
  std::shared_ptr<Traced> newest() {
    std::scoped_lock lock(mutex);
    return last;
  }

private:
  using Signature = std::vector<int64_t>;
  struct Hash {
    size_t operator()(const Signature &signature) const {
      uint64_t hash = signature.size();
      for (int64_t word : signature) {
        hash = (hash ^ static_cast<uint64_t>(word)) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 32;
      }
      return hash;
    }
  };
  struct Entry;
  using Entries = std::list<Entry>;
  using ByKey = std::unordered_map<Signature, Entries::iterator, Hash>;
  struct Entry {
    std::shared_ptr<Traced> traced; // null while a thread makes the trace
    ByKey::iterator place;
  };

  static bool accepts(const Entry &entry, const Call &call) {
    return entry.traced && call.matches(entry.place->first) &&
           tensorc_function_accepts(entry.traced->function, call.handles(),
                                    call.size());
  }
  void trim() {
    for (auto oldest = entries.end(); entries.size() > capacity;) {
      --oldest;
      if (oldest == entries.begin())
        return;
      if (!oldest->traced)
        continue;
      index.erase(oldest->place);
      oldest = entries.erase(oldest);
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  Entries entries; // most recent first
  TraceGroup group;
  ByKey index;
  std::shared_ptr<Traced> last;
  std::atomic<size_t> made{0};
};

/// The arrays that a call writes, and the location of the call.
struct LocatedArrays {
  std::vector<Array> arrays;
  Location at;
  LocatedArrays(std::vector<Array> list, const char *file = __builtin_FILE(),
                unsigned line = __builtin_LINE())
      : arrays(std::move(list)), at{file, line} {}
  LocatedArrays(std::initializer_list<Array> list,
                const char *file = __builtin_FILE(),
                unsigned line = __builtin_LINE())
      : arrays(list), at{file, line} {}
};

} // namespace detail

/// A value that a traced function captured. It was fixed when the function was
/// traced.
struct Capture {
  /// The tensor that the function captured originally, even if rebind()
  /// replaced it. Undefined for a number, such as a literal of the function.
  Tensor tensor;
  double number = 0;
  /// Location where the tensor was made or the number was used.
  std::string file;
  unsigned line = 0;
};

/// See jit().
template <typename F> class Jit : public detail::Callable<Jit<F>> {
  friend detail::Callable<Jit>;
  template <typename... Args>
  using ResultOf =
      detail::Owned<std::invoke_result_t<const F &, const Args &...>>;

public:
  explicit Jit(F f, Location at) : function(std::move(f)), place(at) {}

  /// Returns the peak number of bytes that a call with such arguments
  /// allocates, including results. Traces the function if necessary, but does
  /// not run it.
  uint64_t memory_required(Location at = Location::current()) const {
    return memory(at);
  }
  template <typename A>
  uint64_t memory_required(const A &a,
                           Location at = Location::current()) const {
    return memory(at, a);
  }
  template <typename A, typename B>
  uint64_t memory_required(const A &a, const B &b,
                           Location at = Location::current()) const {
    return memory(at, a, b);
  }
  template <typename A, typename B, typename C>
  uint64_t memory_required(const A &a, const B &b, const C &c,
                           Location at = Location::current()) const {
    return memory(at, a, b, c);
  }
  /// With more arguments, the location of the call cannot be a default
  /// argument.
  template <typename... Args,
            typename = std::enable_if_t<(sizeof...(Args) > 3)>>
  uint64_t memory_required(const Args &...arguments) const {
    return memory(place, arguments...);
  }

  /// Calls the function and writes the results into the arrays: one array per
  /// result, on the function's device. Arrays must not overlap the arguments.
  template <typename... Args>
  void into(const detail::LocatedArrays &outputs,
            const Args &...arguments) const {
    const std::vector<Array> &arrays = outputs.arrays;
    auto call = detail::Call::of(arguments...);
    std::shared_ptr<detail::Traced> traced =
        find(call, outputs.at, arguments...);
    if (arrays.size() != traced->results)
      detail::fail("into",
                   "there are " + std::to_string(arrays.size()) +
                       " arrays for " + std::to_string(traced->results) +
                       " results",
                   outputs.at);
    std::vector<tensorc_rt_buffer *> buffers;
    for (size_t i = 0; i < arrays.size(); ++i) {
      checkOutput(*traced, i, arrays[i], outputs.at);
      buffers.push_back(arrays[i].raw());
    }
    tensorc_call_options options{sizeof options, nullptr, buffers.data()};
    detail::check(tensorc_function_call_into(traced->function, call.handles(),
                                             &options, nullptr),
                  outputs.at);
  }

  /// Replaces a captured tensor, from the next call on, by a value of the same
  /// dtype, shape and device, in existing and new traces, without tracing
  /// again. `captured` is the tensor that the function captured originally,
  /// even if it has been replaced since; rebind(captured, captured) restores
  /// it. `captured` may also be the current replacement of a captured tensor,
  /// if it replaces only one.
  void rebind(const Tensor &captured, const Tensor &value,
              Location at = Location::current()) const {
    state->rebind(captured, value, at);
  }

  /// Returns how often the function was traced.
  size_t traces() const { return state->traces(); }

  /// Returns the values that the newest trace captured, including literals;
  /// none before the first call. Replacements by rebind() are not listed.
  std::vector<Capture> captures() const {
    std::shared_ptr<detail::Traced> traced = state->newest();
    if (!traced)
      return {};
    std::vector<Capture> result;
    for (const tensorc_capture &from : detail::capturesOf(traced->function)) {
      auto *handle = const_cast<tensorc_tensor *>(from.tensor);
      tensorc_tensor_retain(handle);
      result.push_back({Tensor::take(handle), from.number,
                        from.at.file ? from.at.file : "", from.at.line});
    }
    return result;
  }

private:
  /// Calls f. Tensors of arguments that are moved or temporary are consumed,
  /// even if the call fails: results may be computed in their memory if nothing
  /// else owns it. Their dtypes, shapes and devices can still be read.
  template <typename... Args>
  auto call(Location given, Args &&...arguments) const
      -> ResultOf<std::decay_t<Args>...> {
    using Result = ResultOf<std::decay_t<Args>...>;
    auto call = detail::Call::ofGiven<std::decay_t<Args>...>(
        {(!std::is_reference_v<Args> && !std::is_const_v<Args>)...},
        arguments...);
    // In another trace, or while a tape records, f is called like an ordinary
    // function and may capture tensors of that trace.
    if (detail::isTracing || call.is_traced() || tensorc_tape_is_recording()) {
      detail::CalledAt called(detail::lineOf(given, place));
      return function(std::as_const(arguments)...);
    }
    std::shared_ptr<detail::Traced> traced =
        find<std::decay_t<Args>...>(call, given, arguments...);
    tensorc_tensor *few[4];
    std::unique_ptr<tensorc_tensor *[]> many;
    tensorc_tensor **results = few;
    if (traced->results > 4)
      results =
          (many = std::make_unique<tensorc_tensor *[]>(traced->results)).get();
    tensorc_status *status;
    if (call.gives()) {
      tensorc_call_options options{
          sizeof options, call.take(detail::lineOf(given, place)), nullptr};
      status = tensorc_function_call_into(traced->function, call.handles(),
                                          &options, results);
    } else {
      status = tensorc_function_call(traced->function, call.handles(), results);
    }
    if (status)
      detail::check(status, detail::lineOf(given, place));
    if constexpr (std::is_same_v<Result, Tensor>) {
      return traced->results ? Tensor::take(results[0]) : Tensor(place);
    } else {
      Result result = *static_cast<const Result *>(traced->result.get());
      size_t i = 0;
      for_each_tensor(result, [&](Tensor &x) {
        if (traced->defined[i++])
          x = Tensor::take(*results++);
      });
      return result;
    }
  }

  template <typename... Args>
  uint64_t memory(Location at, const Args &...arguments) const {
    uint64_t bytes = 0;
    detail::check(
        tensorc_function_memory(
            find(detail::Call::of(arguments...), at, arguments...)->function,
            &bytes),
        at);
    return bytes;
  }

  static void checkOutput(const detail::Traced &traced, size_t i,
                          const Array &output, Location at) {
    tensorc_type type;
    detail::check(tensorc_function_result(traced.function,
                                          static_cast<int32_t>(i), &type),
                  at);
    Shape shape(type.dims, type.dims + type.rank);
    auto dtype = static_cast<DType>(type.dtype);
    auto text = [](DType of, const Shape &sizes) {
      std::ostringstream stream;
      stream << of << sizes;
      return stream.str();
    };
    if (!output || output.dtype() != dtype || output.shape() != shape)
      detail::fail("into",
                   "result " + std::to_string(i) + " is " + text(dtype, shape) +
                       ", the array for it " +
                       (output ? text(output.dtype(), output.shape())
                               : std::string("empty")),
                   at);
  }

  template <typename... Args>
  std::shared_ptr<detail::Traced> find(const detail::Call &call, Location given,
                                       const Args &...arguments) const {
    return state->find(call, place, [&] { return trace(given, arguments...); });
  }

  template <typename... Args>
  std::shared_ptr<detail::Traced> trace(Location given,
                                        const Args &...arguments) const {
    detail::TracingScope scope("jit");
    state->noteTrace();
    std::tuple<Args...> inputs(arguments...);
    std::vector<tensorc_tensor *> in;
    for_each_tensor(inputs, [&](Tensor &x) {
      if (x.defined()) {
        x = input(x);
        in.push_back(x.raw());
      }
    });
    auto result = std::make_shared<ResultOf<Args...>>(
        apply(inputs, detail::lineOf(given, place)));
    auto traced = std::make_shared<detail::Traced>();
    std::vector<Tensor> results;
    std::vector<tensorc_tensor *> out;
    for_each_tensor(*result, [&](Tensor &x) {
      traced->defined.push_back(x.defined());
      if (x.defined()) {
        out.push_back(x.raw());
        results.push_back(std::exchange(x, Tensor()));
      }
    });
    traced->result = std::move(result);
    traced->results = out.size();
    detail::check(tensorc_function_create(
                      in.data(), static_cast<int32_t>(in.size()), out.data(),
                      static_cast<int32_t>(out.size()), &traced->function),
                  place);
    return traced;
  }

  /// Sets the location of errors about undefined tensors to the line that
  /// passed the tensor.
  template <typename... Args>
  ResultOf<Args...> apply(const std::tuple<Args...> &inputs,
                          Location call) const {
    try {
      return detail::applied(function, inputs, place);
    } catch (const Error &error) {
      int absent = std::apply(
          [](const auto &...each) { return detail::firstUndefined(each...); },
          inputs);
      if (absent < 0 || !std::strstr(error.what(), "undefined"))
        throw;
      tensorc_location at = call;
      throw Error(error.code(), std::string(error.what()) + "; argument " +
                                    std::to_string(absent) +
                                    " of the call at " +
                                    (at.file ? at.file : "?") + ":" +
                                    std::to_string(at.line) + " is undefined");
    }
  }

  Tensor input(const Tensor &like) const {
    tensorc_tensor *out = nullptr;
    tensorc_status *status =
        tensorc_trace_argument_like(like.raw(), place, &out);
    return detail::take(status, out);
  }

  F function;
  Location place;
  /// Copies share the traces.
  std::shared_ptr<detail::Traces> state = std::make_shared<detail::Traces>();
};

/// Returns a function that records f once per set of dtypes, shapes and
/// devices; later calls run the recording. Arguments and results are tensors or
/// contain tensors (tensorc/structure.hpp). f must not read values of tensors.
/// Numbers and strings among the arguments are part of the trace, so different
/// ones need another trace; traces that differ in numbers or shapes share
/// kernels. Tensors and numbers that f captures are fixed when it is traced;
/// captures() lists them, and rebind() replaces them. The last 1024 traces are
/// kept.
template <typename F>
Jit<F> jit(F function, Location at = Location::current()) {
  return Jit<F>(std::move(function), at);
}

} // namespace tensorc

#include "tensorc/compile.hpp"

#endif
