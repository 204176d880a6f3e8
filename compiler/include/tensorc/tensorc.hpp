//===- tensorc.hpp - record, compile and run tensor expressions -----------===//
//
//   tensorc::Tensor x = tensorc::tensor({1.0f, 2.0f, 3.0f});
//   tensorc::Tensor y = tensorc::softmax(x * 2 + 1);   // nothing has run
//   std::cout << y;                                    // now it has
//
// C++20, header only, over the C interface. Errors are tensorc::Error, thrown
// in the caller's object code where the expression is built, with its file and
// line. Threads: as in tensorc.h; one Tensor object is used like one
// shared_ptr object.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TENSORC_HPP
#define TENSORC_TENSORC_HPP

#include "tensorc/ops.h"
#include "tensorc/tensorc.h"

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

/// Whatever a program can do wrong: the message names op, shapes, dtypes and
/// place.
class Error : public std::runtime_error {
public:
  Error(tensorc_code code, const char *message)
      : std::runtime_error(message), status(code) {}
  tensorc_code code() const { return status; }

private:
  tensorc_code status;
};

using Shape = std::vector<int64_t>;

enum class DType {
  i1 = TENSORC_I1,
  i8 = TENSORC_I8,
  i16 = TENSORC_I16,
  i32 = TENSORC_I32,
  i64 = TENSORC_I64,
  ui8 = TENSORC_UI8,
  ui16 = TENSORC_UI16,
  ui32 = TENSORC_UI32,
  ui64 = TENSORC_UI64,
  f16 = TENSORC_F16,
  bf16 = TENSORC_BF16,
  f32 = TENSORC_F32,
  f64 = TENSORC_F64
};
inline constexpr DType i1 = DType::i1, i8 = DType::i8, i16 = DType::i16,
                       i32 = DType::i32, i64 = DType::i64, ui8 = DType::ui8,
                       ui16 = DType::ui16, ui32 = DType::ui32,
                       ui64 = DType::ui64, f16 = DType::f16, bf16 = DType::bf16,
                       f32 = DType::f32, f64 = DType::f64;

inline const char *name(DType dtype) {
  return tensorc_dtype_name(static_cast<tensorc_dtype>(dtype));
}
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

/// Elements of f16 and bf16 tensors, as bits.
struct float16 {
  uint16_t bits;
};
struct bfloat16 {
  uint16_t bits;
};

/// The dtype that holds elements of T.
template <typename T> constexpr DType dtype_of() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, bool>)
    return DType::i1;
  else if constexpr (std::is_same_v<U, float>)
    return DType::f32;
  else if constexpr (std::is_same_v<U, double>)
    return DType::f64;
  else if constexpr (std::is_same_v<U, float16>)
    return DType::f16;
  else if constexpr (std::is_same_v<U, bfloat16>)
    return DType::bf16;
  else {
    static_assert(std::is_integral_v<U>, "no dtype holds this type");
    constexpr int log = sizeof(U) == 1   ? 0
                        : sizeof(U) == 2 ? 1
                        : sizeof(U) == 4 ? 2
                                         : 3;
    return static_cast<DType>((std::is_signed_v<U> ? TENSORC_I8 : TENSORC_UI8) +
                              log);
  }
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

//===----------------------------------------------------------------------===//
// Element-wise operations, as ir/tx defines them
//===----------------------------------------------------------------------===//

#include "tensorc/ops.hpp"

inline Tensor operator+(Arg x, Arg y) {
  return add(std::move(x), std::move(y));
}
inline Tensor operator-(Arg x, Arg y) {
  return sub(std::move(x), std::move(y));
}
inline Tensor operator*(Arg x, Arg y) {
  return mul(std::move(x), std::move(y));
}
inline Tensor operator/(Arg x, Arg y) {
  return div(std::move(x), std::move(y));
}
inline Tensor operator-(Arg x) { return neg(std::move(x)); }
inline Tensor operator==(Arg x, Arg y) {
  return eq(std::move(x), std::move(y));
}
inline Tensor operator!=(Arg x, Arg y) {
  return ne(std::move(x), std::move(y));
}
inline Tensor operator<(Arg x, Arg y) { return lt(std::move(x), std::move(y)); }
inline Tensor operator<=(Arg x, Arg y) {
  return le(std::move(x), std::move(y));
}
inline Tensor operator>(Arg x, Arg y) { return gt(std::move(x), std::move(y)); }
inline Tensor operator>=(Arg x, Arg y) {
  return ge(std::move(x), std::move(y));
}
inline Tensor operator&(Arg x, Arg y) {
  return bitwise_and(std::move(x), std::move(y));
}
inline Tensor operator|(Arg x, Arg y) {
  return bitwise_or(std::move(x), std::move(y));
}
inline Tensor operator~(Arg x) { return bitwise_not(std::move(x)); }

