//===- tensor.hpp - handles, errors; included by tensorc.hpp --------------===//
#ifndef TENSORC_TENSOR_HPP
#define TENSORC_TENSOR_HPP

#include "tensorc/tensorc.h"
#include "tensorc/types.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tensorc {

namespace detail {
/// While a function of a header records, the location of the user's call
/// replaces locations in that header, in recorded operations and in errors.
/// Locations in user functions that the header calls are kept, because they are
/// in other files.
class CalledAt {
public:
  explicit CalledAt(Location at, const char *file = __builtin_FILE()) noexcept
      : header(file), caller(userOf(at)), outer(innermost) {
    innermost = this;
  }
  CalledAt(const CalledAt &) = delete;
  ~CalledAt() { innermost = outer; }

  static Location userOf(Location at) noexcept {
    if (at.file)
      for (const CalledAt *call = innermost; call; call = call->outer)
        if (at.file == call->header || !std::strcmp(at.file, call->header))
          return call->caller;
    return at;
  }

private:
  const char *header;
  Location caller;
  const CalledAt *outer;
  static inline thread_local const CalledAt *innermost = nullptr;
};
} // namespace detail

inline Location::operator tensorc_location() const {
  Location at = detail::CalledAt::userOf(*this);
  return {at.file, at.line};
}

namespace detail {
/// Throws an error `op: message  at file:line`.
[[noreturn]] inline void fail(const std::string &op, const std::string &message,
                              tensorc_location at) {
  throw Error(TENSORC_INVALID_ARGUMENT,
              op + ": " + message +
                  (at.file ? "  at " + std::string(at.file) + ":" +
                                 std::to_string(at.line)
                           : ""));
}
/// Throws for a failed status. Errors of evaluations already name the location
/// that recorded the failed operation; to other errors this location is added.
inline void check(tensorc_status *status, tensorc_location at) {
  if (!status)
    return;
  std::string message = tensorc_status_message(status);
  int code = tensorc_status_code(status);
  tensorc_status_free(status);
  if (at.file && message.find("  at ") == std::string::npos)
    message += "  at " + std::string(at.file) + ":" + std::to_string(at.line);
  throw Error(code, message);
}
inline void check(tensorc_status *status) {
  if (!status)
    return;
  Error error(tensorc_status_code(status), tensorc_status_message(status));
  tensorc_status_free(status);
  throw error;
}
/// Returns the shortest text from which the same number can be read.
template <typename T> std::string textOf(T number) {
  std::array<char, 32> text;
  if constexpr (std::is_same_v<T, bool>)
    return number ? "1" : "0";
  else
    return {text.data(),
            std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}
inline std::string text(tensorc_status *status, char *text,
                        tensorc_location at = {nullptr, 0}) {
  check(status, at);
  std::unique_ptr<char, void (*)(char *)> owner(text, tensorc_string_free);
  return text;
}
/// The location at which an undefined tensor was declared.
struct Declaration {
  Declaration(Location at = Location::current()) noexcept : place(at) {}
  Location place;
};
/// Returns the error message for a tensor that was moved into a call.
inline std::string givenUpTo(tensorc_location call) {
  return "the tensor was given up to " +
         (call.file ? "the call at " + std::string(call.file) + ":" +
                          std::to_string(call.line)
                    : std::string("a call")) +
         ", and has no value any more: use what that call returned, or call it "
         "without std::move";
}
class Call;
template <typename T> constexpr bool isComplex = false;
template <typename T> constexpr bool isComplex<std::complex<T>> = true;
} // namespace detail

/// Returns the dtype of an operation on two dtypes; throws if there is none.
inline DType promote(DType a, DType b, Location at = Location::current()) {
  tensorc_dtype common = tensorc_promote(static_cast<tensorc_dtype>(a),
                                         static_cast<tensorc_dtype>(b));
  if (common == 0)
    detail::fail(
        "promote",
        std::string("no common dtype of ") + name(a) + " and " + name(b), at);
  return static_cast<DType>(common);
}

struct Device;
struct TensorOptions;
class Arg;
class Index;
class At;
class Element;
struct TopK;

/// The axes of a reduction: none, which means all axes, one, or a list.
struct Axes {
  std::vector<int64_t> list;
  Axes() = default;
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T> &&
                                                    !std::is_same_v<T, bool>>>
  Axes(T axis) : list{static_cast<int64_t>(axis)} {}
  Axes(std::initializer_list<int64_t> axes) : list(axes) {}
  Axes(std::vector<int64_t> axes) : list(std::move(axes)) {}
  const int64_t *data() const { return list.data(); }
  int32_t size() const { return static_cast<int32_t>(list.size()); }
};

/// A handle to an immutable value, which is computed when it is needed. Copies
/// share the value.
class Tensor {
public:
  /// Makes an undefined tensor. Errors of `if (x)` name the line of the
  /// declaration.
  Tensor(detail::Declaration made = {}) noexcept
      : declaredIn(made.place.file), declaredAt(made.place.line) {}
  /// Throws for x[mask] in a trace, where the number of selected elements is
  /// unknown.
  Tensor(const Element &element);
  Tensor(Element &&element);
  Tensor(const Tensor &other)
      : handle(other.handle), declaredIn(other.declaredIn),
        declaredAt(other.declaredAt), isGivenUp(other.isGivenUp) {
    if (handle)
      tensorc_tensor_retain(handle);
  }
  Tensor(Tensor &&other) noexcept
      : handle(std::exchange(other.handle, nullptr)),
        declaredIn(other.declaredIn), declaredAt(other.declaredAt),
        isGivenUp(other.isGivenUp) {}
  Tensor &operator=(Tensor other) noexcept {
    std::swap(handle, other.handle);
    declaredIn = other.declaredIn;
    declaredAt = other.declaredAt;
    isGivenUp = other.isGivenUp;
    return *this;
  }
  ~Tensor() { tensorc_tensor_release(handle); }

