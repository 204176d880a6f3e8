//===- tensor.hpp - handles, errors, arguments; included by tensorc.hpp ---===//
#ifndef TENSORC_TENSOR_HPP
#define TENSORC_TENSOR_HPP

#include "tensorc/tensorc.h"
#include "tensorc/types.hpp"

#include <array>
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

/// The dtype of an operation on two dtypes; throws if there is none.
inline DType promote(DType a, DType b) {
  tensorc_dtype common = tensorc_promote(static_cast<tensorc_dtype>(a),
                                         static_cast<tensorc_dtype>(b));
  if (common == 0)
    throw Error(TENSORC_INVALID_ARGUMENT, (std::string("no common dtype of ") +
                                           name(a) + " and " + name(b))
                                              .c_str());
  return static_cast<DType>(common);
}

/// Where a call is made. Clang 14 has no std::source_location.
struct Location {
  const char *file;
  unsigned line;
  static Location current(const char *file = __builtin_FILE(),
                          unsigned line = __builtin_LINE()) {
    return {file, line};
  }
  operator tensorc_location() const { return {file, line}; }
};

namespace detail {
inline void check(tensorc_status *status) {
  if (!status)
    return;
  Error error(tensorc_status_code(status), tensorc_status_message(status));
  tensorc_status_free(status);
  throw error;
}
inline std::string text(tensorc_status *status, char *text) {
  check(status);
  std::unique_ptr<char, void (*)(char *)> owner(text, tensorc_string_free);
  return text;
}
} // namespace detail

struct Axes;

/// A handle to an immutable value, computed when it is needed. Copies share it.
class Tensor {
public:
  Tensor() = default;
  Tensor(const Tensor &other) : handle(other.handle) {
    if (handle)
      tensorc_tensor_retain(handle);
  }
  Tensor(Tensor &&other) noexcept
      : handle(std::exchange(other.handle, nullptr)) {}
  Tensor &operator=(Tensor other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Tensor() { tensorc_tensor_release(handle); }

  /// Takes over a handle of the C interface.
  static Tensor take(tensorc_tensor *handle) {
    Tensor tensor;
    tensor.handle = handle;
    return tensor;
  }
  /// The handle, still owned by this; null for an empty Tensor.
  tensorc_tensor *raw() const { return handle; }
  explicit operator bool() const { return handle != nullptr; }

  DType dtype() const {
    return static_cast<DType>(tensorc_tensor_dtype(needed()));
  }
  int64_t rank() const { return tensorc_tensor_rank(needed()); }
  Shape shape() const {
    const int64_t *dims = tensorc_tensor_dims(needed());
    return Shape(dims, dims + rank());
  }
  /// The size along an axis, which may be negative.
  int64_t size(int64_t axis) const {
    if (axis < -rank() || axis >= rank())
      throw Error(TENSORC_INVALID_ARGUMENT, "size: axis is outside the rank");
    return tensorc_tensor_dims(handle)[axis < 0 ? axis + rank() : axis];
  }
  int64_t numel() const {
    int64_t count = 1;
    for (int64_t i = 0; i < rank(); ++i)
      count *= tensorc_tensor_dims(handle)[i];
    return count;
  }

  bool is_evaluated() const { return tensorc_tensor_is_evaluated(needed()); }
  /// Computes the value now; returns this.
  const Tensor &eval() const {
    detail::check(tensorc_eval(&handle, 1));
    return *this;
  }
  /// All elements, row-major. T must be the type of the dtype.
  template <typename T> std::vector<T> to_vector() const {
    checkType(dtype_of<T>(), "to_vector");
    std::vector<T> values(numel());
    if constexpr (std::is_same_v<T, bool>) {
      std::vector<uint8_t> bytes(numel());
      detail::check(tensorc_read(handle, bytes.data(), bytes.size()));
      values.assign(bytes.begin(), bytes.end());
    } else {
      detail::check(
          tensorc_read(handle, values.data(), values.size() * sizeof(T)));
    }
    return values;
  }
  /// The only element, converted.
  template <typename T> T item() const {
    double f;
    int64_t i;
    detail::check(tensorc_item(handle, &f, &i));
    return dtype() >= DType::f16 ? static_cast<T>(f) : static_cast<T>(i);
  }
  std::string to_string() const {
    char *text = nullptr;
    tensorc_status *status = tensorc_to_string(handle, &text);
    return detail::text(status, text);
  }
  /// The tx module that evaluating this would compile.
  std::string to_mlir(bool symbolic = false) const {
    char *text = nullptr;
    tensorc_status *status = tensorc_to_mlir(handle, symbolic, &text);
    return detail::text(status, text);
  }

  Tensor astype(DType dtype, Location at = Location::current()) const;
  Tensor reshape(const Shape &shape, Location at = Location::current()) const;
  /// Without axes: all reversed.
  Tensor transpose(const Shape &axes = {},
                   Location at = Location::current()) const;

private:
  tensorc_tensor *needed() const {
    if (!handle)
      throw Error(TENSORC_INVALID_ARGUMENT, "the tensor is empty");
    return handle;
  }
  void checkType(DType wanted, const char *what) const {
    if (dtype() != wanted)
      throw Error(TENSORC_INVALID_ARGUMENT,
                  (std::string(what) + ": the tensor is " + name(dtype()) +
                   ", not " + name(wanted) + "; convert with astype")
                      .c_str());
  }
  tensorc_tensor *handle = nullptr;
};

/// What operations take: a tensor or a number, and where the call is. A
/// temporary is let go of once the operation is recorded, so that what has no
/// name is not computed for its own sake.
class Arg {
public:
  Arg(const Tensor &tensor, const char *file = __builtin_FILE(),
      unsigned line = __builtin_LINE())
      : value(tensorc_tensor_arg(tensor.raw())), place{file, line} {}
  Arg(Tensor &&tensor, const char *file = __builtin_FILE(),
      unsigned line = __builtin_LINE())
      : value(tensorc_tensor_arg(tensor.raw())), place{file, line},
        owned(std::move(tensor)) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Arg(T number, const char *file = __builtin_FILE(),
      unsigned line = __builtin_LINE())
      : place{file, line} {
    if constexpr (std::is_same_v<T, bool>)
      value = tensorc_bool_arg(number);
    else if constexpr (std::is_integral_v<T>)
      value = tensorc_int_arg(static_cast<int64_t>(number));
    else
      value = tensorc_float_arg(static_cast<double>(number));
  }

