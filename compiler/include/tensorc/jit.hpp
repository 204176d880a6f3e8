//===- jit.hpp - functions traced once; included by tensorc.hpp -----------===//
#ifndef TENSORC_JIT_HPP
#define TENSORC_JIT_HPP

#include "tensorc/devices.hpp"
#include "tensorc/package.hpp"
#include "tensorc/structure.hpp"
#include "tensorc/tensorc.hpp"

#include <atomic>
#include <condition_variable>
#include <list>
#include <sstream>
#include <unordered_map>

namespace tensorc {
namespace detail {

/// x[i] is a tensor of its own when it leaves a function.
template <typename R>
using Owned = std::conditional_t<std::is_base_of_v<Tensor, std::decay_t<R>>,
                                 Tensor, std::decay_t<R>>;

/// Calls the function of a user, whose default arguments then name the line that
/// is called for.
template <typename F, typename... Parts>
decltype(auto) applied(F &f, const std::tuple<Parts...> &parts, Location at) {
  CalledAt called(at);
  return std::apply(
      [&](const auto &...part) -> decltype(auto) { return f(part...); }, parts);
}

/// The arguments of a call: their types, tensors, and all else that a trace
/// depends on.
class Call {
public:
  template <typename... Args> static Call of(const Args &...arguments) {
    return ofGiven<Args...>({}, arguments...);
  }
  /// The call may take the tensors of an argument if its flag is set.
  template <typename... Args>
  static Call ofGiven(const std::array<bool, sizeof...(Args)> &given,
                      const Args &...arguments) {
    static constexpr char type = 0;
    Call call(&type);
    size_t i = 0;
    ((call.isGiven = given[i++], walk(arguments, call)), ...);
    // After all else, whose words say by themselves where they end: among them
    // a position could be taken for a number of the caller's.
    for (int64_t position : call.undefined)
      call.word(-position);
    // What has no operand is made on the current device.
    if (call.count == 0)
      call.text(current_device().name);
    // Products are recorded in the thread's precision.
    if (char precision = tensorc_matmul_precision()[0]; precision != 'h')
      call.word(precision);
    return call;
  }

  void tensor(const Tensor &x) {
    ++position;
    if (!x.defined())
      return undefined.push_back(position);
    isTraced |= tensorc_tensor_is_traced(x.raw()) != 0;
    if (isGiven) {
      given.emplace_back(count, const_cast<Tensor *>(&x));
    }
    if (count < few.size())
      few[count] = x.raw();
    else if (count == few.size())
      many.assign(few.begin(), few.end());
    if (count++ >= few.size())
      many.push_back(x.raw());
  }
  void word(int64_t number) { words.push_back(number); }
  void text(const std::string &text) {
    word(static_cast<int64_t>(text.size()));
    words.insert(words.end(), text.begin(), text.end());
  }

  tensorc_tensor *const *handles() const {
    return count > few.size() ? many.data() : few.data();
  }
  int32_t size() const { return static_cast<int32_t>(count); }
  /// Flags for tensorc_function_call_into: it owns the handles that are
  /// flagged; null: none.
  const uint8_t *take() {
    if (given.empty())
      return nullptr;
    donated.resize(count);
    // Of several handles of one value the first is given up, and the value is
    // kept for the others.
    std::unordered_map<const tensorc_tensor *, size_t> first;
    for (auto [argument, x] : given) {
      bool isFirst = given.size() == 1 ||
                     first.emplace(handles()[argument], argument).second;
      if (isFirst)
        donated[argument] = x->giveUp() != nullptr;
      else
        kept.push_back(Tensor::take(x->giveUp()));
    }
    return donated.data();
  }
  bool is_traced() const { return isTraced; }
  /// Whether a signature is of such arguments, except for their tensors.
  bool matches(const std::vector<int64_t> &signature) const {
    return signature[0] == typeWord() &&
           signature[1] == static_cast<int64_t>(words.size()) &&
           std::equal(words.begin(), words.end(), signature.begin() + 2);
  }
  /// The type, the words, and of each tensor dtype, device, rank and dims.
  std::vector<int64_t> signature() const {
    std::vector<int64_t> all{typeWord(), static_cast<int64_t>(words.size())};
    all.insert(all.end(), words.begin(), words.end());
    for (size_t i = 0; i < count; ++i) {
      const tensorc_tensor *x = handles()[i];
      const int64_t *dims = tensorc_tensor_dims(x);
      int32_t rank = tensorc_tensor_rank(x);
      all.insert(all.end(),
                 {tensorc_tensor_dtype(x),
                  reinterpret_cast<intptr_t>(tensorc_tensor_device(x)), rank});
      all.insert(all.end(), dims, dims + rank);
    }
    return all;
  }

private:
  explicit Call(const char *of) : type(of) {}
  int64_t typeWord() const { return reinterpret_cast<intptr_t>(type); }