/// x where the predicate is true, y elsewhere.
inline Tensor where(Arg pred, Arg x, Arg y) {
  return select(std::move(pred), std::move(x), std::move(y));
}

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

/// Copies dense data.
template <typename T>
Tensor from_data(const T *data, const Shape &shape,
                 Location at = Location::current()) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_from_data(detail::raw(dtype_of<T>()), detail::rankOf(shape),
                        shape.data(), data, nullptr, at, &out);
  return detail::take(status, out);
}
/// Copies strided data; strides in elements.
template <typename T>
Tensor from_strided(const T *data, const Shape &shape, const Shape &strides,
                    Location at = Location::current()) {
  if (strides.size() != shape.size())
    throw Error(TENSORC_INVALID_ARGUMENT,
                "from_strided: needs one stride per dimension");
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_from_data(detail::raw(dtype_of<T>()), detail::rankOf(shape),
                        shape.data(), data, strides.data(), at, &out);
  return detail::take(status, out);
}
/// Uses dense memory in place (if it is aligned to 64 bytes, else copies) until
/// it calls the deleter; nobody may write there meanwhile.
template <typename T, typename Deleter>
Tensor from_memory(T *data, const Shape &shape, Deleter deleter,
                   Location at = Location::current()) {
  auto owner = std::make_unique<Deleter>(std::move(deleter));
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_from_memory(
      detail::raw(dtype_of<T>()), detail::rankOf(shape), shape.data(), data,
      [](void *user, void *data) {
        std::unique_ptr<Deleter> owner(static_cast<Deleter *>(user));
        (*owner)(static_cast<T *>(data));
      },
      owner.get(), at, &out);
  if (!status)
    owner.release();
  return detail::take(status, out);
}
template <typename T>
Tensor tensor(const std::vector<T> &values, Location at = Location::current()) {
  Shape shape{static_cast<int64_t>(values.size())};
  if constexpr (std::is_same_v<T, bool>) {
    std::vector<uint8_t> bytes(values.begin(), values.end());
    return from_data(reinterpret_cast<const bool *>(bytes.data()), shape, at);
  } else {
    return from_data(values.data(), shape, at);
  }
}
/// tensor({1, 2, 3})
template <typename T>
Tensor tensor(std::initializer_list<T> values,
              Location at = Location::current()) {
  return from_data(values.begin(), {static_cast<int64_t>(values.size())}, at);
}
/// tensor({{1, 2}, {3, 4}})
template <typename T>
Tensor tensor(std::initializer_list<std::initializer_list<T>> rows,
              Location at = Location::current()) {
  std::vector<T> values;
  size_t columns = rows.size() ? rows.begin()->size() : 0;
  for (const auto &row : rows) {
    if (row.size() != columns)
      throw Error(TENSORC_INVALID_ARGUMENT, "tensor: rows differ in length");
    values.insert(values.end(), row.begin(), row.end());
  }
  Shape shape{static_cast<int64_t>(rows.size()), static_cast<int64_t>(columns)};
  if constexpr (std::is_same_v<T, bool>) {
    std::vector<uint8_t> bytes(values.begin(), values.end());
    return from_data(reinterpret_cast<const bool *>(bytes.data()), shape, at);
  } else {
    return from_data(values.data(), shape, at);
  }
}
inline Tensor full(const Shape &shape, Arg value, DType dtype = f32) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_full(detail::raw(dtype), detail::rankOf(shape), shape.data(),
                   value.raw(), value.at(), &out);
  value.drop();
  return detail::take(status, out);
}
inline Tensor zeros(const Shape &shape, DType dtype = f32,
                    Location at = Location::current()) {
  return full(shape, Arg(0, at.file, at.line), dtype);
}
inline Tensor ones(const Shape &shape, DType dtype = f32,
                   Location at = Location::current()) {
  return full(shape, Arg(1, at.file, at.line), dtype);
}
/// A tensor of rank 0.
template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
Tensor scalar(T value, Location at = Location::current()) {
  return full({}, Arg(value, at.file, at.line), dtype_of<T>());
}
inline Tensor arange(double start, double stop, double step = 1,
                     DType dtype = f32, Location at = Location::current()) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_arange(detail::raw(dtype), start, stop, step, at, &out);
  return detail::take(status, out);
}
/// 0, 1, ... stop - 1
inline Tensor arange(int64_t stop, DType dtype = i64,
                     Location at = Location::current()) {
  return arange(0.0, static_cast<double>(stop), 1, dtype, at);
}
inline Tensor linspace(double start, double stop, int64_t count,
                       DType dtype = f32, Location at = Location::current()) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_linspace(detail::raw(dtype), start, stop, count, at, &out);
  return detail::take(status, out);
}
/// Columns -1: as many as rows.
inline Tensor eye(int64_t rows, int64_t columns = -1, int64_t diagonal = 0,
                  DType dtype = f32, Location at = Location::current()) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_eye(detail::raw(dtype), rows, columns < 0 ? rows : columns,
                  diagonal, at, &out);
  return detail::take(status, out);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

