//===- runtime.hpp - load packages and run them, from C++ -----------------===//
//
//   tensorc::Module model = tensorc::load("digits.tcpkg");
//   tensorc::Array y = model(tensorc::view(pixels, {1, 784}), 0.5f);
//   std::vector<float> scores = y.to_vector<float>();
//
// C++17, header only, over tensorc/runtime.h; a program needs libtensorc_rt and
// nothing else. Errors are tensorc::Error, thrown in the caller's object code.
// Objects are handles, and copies refer to the same thing. Different handles
// may be used from several threads at once; for a single handle object the
// rules of a shared_ptr object hold.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_HPP
#define TENSORC_RUNTIME_HPP

#include "tensorc/communicator.h"
#include "tensorc/types.hpp"

#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace tensorc {

namespace detail {
inline void checkRuntime(tensorc_rt_status *status) {
  if (!status)
    return;
  std::unique_ptr<tensorc_rt_status, void (*)(tensorc_rt_status *)> owner(
      status, tensorc_rt_status_free);
  throw Error(tensorc_rt_status_code(status),
              tensorc_rt_status_message(status));
}
/// Calls fn. If its error has no location, adds the location of the user's
/// call.
template <typename Fn> auto callFrom(Location at, Fn fn) -> decltype(fn()) {
  try {
    return fn();
  } catch (const Error &error) {
    std::string message = error.what();
    if (!at.file || message.find("  at ") != std::string::npos)
      throw;
    throw Error(error.code(), message + "  at " + at.file + ":" +
                                  std::to_string(at.line));
  }
}
inline size_t byteSize(DType dtype, const Shape &shape) {
  size_t size = 0;
  checkRuntime(tensorc_rt_byte_size(static_cast<tensorc_rt_dtype>(dtype),
                                    static_cast<int32_t>(shape.size()),
                                    shape.data(), &size));
  return size;
}
inline std::shared_ptr<tensorc_rt_buffer>
allocateBuffer(tensorc_rt_device *device, size_t size) {
  tensorc_rt_buffer *buffer = nullptr;
  checkRuntime(tensorc_rt_buffer_allocate(device, size, &buffer));
  return {buffer, tensorc_rt_buffer_release};
}
/// Returns the nearest float with this many bits of exponent and mantissa.
inline uint16_t narrowFloat(double value, int exponentBits, int mantissaBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  auto infinity = static_cast<uint32_t>((2 * bias + 1) << mantissaBits);
  if (std::isnan(value))
    return static_cast<uint16_t>(sign | infinity | 1u << (mantissaBits - 1));
  if (value == 0 || std::isinf(value))
    return static_cast<uint16_t>(sign | (value == 0 ? 0 : infinity));
  int exponent = std::ilogb(value);
  if (exponent < 1 - bias)
    exponent = 1 - bias;
  if (exponent > bias)
    return static_cast<uint16_t>(sign | infinity);
  // A normal number has an implicit leading bit, which adds one to the
  // exponent's field.
  double units =
      std::nearbyint(std::ldexp(std::fabs(value), mantissaBits - exponent));
  uint32_t bits = (static_cast<uint32_t>(exponent + bias - 1) << mantissaBits) +
                  static_cast<uint32_t>(units);
  return static_cast<uint16_t>(sign | (bits < infinity ? bits : infinity));
}
} // namespace detail

/// Dense, row-major data in a device's memory.
class Array {
public:
  Array() = default;
  /// Shares a buffer that is at least as large as the shape needs.
  Array(std::shared_ptr<tensorc_rt_buffer> memory, DType dtype, Shape shape)
      : buffer(std::move(memory)), type(dtype), dims(std::move(shape)) {}

  explicit operator bool() const { return buffer != nullptr; }
  DType dtype() const { return type; }
  const Shape &shape() const { return dims; }
  int64_t numel() const {
    int64_t count = 1;
    for (int64_t dim : dims)
      count *= dim;
    return count;
  }
  /// Returns the buffer, which this object still owns.
  tensorc_rt_buffer *raw() const { return buffer.get(); }