  /// Takes ownership of a handle of the C interface.
  static Tensor take(tensorc_tensor *handle) {
    Tensor tensor(Location{nullptr, 0});
    tensor.handle = handle;
    return tensor;
  }
  /// Passes ownership of the handle to the caller; this tensor becomes
  /// undefined.
  tensorc_tensor *release() {
    return isGivenUp ? nullptr : std::exchange(handle, nullptr);
  }
  /// Returns the handle, which this tensor still owns; null if it is undefined.
  tensorc_tensor *raw() const { return isGivenUp ? nullptr : handle; }
  /// The same for a C function that refuses null itself. Throws an error that
  /// names `called` if this tensor was moved into a call.
  tensorc_tensor *operand(const char *called, Location at) const {
    return isGivenUp && handle ? needed(called, at) : handle;
  }
  /// True if the tensor has a value, computed or not. False for `Tensor x;`,
  /// and for a tensor that was moved into a call of a jit function, whose
  /// dtype, shape and device can still be read.
  bool defined() const { return raw() != nullptr; }
  /// Returns the reason why there is no value, for error messages.
  std::string absence() const {
    return isGivenUp && handle ? detail::givenUpTo(declared())
                               : "the tensor is undefined";
  }
  /// `if (x > 0)`: computes the only element; true unless it is 0. Throws if
  /// there is not exactly one element, or while a function is traced. The error
  /// names the line that recorded or declared the tensor, because a conversion
  /// operator does not know its caller's line.
  explicit operator bool() const { return truth("any() or all()"); }
  /// Negates the only element; ~x negates all elements.
  bool operator!() const {
    return !truth("any() or all(), or negate it with ~");
  }

  DType dtype(Location at = Location::current()) const {
    return static_cast<DType>(tensorc_tensor_dtype(described("dtype", at)));
  }
  int64_t rank(Location at = Location::current()) const {
    return tensorc_tensor_rank(described("rank", at));
  }
  /// dim() and sizes() are PyTorch's names of rank() and shape().
  int64_t dim(Location at = Location::current()) const { return rank(at); }
  Shape sizes(Location at = Location::current()) const { return shape(at); }
  Shape shape(Location at = Location::current()) const {
    const int64_t *dims = tensorc_tensor_dims(settled("shape", at));
    return Shape(dims, dims + rank());
  }
  /// Returns the size along an axis; negative axes count from the end.
  int64_t size(int64_t axis, Location at = Location::current()) const {
    int64_t rank = tensorc_tensor_rank(settled("size", at));
    if (axis < -rank || axis >= rank)
      detail::fail("size",
                   "axis " + std::to_string(axis) + " is outside rank " +
                       std::to_string(rank),
                   at);
    return tensorc_tensor_dims(handle)[axis < 0 ? axis + rank : axis];
  }
  int64_t numel(Location at = Location::current()) const {
    settled("numel", at);
    int64_t count = 1;
    for (int64_t i = 0; i < rank(); ++i)
      count *= tensorc_tensor_dims(handle)[i];
    return count;
  }