  const tensorc_arg &raw() const { return value; }
  tensorc_location at() const { return {place.file, place.line}; }
  /// The tensor; throws for a number.
  const tensorc_tensor *tensor() const {
    if (value.kind != TENSORC_ARG_TENSOR || !value.value.tensor)
      throw Error(TENSORC_INVALID_ARGUMENT,
                  value.kind == TENSORC_ARG_TENSOR
                      ? "the tensor is empty"
                      : "needs a tensor, not a number");
    return value.value.tensor;
  }
  void drop() { owned = Tensor(); }

private:
  tensorc_arg value;
  Location place;
  Tensor owned;
};

/// The axes of a reduction: none (all), one, or a list.
struct Axes {
  std::vector<int64_t> list;
  Axes() = default;
  Axes(int axis) : list{axis} {}
  Axes(int64_t axis) : list{axis} {}
  Axes(std::initializer_list<int64_t> axes) : list(axes) {}
  Axes(std::vector<int64_t> axes) : list(std::move(axes)) {}
  const int64_t *data() const { return list.data(); }
  int32_t size() const { return static_cast<int32_t>(list.size()); }
};

/// Python's start:stop:step; none stands for an absent start or stop.
struct Range {
  static constexpr int64_t none = TENSORC_NONE;
  int64_t start = none, stop = none, step = 1;
};

namespace detail {
template <typename... Args>
tensorc_location where(const Arg &first, const Args &...) {
  return first.at();
}
inline Tensor take(tensorc_status *status, tensorc_tensor *out) {
  check(status);
  return Tensor::take(out);
}
/// Calls a function of the C interface on one tensor.
template <typename Fn, typename... Args>
Tensor unary(Arg &x, Fn fn, Args... args) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = fn(x.tensor(), args..., x.at(), &out);
  x.drop();
  return take(status, out);
}
inline tensorc_dtype raw(DType dtype) {
  return static_cast<tensorc_dtype>(dtype);
}
inline int32_t rankOf(const Shape &shape) {
  return static_cast<int32_t>(shape.size());
}
} // namespace detail

} // namespace tensorc

#endif
