//===- creation.hpp - tensors of numbers; included by tensorc.hpp ---------===//
// Stands before the guard, because tensorc.hpp includes this file at its end.
#include "tensorc/tensorc.hpp"

#ifndef TENSORC_CREATION_HPP
#define TENSORC_CREATION_HPP

namespace tensorc {

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
/// Copies dense data of a dtype without a C++ type: i4 and ui4, two to a byte,
/// the low nibble first.
inline Tensor from_bytes(DType dtype, const Shape &shape, const void *data,
                         Location at = Location::current()) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_from_data(detail::raw(dtype), detail::rankOf(shape), shape.data(),
                        data, nullptr, at, &out);
  return detail::take(status, out);
}
/// Copies strided data. Strides are in elements.
template <typename T>
Tensor from_strided(const T *data, const Shape &shape, const Shape &strides,
                    Location at = Location::current()) {
  if (strides.size() != shape.size())
    detail::fail("from_strided", "needs one stride per dimension", at);
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_from_data(detail::raw(dtype_of<T>()), detail::rankOf(shape),
                        shape.data(), data, strides.data(), at, &out);
  return detail::take(status, out);
}
/// Returns a tensor that uses the memory until the deleter is called; until
/// then the memory must not be modified. Strides are in elements; an empty list
/// means dense memory. In some cases the data are copied instead (see
/// tensorc_from_strided_memory), for example for devices with separate memory.
template <typename T, typename Deleter>
Tensor from_memory(T *data, const Shape &shape, const Shape &strides,
                   Deleter deleter, Location at = Location::current()) {
  if (!strides.empty() && strides.size() != shape.size())
    detail::fail("from_memory", "needs one stride per dimension", at);
  auto owner = std::make_unique<Deleter>(std::move(deleter));
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_from_strided_memory(
      detail::raw(dtype_of<T>()), detail::rankOf(shape), shape.data(),
      strides.empty() ? nullptr : strides.data(), data,
      [](void *user, void *memory) {
        std::unique_ptr<Deleter> held(static_cast<Deleter *>(user));
        (*held)(static_cast<T *>(memory));
      },
      owner.get(), at, &out);
  if (!status)
    owner.release();
  return detail::take(status, out);
}
template <typename T, typename Deleter,
          typename = std::enable_if_t<!std::is_convertible_v<Deleter, Shape>>>
Tensor from_memory(T *data, const Shape &shape, Deleter deleter,
                   Location at = Location::current()) {
  return from_memory(data, shape, Shape(), std::move(deleter), at);
}
namespace detail {
/// True if i1 or an integer dtype can represent the number, as full() requires.
template <typename T> bool holds(DType dtype, T number) {
  if (dtype == i1)
    return number == T(0) || number == T(1);
  if constexpr (std::is_floating_point_v<T> && sizeof(T) < sizeof(double)) {
    // The limits that are computed below would overflow in f16.
    return holds(dtype, static_cast<double>(number));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (number != std::trunc(number))
      return false;
    if (number >= static_cast<T>(9223372036854775808.0))
      return dtype == DType::ui64 &&
             number < static_cast<T>(18446744073709551616.0);
    return number >= -static_cast<T>(9223372036854775808.0) &&
           holds(dtype, static_cast<int64_t>(number));
  } else {
    bool isUnsigned =
        (dtype >= DType::ui8 && dtype <= DType::ui64) || dtype == DType::ui4;
    int bits = tensorc_rt_dtype_bits(static_cast<tensorc_rt_dtype>(raw(dtype)));
    if (number < static_cast<T>(0))
      return !isUnsigned && (bits == 64 || static_cast<int64_t>(number) >=
                                               -(int64_t(1) << (bits - 1)));
    bits -= isUnsigned ? 0 : 1;
    return bits == 64 || static_cast<uint64_t>(number) >> bits == 0;
  }
}
/// from_data for a vector, also for std::vector<bool>, which stores bits.
template <typename T>
Tensor fromVector(const std::vector<T> &values, const Shape &shape,
                  const TensorOptions &options, Location at) {
  if constexpr (std::is_arithmetic_v<T>)
    if (options.dtype && !is_float(*options.dtype) &&
        !is_complex(*options.dtype))
      for (T value : values)
        if (!holds(*options.dtype, value))
          fail("tensor",
               "value " + textOf(value) + " is outside " + name(*options.dtype),
               at);
  DeviceOf scope(options, at);
  Tensor made;
  if constexpr (std::is_same_v<T, bool>) {
    std::vector<uint8_t> bytes(values.begin(), values.end());
    made = from_data(reinterpret_cast<const bool *>(bytes.data()), shape, at);
  } else {
    made = from_data(values.data(), shape, at);
  }
  return options.dtype
             ? astype(Arg(std::move(made), at.file, at.line), *options.dtype)
             : made;
}
/// Appends the numbers of nested lists. `axis` is the nesting depth of this
/// list.
template <typename T>
void flattenList(const T &number, std::vector<T> &values, Shape &, size_t,
                 Location) {
  values.push_back(number);
}
template <typename Inner, typename T>
void flattenList(std::initializer_list<Inner> list, std::vector<T> &values,
                 Shape &shape, size_t axis, Location at) {
  auto size = static_cast<int64_t>(list.size());
  if (axis == shape.size())
    shape.push_back(size);
  else if (shape[axis] != size)
    fail("tensor",
         axis == 1 ? "rows differ in length" : "lists differ in length", at);
  for (const Inner &inner : list)
    flattenList(inner, values, shape, axis + 1, at);
}
template <typename T, typename Inner>
Tensor fromLists(std::initializer_list<Inner> list,
                 const TensorOptions &options, Location at) {
  std::vector<T> values;
  Shape shape;
  flattenList(list, values, shape, 0, at);
  return fromVector(values, shape, options, at);
}
} // namespace detail