  /// Returns all elements, row-major, once `stream` has computed them. T must
  /// be the type of the dtype. i1 may also be read as uint8_t, and 8-bit floats
  /// are always read as uint8_t.
  template <typename T>
  std::vector<T> to_vector(tensorc_rt_stream *stream = nullptr) const {
    checkType<T>("to_vector");
    std::vector<T> values(static_cast<size_t>(numel()));
    if constexpr (std::is_same_v<T, bool>) {
      std::vector<uint8_t> bytes = to_vector<uint8_t>(stream);
      values.assign(bytes.begin(), bytes.end());
    } else {
      detail::checkRuntime(tensorc_rt_buffer_read(raw(), 0, values.data(),
                                                  values.size() * sizeof(T),
                                                  stream));
    }
    return values;
  }
  /// Returns the elements in place, valid as long as this object. For host
  /// devices only.
  template <typename T> const T *data() const {
    checkType<T>("data");
    tensorc_rt_device_properties properties;
    tensorc_rt_device_get_properties(tensorc_rt_buffer_device(raw()),
                                     &properties);
    if (!properties.host_visible)
      throw Error(TENSORC_RT_UNSUPPORTED,
                  std::string("data: the host cannot touch the memory of ") +
                      properties.name + "; copy it with to_vector");
    return static_cast<const T *>(tensorc_rt_buffer_data(raw()));
  }

private:
  template <typename T> void checkType(const char *what) const {
    if (!buffer)
      throw Error(TENSORC_RT_INVALID_ARGUMENT,
                  std::string(what) + ": the array is empty");
    bool isByte = std::is_same_v<T, uint8_t> &&
                  (type == DType::i1 || type == DType::f8e4m3fn ||
                   type == DType::f8e5m2);
    if (type != dtype_of<T>() && !isByte)
      throw Error(TENSORC_RT_INVALID_ARGUMENT,
                  std::string(what) + ": the array is " + name(type) +
                      ", not " + name(dtype_of<T>()));
  }
  std::shared_ptr<tensorc_rt_buffer> buffer;
  DType type = DType::f32;
  Shape dims;
};

/// Wraps host memory as an array that does not own it, to receive results of
/// calls. Results are computed in place if the address is a multiple of 64.
template <typename T>
Array wrap(T *data, Shape shape, const std::string &device = "cpu") {
  tensorc_rt_device *on = nullptr;
  tensorc_rt_buffer *buffer = nullptr;
  detail::checkRuntime(tensorc_rt_device_find(device.c_str(), &on));
  detail::checkRuntime(tensorc_rt_buffer_wrap(
      on, data, detail::byteSize(dtype_of<T>(), shape), nullptr, nullptr,
      &buffer));
  return Array({buffer, tensorc_rt_buffer_release}, dtype_of<T>(),
               std::move(shape));
}

/// One argument of a call: a number, host memory, or an Array. To pass a type
/// of yours, declare `tensorc::Argument as_argument(const Yours &)` in its
/// namespace.
class Argument {
public:
  /// A number, converted to the dtype of the entry's scalar or array of rank 0.
  /// Throws an Error if it does not fit.
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Argument(T number)
      : kind(std::is_floating_point_v<T> ? Real : Integer),
        real(static_cast<double>(number)),
        integer(std::is_floating_point_v<T> ? 0 : static_cast<int64_t>(number)) {
  }
  /// Dense host memory, copied by the call; see view().
  Argument(const void *data, DType type, Shape sizes)
      : kind(Host), dtype(type), shape(std::move(sizes)), host(data) {}
  /// A vector, which has one dimension. It must live until the call returns.
  template <typename T>
  Argument(const std::vector<T> &values)
      : Argument(values.data(), dtype_of<T>(),
                 {static_cast<int64_t>(values.size())}) {}
  Argument(Array value) : kind(Device), array(std::move(value)) {}
  template <typename T,
            typename = decltype(as_argument(std::declval<const T &>()))>
  Argument(const T &value) : Argument(as_argument(value)) {}

private:
  friend class Entry;
  enum { Real, Integer, Host, Device } kind;
  double real = 0;
  int64_t integer = 0;
  DType dtype = DType::f32;
  Shape shape;
  const void *host = nullptr;
  Array array;