inline Tensor astype(Arg x, DType dtype) {
  return detail::unary(x, tensorc_astype, detail::raw(dtype));
}
inline Tensor reshape(Arg x, const Shape &shape) {
  return detail::unary(x, tensorc_reshape, detail::rankOf(shape), shape.data());
}
inline Tensor transpose(Arg x, const Shape &axes = {}) {
  return detail::unary(x, tensorc_transpose, detail::rankOf(axes), axes.data());
}
inline Tensor permute(Arg x, const Shape &axes) {
  return transpose(std::move(x), axes);
}
inline Tensor broadcast_to(Arg x, const Shape &shape) {
  return detail::unary(x, tensorc_broadcast_to, detail::rankOf(shape),
                       shape.data());
}
inline Tensor expand_dims(Arg x, int64_t axis) {
  return detail::unary(x, tensorc_expand_dims, axis);
}
inline Tensor squeeze(Arg x, const Axes &axes = {}) {
  return detail::unary(x, tensorc_squeeze, axes.size(), axes.data());
}
/// slice(x, {{0, 2}, {}, {Range::none, Range::none, -1}})
inline Tensor slice(Arg x, const std::vector<Range> &ranges) {
  Shape starts, stops, steps;
  for (const Range &range : ranges) {
    starts.push_back(range.start);
    stops.push_back(range.stop);
    steps.push_back(range.step);
  }
  return detail::unary(x, tensorc_slice, detail::rankOf(starts), starts.data(),
                       stops.data(), steps.data());
}
inline Tensor pad(Arg x, const Shape &low, const Shape &high, Arg value = 0,
                  const Shape &interior = {}) {
  size_t rank = tensorc_tensor_rank(x.tensor());
  if (low.size() != rank || high.size() != rank ||
      (!interior.empty() && interior.size() != rank))
    throw Error(TENSORC_INVALID_ARGUMENT, "pad: needs one padding per axis");
  Tensor result =
      detail::unary(x, tensorc_pad, low.data(), high.data(),
                    interior.empty() ? nullptr : interior.data(), value.raw());
  value.drop();
  return result;
}
inline Tensor concatenate(const std::vector<Tensor> &tensors, int64_t axis = 0,
                          Location at = Location::current()) {
  std::vector<const tensorc_tensor *> handles;
  for (const Tensor &tensor : tensors)
    handles.push_back(tensor.raw());
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_concatenate(
      handles.data(), static_cast<int32_t>(handles.size()), axis, at, &out);
  return detail::take(status, out);
}
/// Tensors of one shape along a new axis.
inline Tensor stack(const std::vector<Tensor> &tensors, int64_t axis = 0,
                    Location at = Location::current()) {
  std::vector<Tensor> expanded;
  for (const Tensor &tensor : tensors)
    expanded.push_back(expand_dims(Arg(tensor, at.file, at.line), axis));
  return concatenate(expanded, axis, at);
}
inline Tensor Tensor::astype(DType dtype, Location at) const {
  return tensorc::astype(Arg(*this, at.file, at.line), dtype);
}
inline Tensor Tensor::reshape(const Shape &shape, Location at) const {
  return tensorc::reshape(Arg(*this, at.file, at.line), shape);
}
inline Tensor Tensor::transpose(const Shape &axes, Location at) const {
  return tensorc::transpose(Arg(*this, at.file, at.line), axes);
}

//===----------------------------------------------------------------------===//
// Reductions, contractions, composites
//===----------------------------------------------------------------------===//

namespace detail {
inline Tensor reduce(tensorc_reduction reduction, Arg &x, const Axes &axes,
                     bool keepdims) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_reduce(reduction, x.tensor(), axes.size(),
                                          axes.data(), keepdims, x.at(), &out);
  x.drop();
  return take(status, out);
}
} // namespace detail