/// Makes a tensor on the options' device, of the options' dtype.
template <typename T>
Tensor tensor(const std::vector<T> &values, const TensorOptions &options = {},
              Location at = Location::current()) {
  return detail::fromVector(values, {static_cast<int64_t>(values.size())},
                            options, at);
}
/// Of rank 0.
template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
Tensor tensor(T number, const TensorOptions &options = {},
              Location at = Location::current()) {
  return detail::fromVector(std::vector<T>{number}, {}, options, at);
}
/// tensor({1, 2, 3})
template <typename T>
Tensor tensor(std::initializer_list<T> list, const TensorOptions &options = {},
              Location at = Location::current()) {
  return detail::fromLists<T>(list, options, at);
}
/// tensor({{1, 2}, {3, 4}})
template <typename T>
Tensor tensor(std::initializer_list<std::initializer_list<T>> list,
              const TensorOptions &options = {},
              Location at = Location::current()) {
  return detail::fromLists<T>(list, options, at);
}
template <typename T>
Tensor tensor(
    std::initializer_list<std::initializer_list<std::initializer_list<T>>> list,
    const TensorOptions &options = {}, Location at = Location::current()) {
  return detail::fromLists<T>(list, options, at);
}
template <typename T>
Tensor tensor(
    std::initializer_list<
        std::initializer_list<std::initializer_list<std::initializer_list<T>>>>
        list,
    const TensorOptions &options = {}, Location at = Location::current()) {
  return detail::fromLists<T>(list, options, at);
}
namespace detail {
inline Tensor full(const char *op, const Shape &shape, Arg value, DType dtype) {
  tensorc_tensor *out = nullptr;
  auto *status = tensorc_full(raw(dtype), rankOf(shape), shape.data(),
                              value.raw(op), value.at(), &out);
  value.drop();
  return detail::take(status, out, op);
}
} // namespace detail
inline Tensor full(const Shape &shape, Arg value,
                   DType dtype = default_dtype()) {
  return detail::full("full", shape, std::move(value), dtype);
}
inline Tensor full(const Shape &shape, Arg value,
                   const TensorOptions &options) {
  detail::DeviceOf scope(options, value.at());
  return full(shape, std::move(value), options.dtype.value_or(default_dtype()));
}
inline Tensor zeros(const Shape &shape, DType dtype = default_dtype(),
                    Location at = Location::current()) {
  return detail::full("zeros", shape, Arg(0, at.file, at.line), dtype);
}
inline Tensor zeros(const Shape &shape, const TensorOptions &options,
                    Location at = Location::current()) {
  detail::DeviceOf scope(options, at);
  return zeros(shape, options.dtype.value_or(default_dtype()), at);
}
inline Tensor ones(const Shape &shape, DType dtype = default_dtype(),
                   Location at = Location::current()) {
  return detail::full("ones", shape, Arg(1, at.file, at.line), dtype);
}
inline Tensor ones(const Shape &shape, const TensorOptions &options,
                   Location at = Location::current()) {
  detail::DeviceOf scope(options, at);
  return ones(shape, options.dtype.value_or(default_dtype()), at);
}
/// Returns zeros, because a value must be a function of its operands.
inline Tensor empty(const Shape &shape, const TensorOptions &options = {},
                    Location at = Location::current()) {
  return zeros(shape, options, at);
}
inline Tensor empty(const Shape &shape, DType dtype,
                    Location at = Location::current()) {
  return zeros(shape, dtype, at);
}