  [[noreturn]] void refuse(const tensorc_rt_value_info &info,
                           const std::string &why) const {
    throw Error(TENSORC_RT_INVALID_ARGUMENT,
                std::string("argument ") + info.name + why);
  }
  template <typename T>
  uint64_t integerBits(const tensorc_rt_value_info &info) const {
    if (kind == Real && !(real >= -9223372036854775808.0 &&
                          real < 9223372036854775808.0 &&
                          real == std::trunc(real)))
      refuse(info, " is not an integer: " + std::to_string(real));
    int64_t value = kind == Real ? static_cast<int64_t>(real) : integer;
    // For 64-bit types the bits are passed unchanged, so there is no range
    // check.
    if (sizeof(T) < 8 && static_cast<int64_t>(static_cast<T>(value)) != value)
      refuse(info, " does not hold " + std::to_string(value));
    return static_cast<uint64_t>(value);
  }
  /// Returns the number as the low bytes of a word.
  uint64_t bits(const tensorc_rt_value_info &info) const {
    uint64_t word = 0;
    auto single = static_cast<float>(real);
    switch (static_cast<DType>(info.dtype)) {
    case DType::f32:
      std::memcpy(&word, &single, sizeof(single));
      return word;
    case DType::f64:
      std::memcpy(&word, &real, sizeof(real));
      return word;
    case DType::f16:
      return detail::narrowFloat(real, 5, 10);
    case DType::bf16:
      return detail::narrowFloat(real, 8, 7);
    case DType::i1:
      return real != 0;
    case DType::i8:
      return integerBits<int8_t>(info);
    case DType::i16:
      return integerBits<int16_t>(info);
    case DType::i32:
      return integerBits<int32_t>(info);
    case DType::ui8:
      return integerBits<uint8_t>(info);
    case DType::ui16:
      return integerBits<uint16_t>(info);
    case DType::ui32:
      return integerBits<uint32_t>(info);
    case DType::i64:
    case DType::ui64:
    case DType::index:
      return integerBits<int64_t>(info);
    default:
      refuse(info, std::string(" is ") + tensorc_rt_dtype_name(info.dtype) +
                       ", which a number cannot be");
    }
  }
  /// Returns an array in the device's memory. An array that is already there is
  /// not copied.
  Array onDevice(const tensorc_rt_value_info &info,
                 tensorc_rt_device *device) const {
    if (kind == Device)
      return array;
    DType type = kind == Host ? dtype : static_cast<DType>(info.dtype);
    uint64_t word = kind == Host ? 0 : bits(info);
    const void *from = kind == Host ? host : &word;
    size_t size = detail::byteSize(type, shape);
    if (!from && size)
      refuse(info, " has no data");
    Array result(detail::allocateBuffer(device, size), type, shape);
    detail::checkRuntime(
        tensorc_rt_buffer_write(result.raw(), 0, from, size, nullptr));
    return result;
  }
};

namespace detail {
/// An argument of a call with the location of the call.
struct LocatedArgument : Argument {
  Location at;
  template <typename T, typename = std::enable_if_t<
                            std::is_constructible_v<Argument, const T &>>>
  LocatedArgument(const T &value, const char *file = __builtin_FILE(),
                  unsigned line = __builtin_LINE())
      : Argument(callFrom({file, line}, [&] { return Argument(value); })),
        at{file, line} {}
};
} // namespace detail