  bool is_evaluated(Location at = Location::current()) const {
    return tensorc_tensor_is_evaluated(needed("is_evaluated", at));
  }
  /// True if the value has been computed. On asynchronous devices evaluation
  /// returns earlier.
  bool is_ready(Location at = Location::current()) const;
  /// Computes the value now; returns this. On a device with streams the work
  /// may not have finished when this returns; reading the value waits.
  const Tensor &eval(Location at = Location::current()) const {
    tensorc_tensor *own = needed("eval", at);
    detail::check(tensorc_eval(&own, 1), at);
    return *this;
  }
  /// Returns all elements, row-major. T must be the C++ type of the dtype.
  template <typename T>
  std::vector<T> to_vector(Location at = Location::current()) const {
    checkType(dtype_of<T>(), "to_vector", at);
    eval(at); // evaluates before allocating, because evaluation may fail
    auto count = static_cast<size_t>(numel());
    std::vector<T> values(count);
    if constexpr (std::is_same_v<T, bool>) {
      std::vector<uint8_t> bytes(count);
      detail::check(tensorc_read(handle, bytes.data(), bytes.size()), at);
      values.assign(bytes.begin(), bytes.end());
    } else {
      detail::check(
          tensorc_read(handle, values.data(), values.size() * sizeof(T)), at);
    }
    return values;
  }
  /// Returns the bytes of all elements, for any dtype. 4-bit integers are two
  /// to a byte, the low nibble first.
  std::vector<uint8_t> to_bytes(Location at = Location::current()) const {
    auto bits =
        static_cast<size_t>(tensorc_rt_dtype_bits(static_cast<tensorc_rt_dtype>(
            tensorc_tensor_dtype(needed("to_bytes", at)))));
    eval(at);
    std::vector<uint8_t> bytes((static_cast<size_t>(numel()) * bits + 7) / 8);
    detail::check(tensorc_read(handle, bytes.data(), bytes.size()), at);
    return bytes;
  }
  /// Returns the only element, converted to T; for a complex element T is a
  /// std::complex.
  template <typename T> T item(Location at = Location::current()) const {
    needed("item", at);
    if (tensorc::is_complex(dtype()))
      return complexItem<T>(at);
    if constexpr (detail::isComplex<T>) {
      return T(item<typename T::value_type>(at));
    } else {
      double f;
      int64_t i;
      detail::check(tensorc_item(handle, &f, &i), at);
      if (dtype() == DType::ui64)
        return static_cast<T>(static_cast<uint64_t>(i));
      return is_float(dtype()) ? static_cast<T>(f) : static_cast<T>(i);
    }
  }
  std::string to_string(Location at = Location::current()) const {
    if (!operand("to_string", at))
      return "tensor()";
    char *text = nullptr;
    tensorc_status *status = tensorc_to_string(handle, &text);
    return detail::text(status, text, at);
  }
  /// Returns a tx module that computes only this tensor. (An evaluation may
  /// also store other tensors that have handles.)
  std::string to_mlir(bool symbolic = false,
                      Location at = Location::current()) const {
    char *text = nullptr;
    tensorc_status *status =
        tensorc_to_mlir(needed("to_mlir", at), symbolic, &text);
    return detail::text(status, text, at);
  }

