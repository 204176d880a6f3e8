//===- jit.hpp - functions traced once; included by tensorc.hpp -----------===//
#ifndef TENSORC_JIT_HPP
#define TENSORC_JIT_HPP

#include "tensorc/devices.h"
#include "tensorc/tensorc.hpp"

#include <atomic>
#include <condition_variable>
#include <list>
#include <unordered_map>

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

/// Set while the thread traces: it then waits for no other thread's trace,
/// which may wait for its own.
inline thread_local bool isTracing = false;

/// A function traced for some arguments.
struct Traced {
  tensorc_function *function = nullptr;
  size_t results = 0;
  ~Traced() { tensorc_function_release(function); }
};

/// The traces of a function, the least recently used of which go. Thread-safe;
/// several threads that need one trace wait for the first.
class Traces {
public:
  using Handles = tensorc_tensor *const *;
  static constexpr size_t capacity = 1024;

  /// `trace` makes what is missing.
  template <typename Trace>
  std::shared_ptr<Traced> find(Handles arguments, size_t count, Trace trace) {
    std::unique_lock lock(mutex);
    if (!entries.empty() && accepts(entries.front(), arguments, count))
      return entries.front().traced;
    Signature signature = signatureOf(arguments, count);
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
        return trace();
      }
      changed.wait(lock);
    }
    entries.push_front({});
    auto entry = entries.begin();
    auto [place, isNew] = index.emplace(std::move(signature), entry);
    entry->place = place;
    lock.unlock();
    std::shared_ptr<Traced> made;
    try {
      made = trace();
    } catch (...) {
      lock.lock();
      index.erase(entry->place);
      entries.erase(entry);
      changed.notify_all();
      throw;
    }
    lock.lock();
    entry->traced = last = made;
    changed.notify_all();
    trim();
    return made;
  }
  void noteTrace() { ++count; }
  size_t traces() const { return count; }
  std::shared_ptr<Traced> newest() {
    std::scoped_lock lock(mutex);
    return last;
  }

private:
  /// Of each argument: dtype, device, rank, dims.
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

  static bool accepts(const Entry &entry, Handles arguments, size_t count) {
    return entry.traced &&
           tensorc_function_accepts(entry.traced->function, arguments,
                                    static_cast<int32_t>(count));
  }
  static Signature signatureOf(Handles arguments, size_t count) {
    Signature signature;
    for (size_t i = 0; i < count; ++i) {
      const tensorc_tensor *x = arguments[i];
      const int64_t *dims = tensorc_tensor_dims(x);
      int32_t rank = tensorc_tensor_rank(x);
      signature.insert(
          signature.end(),
          {tensorc_tensor_dtype(x),
           reinterpret_cast<intptr_t>(tensorc_tensor_device(x)), rank});
      signature.insert(signature.end(), dims, dims + rank);
    }
    return signature;
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
  ByKey index;
  std::shared_ptr<Traced> last;
  std::atomic<size_t> count{0};
};

} // namespace detail

/// What a traced function took from outside its arguments: fixed since.
struct Capture {
  /// Undefined for a number, which may be a literal of the function.
  Tensor tensor;
  double number = 0;
  /// Where the tensor was made, or the number used.
  std::string file;
  unsigned line = 0;
};

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
    std::shared_ptr<detail::Traced> traced = find<Result>(handles, arguments...);
    tensorc_tensor *few[4];
    std::unique_ptr<tensorc_tensor *[]> many;
    tensorc_tensor **results = few;
    if (traced->results > 4)
      results =
          (many = std::make_unique<tensorc_tensor *[]>(traced->results)).get();
    detail::check(
        tensorc_function_call(traced->function, handles.data(), results),
        place);
    return detail::Results<Result>::make(results, traced->results);
  }

  /// Bytes that a call with such arguments will allocate at most at one time,
  /// results included; traces the function if need be, and runs nothing.
  template <typename... Tensors>
  uint64_t memory_required(const Tensors &...arguments) const {
    using Result = std::invoke_result_t<const F &, const Tensors &...>;
    std::array<tensorc_tensor *, sizeof...(arguments)> handles{
        arguments.raw()...};
    uint64_t bytes = 0;
    detail::check(tensorc_function_memory(
                      find<Result>(handles, arguments...)->function, &bytes),
                  place);
    return bytes;
  }

  /// How often the function was traced.
  size_t traces() const { return state->traces(); }

  /// What the newest trace took from outside its arguments, literals included:
  /// none before the first call.
  std::vector<Capture> captures() const {
    std::shared_ptr<detail::Traced> traced = state->newest();
    if (!traced)
      return {};
    std::vector<tensorc_capture> raw(static_cast<size_t>(
        tensorc_function_captures(traced->function, nullptr, 0)));
    tensorc_function_captures(traced->function, raw.data(),
                              static_cast<int32_t>(raw.size()));
    std::vector<Capture> result;
    for (const tensorc_capture &from : raw) {
      auto *handle = const_cast<tensorc_tensor *>(from.tensor);
      tensorc_tensor_retain(handle);
      result.push_back({Tensor::take(handle), from.number,
                        from.at.file ? from.at.file : "", from.at.line});
    }
    return result;
  }

private:
  template <typename Result, size_t N, typename... Tensors>
  std::shared_ptr<detail::Traced>
  find(const std::array<tensorc_tensor *, N> &handles,
       const Tensors &...arguments) const {
    return state->find(handles.data(), N,
                       [&] { return trace<Result>(arguments...); });
  }

  template <typename Result, typename... Tensors>
  std::shared_ptr<detail::Traced> trace(const Tensors &...arguments) const {
    struct Scope {
      bool outer = std::exchange(detail::isTracing, true);
      ~Scope() { detail::isTracing = outer; }
    } scope;
    auto call = [&](const auto &...inputs) {
      std::vector<Tensor> results =
          detail::Results<Result>::list(function(inputs...));
      std::array<tensorc_tensor *, sizeof...(inputs)> in{inputs.raw()...};
      std::vector<tensorc_tensor *> out;
      for (const Tensor &result : results)
        out.push_back(result.raw());
      auto traced = std::make_shared<detail::Traced>();
      traced->results = out.size();
      detail::check(tensorc_function_create(
                        in.data(), static_cast<int32_t>(in.size()), out.data(),
                        static_cast<int32_t>(out.size()), &traced->function),
                    place);
      return traced;
    };
    state->noteTrace();
    return call(input(arguments)...);
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

/// A function of tensors that is called once per set of dtypes and shapes, to
/// record what it computes; later calls run that at once. It returns a Tensor,
/// or a pair, tuple or vector of them, and must not look at values. Numbers and
/// tensors that it captures are fixed when it is traced; captures() lists them.
/// Other shapes of the same structure are traced again but share kernels; the
/// last 1024 traces are kept.
template <typename F>
Jit<F> jit(F function, Location at = Location::current()) {
  return Jit<F>(std::move(function), at);
}

} // namespace tensorc

#endif