  const char *type; // one address for each list of types
  std::vector<int64_t> words, undefined; // the latter: positions of tensors
  std::array<tensorc_tensor *, 8> few;
  std::vector<tensorc_tensor *> many;
  std::vector<uint8_t> donated; // per tensor, up to the last that is
  std::vector<std::pair<size_t, Tensor *>> given; // those, by position
  std::vector<Tensor> kept; // further handles of what was given
  size_t count = 0;
  int64_t position = 0;
  bool isTraced = false, isGiven = false;
};

/// Set while the thread traces: it then waits for no other thread's trace,
/// which may wait for its own.
inline thread_local bool isTracing = false;

/// While a function is recorded, others record themselves into it.
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

/// A function traced for some arguments.
struct Traced {
  tensorc_function *function = nullptr;
  size_t results = 0;
  /// The value that the function returned, without its tensors, and which of
  /// these were defined.
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

/// The values that stand for captured tensors, by the tensor that a function
/// captured: the same in all its traces. Thread-safe.
class Bindings {
public:
  /// In these traces, and in those to come. A tensor that no trace captured
  /// names the one captured tensor for which it stands.
  void rebind(const std::vector<tensorc_function *> &traces,
              const Tensor &given, const Tensor &value, Location at) {
    std::scoped_lock lock(mutex);
    if (put(traces, given, value, at))
      return;
    std::vector<Tensor> originals;
    for (const auto &[original, now] : bound)
      if (now.raw() == given.raw())
        originals.push_back(original);
    if (originals.size() == 1) {
      put(traces, originals[0], value, at);
      return;
    }
    tensorc_location made = tensorc_tensor_location(given.raw());
    fail("rebind",
         originals.empty()
             ? std::string("no trace has captured the tensor of ") +
                   (made.file ? made.file : "?") + ":" +
                   std::to_string(made.line) +
                   " with its value; evaluate it before the first call, and do "
                   "not declare it constant"
             : "the tensor stands for " + std::to_string(originals.size()) +
                   " captured ones; name the one that the function captured",
         at);
  }
  /// In a new trace.
  void apply(tensorc_function *trace, Location at) {
    std::scoped_lock lock(mutex);
    for (const auto &[original, now] : bound)
      bind(trace, original, now, at);
  }

private:
  /// Whether a trace has captured the tensor.
  bool put(const std::vector<tensorc_function *> &traces,
           const Tensor &captured, const Tensor &value, Location at) {
    bool isCaptured = false;
    for (tensorc_function *trace : traces)
      isCaptured |= bind(trace, captured, value, at);
    for (auto &[original, now] : bound)
      if (original.raw() == captured.raw()) {
        now = value;
        return true;
      }
    if (isCaptured)
      bound.emplace_back(captured, value);
    return isCaptured;
  }
  static bool bind(tensorc_function *trace, const Tensor &captured,
                   const Tensor &value, Location at) {
    std::vector<tensorc_capture> all = capturesOf(trace);
    bool isCaptured = false;
    for (size_t i = 0; i < all.size(); ++i)
      if (all[i].tensor && all[i].tensor == captured.raw()) {
        check(tensorc_function_rebind(trace, static_cast<int32_t>(i),
                                      value.raw()),
              at);
        isCaptured = true;
      }
    return isCaptured;
  }

  std::mutex mutex;
  std::vector<std::pair<Tensor, Tensor>> bound; // captured, its value now
};

/// The traces of a function; the least recently used ones are dropped.
/// Thread-safe: of several threads that need one trace, the first makes it and
/// the others wait.
class Traces {
public:
  static constexpr size_t capacity = 1024;