  /// Returns the device that has the value or will compute it; see
  /// tensorc/devices.hpp.
  Device device(Location at = Location::current()) const;
  /// Returns the same value on a device: this tensor if it is there, else a
  /// tensor that is copied when its value is needed.
  Tensor to(const Device &device, Location at = Location::current()) const;
  Tensor to(DType dtype, Location at = Location::current()) const;
  /// Converts to the dtype of the other tensor.
  Tensor type_as(const Tensor &other, Location at = Location::current()) const;
  /// Returns this tensor, because values never change.
  Tensor clone() const { return *this; }
  Tensor cpu(Location at = Location::current()) const;
  /// Without an index, uses the current device if it is a CUDA device, else the
  /// first one, like "cuda".
  Tensor cuda(int index = -1, Location at = Location::current()) const;
  /// Assigns a new value of the same device, dtype and shape to this handle:
  /// another tensor's value, one number, or zeros. Other handles keep the
  /// former value. Not available for temporaries, except for x[i].fill_(2),
  /// which changes x.
  Tensor &copy_(const Tensor &source, Location at = Location::current()) &;
  Tensor &copy_(const Tensor &source,
                Location at = Location::current()) && = delete;
  Tensor &fill_(Arg value) &;
  Tensor &fill_(Arg value) && = delete;
  Tensor &zero_(Location at = Location::current()) &;
  Tensor &zero_(Location at = Location::current()) && = delete;
  /// Does the same as x = x.at({...}).set(value): `x.index_put_({Slice(), 0},
  /// 1)`.
  Tensor &index_put_(const std::vector<Index> &indices, Arg value) &;

  // PyTorch's names, as the functions of tensorc/names.hpp.
  bool allclose(Arg other, double rtol = 1e-5, double atol = 1e-8,
                bool equal_nan = false) const;
  bool equal(const Tensor &other, Location at = Location::current()) const;
  Tensor std(const Axes &axes = {}, double correction = 0,
             bool keepdims = false, Location at = Location::current()) const;
  /// Selects this tensor where the predicate is true, the other one elsewhere.
  Tensor where(Arg pred, Arg other) const;
  /// Returns x[start:stop:step] along one axis.
  Tensor slice(int64_t axis, int64_t start = TENSORC_NONE,
               int64_t stop = TENSORC_NONE, int64_t step = 1,
               Location at = Location::current()) const;
  Tensor view_as(const Tensor &other, Location at = Location::current()) const;
  Tensor reshape_as(const Tensor &other,
                    Location at = Location::current()) const;
  Tensor expand_as(const Tensor &other,
                   Location at = Location::current()) const;
  /// Returns this tensor. Gradients treat it as a constant.
  Tensor detach(Location at = Location::current()) const;
  /// Returns this tensor, because every value is dense.
  Tensor contiguous() const { return *this; }
  Tensor to(const Device &device, DType dtype,
            Location at = Location::current()) const;
  /// Moves to the device and converts to the dtype of the other tensor.
  Tensor to(const Tensor &other, Location at = Location::current()) const;
  DType scalar_type(Location at = Location::current()) const {
    return dtype(at);
  }
  bool is_floating_point(Location at = Location::current()) const {
    return is_float(dtype(at));
  }
  bool is_complex(Location at = Location::current()) const {
    return tensorc::is_complex(dtype(at));
  }
  bool is_cuda(Location at = Location::current()) const;
  /// Returns the index of this tensor's device among the devices of its kind;
  /// -1 on the CPU.
  int get_device(Location at = Location::current()) const;
  /// Returns the dtype and device, as options for new tensors.
  TensorOptions options(Location at = Location::current()) const;
  Tensor new_zeros(const Shape &shape, Location at = Location::current()) const;
  Tensor new_ones(const Shape &shape, Location at = Location::current()) const;
  Tensor new_full(const Shape &shape, Arg value) const;