inline Tensor sum(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return detail::reduce(TENSORC_SUM, x, axes, keepdims);
}
inline Tensor prod(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return detail::reduce(TENSORC_PROD, x, axes, keepdims);
}
inline Tensor max(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return detail::reduce(TENSORC_MAX, x, axes, keepdims);
}
inline Tensor min(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return detail::reduce(TENSORC_MIN, x, axes, keepdims);
}
inline Tensor any(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return detail::reduce(TENSORC_ANY, x, axes, keepdims);
}
inline Tensor all(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return detail::reduce(TENSORC_ALL, x, axes, keepdims);
}
inline Tensor argmax(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return detail::reduce(TENSORC_ARGMAX, x, axes, keepdims);
}
inline Tensor mean(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return detail::reduce(TENSORC_MEAN, x, axes, keepdims);
}
/// Divides by the count less `correction`.
inline Tensor var(Arg x, const Axes &axes = {}, double correction = 0,
                  bool keepdims = false) {
  return detail::unary(x, tensorc_var, axes.size(), axes.data(), correction,
                       static_cast<int32_t>(keepdims));
}
/// NumPy's matmul.
inline Tensor matmul(Arg x, Arg y) {
  Tensor result = detail::unary(x, tensorc_matmul, y.tensor());
  y.drop();
  return result;
}
inline Tensor relu(Arg x) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_activate(TENSORC_RELU, x.tensor(), x.at(), &out);
  x.drop();
  return detail::take(status, out);
}
namespace detail {
inline Tensor activate(tensorc_activation activation, Arg &x) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_activate(activation, x.tensor(), x.at(), &out);
  x.drop();
  return take(status, out);
}
} // namespace detail
inline Tensor sigmoid(Arg x) { return detail::activate(TENSORC_SIGMOID, x); }
inline Tensor silu(Arg x) { return detail::activate(TENSORC_SILU, x); }
inline Tensor gelu(Arg x, bool approximate = false) {
  return detail::activate(approximate ? TENSORC_GELU_TANH : TENSORC_GELU, x);
}
inline Tensor softmax(Arg x, int64_t axis = -1) {
  return detail::unary(x, tensorc_softmax, axis);
}
inline Tensor log_softmax(Arg x, int64_t axis = -1) {
  return detail::unary(x, tensorc_log_softmax, axis);
}
/// Over the last axis.
inline Tensor layer_norm(Arg x, const Tensor &scale = {},
                         const Tensor &bias = {}, double epsilon = 1e-5) {
  return detail::unary(
      x, tensorc_layer_norm, static_cast<const tensorc_tensor *>(scale.raw()),
      static_cast<const tensorc_tensor *>(bias.raw()), epsilon);
}

//===----------------------------------------------------------------------===//
// Evaluation, devices, counters
//===----------------------------------------------------------------------===//

/// Computes several values together: what they share is computed once.
template <typename... Tensors>
void eval(const Tensor &first, const Tensors &...rest) {
  std::array<tensorc_tensor *, 1 + sizeof...(rest)> handles{first.raw(),
                                                            rest.raw()...};
  detail::check(
      tensorc_eval(handles.data(), static_cast<int32_t>(handles.size())));
}
inline void eval(const std::vector<Tensor> &tensors) {
  std::vector<tensorc_tensor *> handles;
  for (const Tensor &tensor : tensors)
    handles.push_back(tensor.raw());
  detail::check(
      tensorc_eval(handles.data(), static_cast<int32_t>(handles.size())));
}

inline std::ostream &operator<<(std::ostream &os, const Tensor &tensor) {
  return os << tensor.to_string();
}

/// "cpu", "cpu:0", "reference"
struct Device {
  std::string name;
};
inline void set_default_device(const std::string &name) {
  detail::check(tensorc_set_default_device(name.c_str()));
}
inline void set_default_device(const Device &device) {
  set_default_device(device.name);
}
inline Device default_device() {
  char *text = nullptr;
  tensorc_status *status = tensorc_default_device(&text);
  return {detail::text(status, text)};
}

using CompileStats = tensorc_compile_stats;
inline CompileStats compile_stats() {
  CompileStats stats;
  tensorc_get_compile_stats(&stats);
  return stats;
}
inline void reset_compile_stats(bool forget_kernels = false) {
  tensorc_reset_compile_stats(forget_kernels);
}
/// Names of the kernels of the last run, in order.
inline std::vector<std::string> last_kernels() {
  char *text = nullptr;
  tensorc_status *status = tensorc_last_kernels(&text);
  std::string all = detail::text(status, text);
  std::vector<std::string> names;
  for (size_t begin = 0, end; begin < all.size(); begin = end + 1) {
    end = std::min(all.find('\n', begin), all.size());
    names.push_back(all.substr(begin, end - begin));
  }
  return names;
}

} // namespace tensorc

#include "tensorc/jit.hpp"

#endif