/// Passes dense, row-major host memory as an argument. The call copies it, so
/// it must live until the call returns.
template <typename T> Argument view(const T *data, Shape shape) {
  return Argument(data, dtype_of<T>(), std::move(shape));
}
template <typename T> Argument view(const std::vector<T> &values, Shape shape) {
  if (detail::byteSize(dtype_of<T>(), shape) != values.size() * sizeof(T))
    throw Error(TENSORC_RT_INVALID_ARGUMENT,
                "view: " + std::to_string(values.size()) +
                    " values do not fill the shape");
  return Argument(values.data(), dtype_of<T>(), std::move(shape));
}

/// The results of a call: one array per output of the entry.
class Results : public std::vector<Array> {
public:
  using std::vector<Array>::vector;
  /// Returns the only result.
  operator Array() const {
    if (size() != 1)
      throw Error(TENSORC_RT_INVALID_ARGUMENT,
                  "the entry has " + std::to_string(size()) +
                      " outputs, expected one");
    return front();
  }
};

/// An input or output of an entry.
struct Value {
  std::string name;
  DType dtype;
  bool is_scalar;
  Shape dims; // -1 for a dim whose size is not static
  std::vector<std::string> dim_names; // "64", "n", "n * 2 + 1"
};

/// A flag that cancels the runs whose options contain it, see
/// tensorc_rt_cancel. Copies share one cancellation.
class Cancellation {
public:
  Cancellation() {
    tensorc_rt_cancellation *made = nullptr;
    detail::checkRuntime(tensorc_rt_cancellation_create(&made));
    handle = {made, tensorc_rt_cancellation_release};
  }
  /// Cancels; may be called from a signal handler.
  void cancel() const noexcept { tensorc_rt_cancel(raw()); }
  tensorc_rt_cancellation *raw() const { return handle.get(); }

private:
  std::shared_ptr<tensorc_rt_cancellation> handle;
};

/// Limits that end a run early, see tensorc_rt_run_options.
struct RunOptions {
  std::optional<Cancellation> cancellation;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  uint64_t max_instructions = 0; // 0: the default
  /// Not owned. The default is the calling thread's communicator.
  tensorc_rt_communicator *communicator = tensorc_rt_thread_communicator();

  /// Returns the C options, valid as long as this object.
  tensorc_rt_run_options raw() const {
    using std::chrono::nanoseconds;
    int64_t at = !deadline ? 0
                           : std::chrono::duration_cast<nanoseconds>(
                                 deadline->time_since_epoch())
                                 .count();
    return {sizeof(tensorc_rt_run_options),
            cancellation ? cancellation->raw() : nullptr, at, max_instructions,
            communicator};
  }
};

/// While an object of this class exists, its options are the default options of
/// the calling thread's runs, including runs of the JIT. Afterwards runs have
/// no default options except the previous communicator.
class ScopedRunOptions {
public:
  explicit ScopedRunOptions(const RunOptions &options) {
    former = {sizeof(tensorc_rt_run_options), nullptr, 0, 0,
              tensorc_rt_thread_communicator()};
    tensorc_rt_communicator_retain(former.communicator);
    tensorc_rt_run_options raw = options.raw();
    detail::checkRuntime(tensorc_rt_set_run_options(&raw));
  }
  ~ScopedRunOptions() {
    tensorc_rt_status_free(tensorc_rt_set_run_options(&former));
    tensorc_rt_communicator_release(former.communicator);
  }
  ScopedRunOptions(const ScopedRunOptions &) = delete;
  ScopedRunOptions &operator=(const ScopedRunOptions &) = delete;

private:
  tensorc_rt_run_options former;
};

/// A function of a module, which it keeps alive.
class Entry {
public:
  std::string name() const { return tensorc_rt_entry_name(entry); }
  std::vector<Value> inputs() const {
    return values(tensorc_rt_entry_input_count(entry), tensorc_rt_entry_input);
  }
  std::vector<Value> outputs() const {
    return values(tensorc_rt_entry_output_count(entry),
                  tensorc_rt_entry_output);
  }
  const tensorc_rt_entry *raw() const { return entry; }