  /// `trace` makes a trace that is missing, without what was rebound.
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
        bindings.apply(traced->function, at);
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
      bindings.apply(traced->function, at);
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
    std::scoped_lock lock(mutex);
    std::vector<tensorc_function *> all;
    for (const Entry &entry : entries)
      if (entry.traced)
        all.push_back(entry.traced->function);
    bindings.rebind(all, captured, value, at);
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
    std::shared_ptr<Traced> traced; // null while a thread traces
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
  Bindings bindings;
  ByKey index;
  std::shared_ptr<Traced> last;
  std::atomic<size_t> made{0};
};

} // namespace detail

/// What a traced function took from outside its arguments: fixed since.
struct Capture {
  /// The one that the function captured, also where rebind() put another in its
  /// place. Undefined for a number, such as a literal of the function.
  Tensor tensor;
  double number = 0;
  /// Where the tensor was made, or the number used.
  std::string file;
  unsigned line = 0;
};

/// See jit().
template <typename F> class Jit {
  template <typename... Args>
  using ResultOf =
      detail::Owned<std::invoke_result_t<const F &, const Args &...>>;

public:
  explicit Jit(F f, Location at) : function(std::move(f)), place(at) {}

  /// An argument that is moved, or temporary, gives up its tensors, also if the
  /// call fails: a result may be computed in their memory, unless they have
  /// other owners. Their dtypes, shapes and devices can still be read.
  template <typename... Args>
  auto operator()(Args &&...arguments) const
      -> ResultOf<std::decay_t<Args>...> {
    using Result = ResultOf<std::decay_t<Args>...>;
    auto call = detail::Call::ofGiven<std::decay_t<Args>...>(
        {(!std::is_reference_v<Args> && !std::is_const_v<Args>)...},
        arguments...);
    // Within another trace it is just the function, and may capture tensors of
    // that trace. Likewise a tape records what the function does.
    if (detail::isTracing || call.is_traced() || tensorc_tape_is_recording()) {
      detail::CalledAt called(place);
      return function(std::as_const(arguments)...);
    }
    std::shared_ptr<detail::Traced> traced =
        find<std::decay_t<Args>...>(call, arguments...);
    tensorc_tensor *few[4];
    std::unique_ptr<tensorc_tensor *[]> many;
    tensorc_tensor **results = few;
    if (traced->results > 4)
      results =
          (many = std::make_unique<tensorc_tensor *[]>(traced->results)).get();
    if (const uint8_t *donated = call.take()) {
      tensorc_call_options options{sizeof options, donated, nullptr};
      detail::check(tensorc_function_call_into(traced->function, call.handles(),
                                               &options, results),
                    place);
    } else {
      detail::check(
          tensorc_function_call(traced->function, call.handles(), results),
          place);
    }
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

  /// Bytes that a call with such arguments will allocate at most at one time,
  /// results included; traces the function if need be, and runs nothing.
  template <typename... Args>
  uint64_t memory_required(const Args &...arguments) const {
    uint64_t bytes = 0;
    detail::check(
        tensorc_function_memory(
            find(detail::Call::of(arguments...), arguments...)->function,
            &bytes),
        place);
    return bytes;
  }

  /// Calls with these arguments and computes the results into the arrays: one
  /// array per result, on the function's device, and not overlapping the
  /// arguments.
  template <typename... Args>
  void into(const std::vector<Array> &outputs, const Args &...arguments) const {
    auto call = detail::Call::of(arguments...);
    std::shared_ptr<detail::Traced> traced = find(call, arguments...);
    if (outputs.size() != traced->results)
      detail::fail("into",
                   "there are " + std::to_string(outputs.size()) +
                       " arrays for " + std::to_string(traced->results) +
                       " results",
                   place);
    std::vector<tensorc_rt_buffer *> buffers;
    for (size_t i = 0; i < outputs.size(); ++i) {
      checkOutput(*traced, i, outputs[i]);
      buffers.push_back(outputs[i].raw());
    }
    tensorc_call_options options{sizeof options, nullptr, buffers.data()};
    detail::check(tensorc_function_call_into(traced->function, call.handles(),
                                             &options, nullptr),
                  place);
  }

  /// From the next call on, another value of the same dtype, shape and device
  /// stands for a tensor that the function captured: in traces that exist and
  /// in new ones. Nothing is traced again. `captured` is the tensor that the
  /// function itself holds, whatever stands for it now; so
  /// rebind(captured, captured) restores it. A tensor that the function did not
  /// capture names the captured one for which it stands; it is refused where it
  /// stands for several.
  void rebind(const Tensor &captured, const Tensor &value,
              Location at = Location::current()) const {
    state->rebind(captured, value, at);
  }

  /// How often the function was traced.
  size_t traces() const { return state->traces(); }

  /// What the newest trace took from outside its arguments, literals included:
  /// none before the first call. What rebind() put in place of a captured
  /// tensor is not listed.
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
  void checkOutput(const detail::Traced &traced, size_t i,
                   const Array &output) const {
    tensorc_type type;
    detail::check(tensorc_function_result(traced.function,
                                          static_cast<int32_t>(i), &type),
                  place);
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
                   place);
  }

  template <typename... Args>
  std::shared_ptr<detail::Traced> find(const detail::Call &call,
                                       const Args &...arguments) const {
    return state->find(call, place, [&] { return trace(arguments...); });
  }

  template <typename... Args>
  std::shared_ptr<detail::Traced> trace(const Args &...arguments) const {
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
        detail::applied(function, inputs, place));
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

  Tensor input(const Tensor &like) const {
    tensorc_tensor *out = nullptr;
    tensorc_status *status =
        tensorc_trace_argument_like(like.raw(), place, &out);
    return detail::take(status, out);
  }

  F function;
  Location place;
  /// Shared by copies.
  std::shared_ptr<detail::Traces> state = std::make_shared<detail::Traces>();
};

/// A function that is called once per set of dtypes, shapes and devices, to
/// record what it computes; later calls run that at once. Arguments and results
/// are tensors and what holds them (tensorc/structure.hpp). It must not look at
/// the values of tensors. Numbers and texts are known while it is traced: other
/// ones trace again, and share kernels. Numbers and tensors that it captures
/// are fixed when it is traced; captures() lists them, and rebind() changes
/// them. Other shapes of the same structure are traced again but share kernels;
/// the last 1024 traces are kept.
template <typename F>
Jit<F> jit(F function, Location at = Location::current()) {
  return Jit<F>(std::move(function), at);
}

} // namespace tensorc

#include "tensorc/compile.hpp"

#endif