  /// x[i], x(i, j), x(Slice(1), Ellipsis, rows) are NumPy's x[...]. `x[i] = v`
  /// assigns the updated value to this handle; other handles keep the former
  /// value. See tensorc/indexing.hpp.
  Element operator[](const Index &index) &;
  Tensor operator[](const Index &index) const &;
  template <typename... Rest>
  Element operator()(const Index &first, const Rest &...rest) &;
  template <typename... Rest>
  Tensor operator()(const Index &first, const Rest &...rest) const &;
#ifdef __cpp_multidimensional_subscript
  template <typename... Rest>
  Element operator[](const Index &first, const Index &second,
                     const Rest &...rest) &;
  template <typename... Rest>
  Tensor operator[](const Index &first, const Index &second,
                    const Rest &...rest) const &;
#endif
  /// Returns the part that operator[] returns for these indices.
  Tensor index(const std::vector<Index> &indices,
               Location at = Location::current()) const;
  /// The methods set(value), add, mul, min and max of x.at({...}) return an
  /// updated copy, as in JAX.
  At at(std::vector<Index> indices) const;

// Operators such as `x += y`, which is `x = x + y`, and methods such as x.exp()
// and x.sum(axes), which call the functions of the same names.
#include "tensorc/function_methods.inc"
#include "tensorc/op_methods.inc"

private:
  template <typename T> T complexItem(Location at) const {
    if constexpr (detail::isComplex<T>) {
      if (numel() != 1)
        detail::fail("item",
                     "the tensor has " + std::to_string(numel()) +
                         " elements, not one",
                     at);
      using Part = typename T::value_type;
      double parts[2];
      if (dtype() == DType::c128) {
        detail::check(tensorc_read(handle, parts, sizeof parts), at);
      } else {
        float narrow[2];
        detail::check(tensorc_read(handle, narrow, sizeof narrow), at);
        parts[0] = narrow[0];
        parts[1] = narrow[1];
      }
      return T(static_cast<Part>(parts[0]), static_cast<Part>(parts[1]));
    } else {
      detail::fail("item",
                   std::string("the tensor is ") + name(dtype()) +
                       "; take std::complex, or real(x) or imag(x)",
                   at);
    }
  }
  friend class Arg;
  friend class detail::Call;
  /// Returns the handle for reading the dtype, shape or device, even if this
  /// tensor was moved into a call.
  tensorc_tensor *described(const char *what, Location at) const {
    if (!handle)
      detail::fail(what, absence(), at);
    return handle;
  }
  /// Computes sizes that depend on values, and then returns the handle.
  tensorc_tensor *settled(const char *what, Location at) const {
    detail::check(tensorc_tensor_settle(described(what, at)), at);
    return handle;
  }
  tensorc_tensor *needed(const char *what, Location at) const {
    if (isGivenUp && handle)
      detail::fail(what, absence(), at);
    return described(what, at);
  }
  /// Moves the handle into a call. dtype, shape and device can still be read.
  tensorc_tensor *giveUp(Location call);
  void checkType(DType wanted, const char *what, Location at) const {
    if (auto is = static_cast<DType>(tensorc_tensor_dtype(needed(what, at)));
        is != wanted)
      detail::fail(what,
                   std::string("the tensor is ") + name(is) + ", not " +
                       name(wanted) + "; convert with astype",
                   at);
  }
  bool truth(const char *remedy) const;
  Location declared() const { return {declaredIn, declaredAt}; }
  tensorc_tensor *handle = nullptr;
  /// The location of the declaration, or of the call that the tensor was moved
  /// into.
  const char *declaredIn;
  unsigned declaredAt;
  /// True if the value was moved into a call.
  bool isGivenUp = false;
};

inline bool Tensor::truth(const char *remedy) const {
  if (!defined())
    detail::fail("bool",
                 handle ? absence() : "the tensor is undefined; ask defined()",
                 declared());
  tensorc_location place = tensorc_tensor_location(handle);
  Location at{place.file, place.line};
  if (tensorc_tensor_is_traced(handle))
    detail::fail("bool",
                 "the value is not known while " +
                     std::string(tensorc_tracer()) +
                     " traces a function; where() chooses between values",
                 at);
  if (int64_t count = numel(at); count != 1)
    detail::fail("bool",
                 "the tensor has " + std::to_string(count) +
                     " elements; reduce it with " + remedy,
                 at);
  if (tensorc::is_complex(dtype()))
    return complexItem<std::complex<double>>(at) != 0.0;
  double f;
  int64_t i;
  detail::check(tensorc_item(handle, &f, &i), at);
  return is_float(dtype()) ? f != 0 : i != 0;
}

} // namespace tensorc

#include "tensorc/arguments.hpp"

#endif