  template <typename... Rest>
  Results operator()(const detail::LocatedArgument &first,
                     const Rest &...rest) const {
    return detail::callFrom(first.at, [&] {
      return call({first, Argument(rest)...}, nullptr, nullptr);
    });
  }
  Results operator()(Location at = Location::current()) const {
    return run({}, nullptr, at);
  }
  /// Runs the entry. With a stream, the call returns before the work is
  /// finished, see tensorc_rt_run.
  Results run(const std::vector<Argument> &arguments,
              tensorc_rt_stream *stream = nullptr,
              Location at = Location::current()) const {
    return detail::callFrom(
        at, [&] { return call(arguments, stream, nullptr); });
  }
  Results run(const std::vector<Argument> &arguments, const RunOptions &options,
              tensorc_rt_stream *stream = nullptr,
              Location at = Location::current()) const {
    tensorc_rt_run_options raw = options.raw();
    return detail::callFrom(at, [&] { return call(arguments, stream, &raw); });
  }

private:
  friend class Module;
  Results call(const std::vector<Argument> &arguments,
               tensorc_rt_stream *stream,
               const tensorc_rt_run_options *options) const {
    std::vector<tensorc_rt_arg> args(arguments.size());
    std::vector<Array> arrays(arguments.size());
    for (size_t i = 0; i < args.size(); ++i) {
      if (static_cast<int32_t>(i) >= tensorc_rt_entry_input_count(entry))
        break; // The runtime then reports that there are too many arguments.
      tensorc_rt_value_info info;
      detail::checkRuntime(
          tensorc_rt_entry_input(entry, static_cast<int32_t>(i), &info));
      const Argument &argument = arguments[i];
      bool isNumber =
          argument.kind == Argument::Real || argument.kind == Argument::Integer;
      args[i] = {};
      if (isNumber && info.is_scalar) {
        args[i].word = argument.bits(info);
        continue;
      }
      arrays[i] =
          argument.onDevice(info, tensorc_rt_module_device(module.get()));
      args[i].buffer = arrays[i].raw();
      args[i].dims = arrays[i].shape().data();
      args[i].rank = static_cast<int32_t>(arrays[i].shape().size());
      args[i].dtype = static_cast<tensorc_rt_dtype>(arrays[i].dtype());
    }
    std::vector<tensorc_rt_output> outputs(
        static_cast<size_t>(tensorc_rt_entry_output_count(entry)));
    Results results(outputs.size());
    detail::checkRuntime(tensorc_rt_run_with(
        entry, args.data(), static_cast<int32_t>(args.size()), outputs.data(),
        static_cast<int32_t>(outputs.size()), stream, options));
    std::vector<std::shared_ptr<tensorc_rt_buffer>> owners(outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i)
      owners[i] = {outputs[i].buffer, tensorc_rt_buffer_release};
    for (size_t i = 0; i < outputs.size(); ++i)
      results[i] = Array(owners[i], static_cast<DType>(outputs[i].dtype),
                         Shape(outputs[i].dims,
                               outputs[i].dims + outputs[i].rank));
    return results;
  }
  Entry(std::shared_ptr<tensorc_rt_module> owner,
        const tensorc_rt_entry *found)
      : module(std::move(owner)), entry(found) {}
  template <typename Describe>
  std::vector<Value> values(int32_t count, Describe describe) const {
    std::vector<Value> list;
    for (int32_t i = 0; i < count; ++i) {
      tensorc_rt_value_info info;
      detail::checkRuntime(describe(entry, i, &info));
      list.push_back({info.name, static_cast<DType>(info.dtype),
                      info.is_scalar != 0,
                      Shape(info.dims, info.dims + info.rank),
                      {info.dim_names, info.dim_names + info.rank}});
    }
    return list;
  }
  std::shared_ptr<tensorc_rt_module> module;
  const tensorc_rt_entry *entry;
};