/// Returns a tensor with the shape of x, and with the dtype and device of x
/// unless the options give others.
inline Tensor full_like(const Tensor &x, Arg value,
                        const TensorOptions &options = {}) {
  Location at = value.at();
  TensorOptions all{options.dtype.value_or(x.dtype(at)),
                    options.device ? *options.device : x.device(at)};
  return full(x.shape(at), std::move(value), all);
}
inline Tensor zeros_like(const Tensor &x, const TensorOptions &options = {},
                         Location at = Location::current()) {
  return full_like(x, Arg(0, at.file, at.line), options);
}
inline Tensor ones_like(const Tensor &x, const TensorOptions &options = {},
                        Location at = Location::current()) {
  return full_like(x, Arg(1, at.file, at.line), options);
}
inline Tensor empty_like(const Tensor &x, const TensorOptions &options = {},
                         Location at = Location::current()) {
  return zeros_like(x, options, at);
}
/// A tensor of rank 0.
template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
Tensor scalar(T value, Location at = Location::current()) {
  return detail::full("scalar", {}, Arg(value, at.file, at.line),
                      dtype_of<T>());
}
template <typename T>
Tensor scalar(std::complex<T> value, Location at = Location::current()) {
  return detail::full("scalar", {}, Arg(value, at.file, at.line),
                      dtype_of<std::complex<T>>());
}
/// Integer bounds give i64 by default, as in NumPy.
template <typename Start, typename Stop, typename Step = int,
          typename = std::enable_if_t<std::is_integral_v<Start> &&
                                      std::is_integral_v<Stop> &&
                                      std::is_integral_v<Step>>>
Tensor arange(Start start, Stop stop, Step step = 1, DType dtype = i64,
              Location at = Location::current()) {
  return arange(static_cast<double>(start), static_cast<double>(stop),
                static_cast<double>(step), dtype, at);
}
template <typename Start, typename Stop, typename Step,
          typename = std::enable_if_t<std::is_integral_v<Start> &&
                                      std::is_integral_v<Stop> &&
                                      std::is_integral_v<Step>>>
Tensor arange(Start start, Stop stop, Step step, const TensorOptions &options,
              Location at = Location::current()) {
  detail::DeviceOf scope(options, at);
  return arange(start, stop, step, options.dtype.value_or(i64), at);
}
template <typename Start, typename Stop,
          typename = std::enable_if_t<std::is_arithmetic_v<Start> &&
                                      std::is_arithmetic_v<Stop>>>
Tensor arange(Start start, Stop stop, DType dtype,
              Location at = Location::current()) {
  return arange(static_cast<double>(start), static_cast<double>(stop), 1, dtype,
                at);
}
/// 0, 1, ... stop - 1
inline Tensor arange(int64_t stop, DType dtype = i64,
                     Location at = Location::current()) {
  return arange(0.0, static_cast<double>(stop), 1, dtype, at);
}
inline Tensor arange(int64_t stop, const TensorOptions &options,
                     Location at = Location::current()) {
  detail::DeviceOf scope(options, at);
  return arange(stop, options.dtype.value_or(i64), at);
}
/// Counts from 0 to a floating-point stop: arange(2.5) is 0, 1, 2.
template <typename Stop,
          typename = std::enable_if_t<std::is_floating_point_v<Stop>>>
Tensor arange(Stop stop, DType dtype = default_dtype(),
              Location at = Location::current()) {
  return arange(0.0, static_cast<double>(stop), 1, dtype, at);
}
template <typename Stop,
          typename = std::enable_if_t<std::is_floating_point_v<Stop>>>
Tensor arange(Stop stop, const TensorOptions &options,
              Location at = Location::current()) {
  detail::DeviceOf scope(options, at);
  return arange(stop, options.dtype.value_or(default_dtype()), at);
}

} // namespace tensorc

#endif
