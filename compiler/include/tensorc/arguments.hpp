//===- arguments.hpp - arguments of operations; included by tensor.hpp ----===//
// Stands before the guard, because tensor.hpp includes this file at its end.
#include "tensorc/tensor.hpp"

#ifndef TENSORC_ARGUMENTS_HPP
#define TENSORC_ARGUMENTS_HPP

namespace tensorc {

/// A tensor and the source location of the call.
struct Located {
  const Tensor &tensor;
  Location at;
  Located(const Tensor &x, const char *file = __builtin_FILE(),
          unsigned line = __builtin_LINE())
      : tensor(x), at{file, line} {}
  Located(const Element &x, const char *file = __builtin_FILE(),
          unsigned line = __builtin_LINE());
};

/// Argument of an operation: a tensor or a number, and the source location of
/// the call. The handle of a temporary is released once the operation is
/// recorded, so that evaluations do not store values without a name.
class Arg {
public:
  Arg(const Tensor &x, const char *file = __builtin_FILE(),
      unsigned line = __builtin_LINE())
      : value(tensorc_tensor_arg(x.raw())), place{file, line},
        isGivenUp(x.isGivenUp && x.handle), takenAt(x.declared()) {}
  Arg(Tensor &&x, const char *file = __builtin_FILE(),
      unsigned line = __builtin_LINE())
      : value(tensorc_tensor_arg(x.raw())), place{file, line},
        isGivenUp(x.isGivenUp && x.handle), takenAt(x.declared()),
        owned(std::move(x)) {}
  Arg(const Element &element, const char *file = __builtin_FILE(),
      unsigned line = __builtin_LINE());
  Arg(Element &&element, const char *file = __builtin_FILE(),
      unsigned line = __builtin_LINE());
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Arg(T number, const char *file = __builtin_FILE(),
      unsigned line = __builtin_LINE())
      : place{file, line} {
    if constexpr (std::is_same_v<T, bool>)
      value = tensorc_bool_arg(number);
    else if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>)
      value = tensorc_uint_arg(number);
    else if constexpr (std::is_integral_v<T>)
      value = tensorc_int_arg(static_cast<int64_t>(number));
    else
      value = tensorc_float_arg(static_cast<double>(number));
  }

  template <typename T>
  Arg(std::complex<T> number, const char *file = __builtin_FILE(),
      unsigned line = __builtin_LINE())
      : value(tensorc_complex_arg(static_cast<double>(number.real()),
                                  static_cast<double>(number.imag()))),
        place{file, line} {}

  /// Returns the argument for the C function, which refuses an undefined
  /// tensor. Throws for a tensor that was moved into a call.
  const tensorc_arg *raw(const char *op) const {
    if (isGivenUp)
      detail::fail(op, detail::givenUpTo(takenAt), at());
    return &value;
  }
  Location at() const { return place; }
  bool is_tensor() const { return value.kind == TENSORC_ARG_TENSOR; }
  /// Returns the tensor; also throws for a number.
  const tensorc_tensor *tensor(const char *op) const {
    if (!is_tensor())
      detail::fail(op, "needs a tensor, not a number", at());
    return raw(op)->tensor;
  }
  void drop() { owned = Tensor(); }

private:
  tensorc_arg value;
  Location place;
  bool isGivenUp = false;
  Location takenAt{nullptr, 0}; // the call that the tensor was moved into
  Tensor owned;
};

namespace detail {
/// Converts an axis of x to one counted from the front.
inline int64_t axisOf(const char *op, const Arg &x, int64_t axis) {
  const tensorc_tensor *tensor = x.tensor(op);
  if (!tensor)
    fail(op, "the operand is an undefined tensor", x.at());
  int64_t rank = tensorc_tensor_rank(tensor);
  int64_t dim = axis < 0 ? axis + rank : axis;
  if (dim < 0 || dim >= rank)
    fail(op,
         "axis " + std::to_string(axis) + " is outside rank " +
             std::to_string(rank),
         x.at());
  return dim;
}
} // namespace detail

/// Python's slice start:stop:step; `none` stands for an absent start or stop.
struct Range {
  static constexpr int64_t none = TENSORC_NONE;
  int64_t start = none, stop = none, step = 1;
};

namespace detail {
/// Throws if the status is an error. `op` is the function that the user called,
/// if that function consists of several operations; else null.
inline void checkAs(tensorc_status *status, const char *op) {
  if (status && op) {
    std::string message = tensorc_status_message(status);
    int code = tensorc_status_code(status);
    tensorc_status_free(status);
    size_t colon = message.find(": ");
    throw Error(code, colon == std::string::npos ? message
                                                 : op + message.substr(colon));
  }
  check(status);
}
inline Tensor take(tensorc_status *status, tensorc_tensor *out,
                   const char *op = nullptr) {
  checkAs(status, op);
  return Tensor::take(out);
}
/// Calls a function of the C interface on one tensor.
template <typename Fn, typename... Args>
Tensor unary(const char *op, Arg &x, Fn fn, Args... args) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = fn(x.tensor(op), args..., x.at(), &out);
  x.drop();
  return take(status, out);
}
inline tensorc_dtype raw(DType dtype) {
  return static_cast<tensorc_dtype>(dtype);
}
} // namespace detail

/// Returns the dtype of floats that are made without a dtype: f32, unless
/// another one was set.
inline DType default_dtype() {
  return static_cast<DType>(tensorc_default_dtype());
}
/// Sets the default dtype of all threads outside of DefaultDType scopes. Throws
/// if it is neither f32 nor f64.
inline void set_default_dtype(DType dtype, Location at = Location::current()) {
  detail::check(tensorc_set_default_dtype(detail::raw(dtype)), at);
}
/// Sets the calling thread's default dtype for a scope.
class DefaultDType {
public:
  explicit DefaultDType(DType dtype, Location at = Location::current())
      : former(tensorc_thread_dtype()) {
    detail::check(tensorc_set_thread_dtype(detail::raw(dtype)), at);
  }
  DefaultDType(const DefaultDType &) = delete;
  ~DefaultDType() { tensorc_status_free(tensorc_set_thread_dtype(former)); }

private:
  tensorc_dtype former;
};

namespace detail {
inline int32_t rankOf(const Shape &shape) {
  return static_cast<int32_t>(shape.size());
}
inline std::vector<const tensorc_tensor *>
handlesOf(const char *op, const std::vector<Tensor> &tensors, Location at) {
  std::vector<const tensorc_tensor *> handles;
  for (const Tensor &tensor : tensors)
    handles.push_back(tensor.operand(op, at));
  return handles;
}
inline std::vector<tensorc_arg> raw(const char *op,
                                    const std::vector<Arg> &args) {
  std::vector<tensorc_arg> result;
  for (const Arg &arg : args)
    result.push_back(*arg.raw(op));
  return result;
}
} // namespace detail

} // namespace tensorc

#endif