/// A package that is loaded for a device.
class Module {
public:
  /// Takes ownership of a handle of the C interface.
  static Module take(tensorc_rt_module *handle) {
    Module module;
    module.handle = {handle, tensorc_rt_module_release};
    return module;
  }
  tensorc_rt_module *raw() const { return handle.get(); }

  /// Returns the entry of this name; without a name, the only entry or "main".
  Entry entry(const std::string &name = "",
              Location at = Location::current()) const {
    return detail::callFrom(at, [&] {
      const tensorc_rt_entry *found = nullptr;
      detail::checkRuntime(tensorc_rt_module_find(
          raw(), name.empty() ? nullptr : name.c_str(), &found));
      return Entry(handle, found);
    });
  }
  std::vector<Entry> entries() const {
    std::vector<Entry> list;
    for (int32_t i = 0; i < tensorc_rt_module_entry_count(raw()); ++i)
      list.push_back(Entry(handle, tensorc_rt_module_entry(raw(), i)));
    return list;
  }
  /// Calls the only entry, or the entry "main".
  template <typename... Rest>
  Results operator()(const detail::LocatedArgument &first,
                     const Rest &...rest) const {
    return entry("", first.at)(first, rest...);
  }
  Results operator()(Location at = Location::current()) const {
    return entry("", at)(at);
  }
  std::string compiler() const { return tensorc_rt_module_compiler(raw()); }
  std::string target() const { return tensorc_rt_module_target(raw()); }

private:
  std::shared_ptr<tensorc_rt_module> handle;
};

/// Tells whether a load reads all constants and compares them with their
/// hashes.
enum class VerifyConstants { No, Yes };

namespace detail {
inline tensorc_rt_device *findDevice(const std::string &name) {
  tensorc_rt_device *device = nullptr;
  checkRuntime(
      tensorc_rt_device_find(name.empty() ? nullptr : name.c_str(), &device));
  return device;
}
/// Returns options that are valid as long as the text.
inline tensorc_rt_load_options loadOptions(const std::string &sha256,
                                           VerifyConstants verify) {
  return {sizeof(tensorc_rt_load_options),
          sha256.empty() ? nullptr : sha256.c_str(), 0,
          verify == VerifyConstants::Yes};
}
} // namespace detail

/// Loads a package file for a device ("": the default device). With a SHA-256,
/// in hexadecimal, any other file is refused.
inline Module load(const std::string &path, const std::string &device = "",
                   const std::string &sha256 = "",
                   VerifyConstants verify = VerifyConstants::No,
                   Location at = Location::current()) {
  return detail::callFrom(at, [&] {
    tensorc_rt_module *module = nullptr;
    tensorc_rt_load_options options = detail::loadOptions(sha256, verify);
    detail::checkRuntime(tensorc_rt_load_with(detail::findDevice(device),
                                              path.c_str(), &options, &module));
    return Module::take(module);
  });
}
/// Loads a package from memory, which is copied.
inline Module load_bytes(const void *data, size_t size,
                         const std::string &device = "",
                         const std::string &sha256 = "",
                         VerifyConstants verify = VerifyConstants::No,
                         Location at = Location::current()) {
  return detail::callFrom(at, [&] {
    tensorc_rt_module *module = nullptr;
    tensorc_rt_load_options options = detail::loadOptions(sha256, verify);
    detail::checkRuntime(tensorc_rt_load_bytes_with(
        detail::findDevice(device), data, size, TENSORC_RT_COPY, nullptr,
        nullptr, &options, &module));
    return Module::take(module);
  });
}

/// From now on loads only packages with these SHA-256 digests, see
/// tensorc_rt_trust_only.
inline void trust_only(const std::vector<std::string> &digests) {
  std::vector<const char *> list;
  for (const std::string &digest : digests)
    list.push_back(digest.c_str());
  detail::checkRuntime(tensorc_rt_trust_only(
      list.data(), static_cast<int32_t>(list.size())));
}
inline void trust_all() { tensorc_rt_trust_all(); }

} // namespace tensorc

#endif
