//===- tensorc.hpp - record, compile and run tensor expressions -----------===//
//
//   tensorc::Tensor x = tensorc::tensor({1.0f, 2.0f, 3.0f});
//   tensorc::Tensor y = tensorc::softmax(x * 2 + 1);   // nothing has run
//   std::cout << y;                                    // now it has
//
// C++17, header only, over the C interface. Errors are tensorc::Error, thrown
// in the caller's object code where the expression is built, with its file and
// line. Threads: as in tensorc.h; one Tensor object is used like one
// shared_ptr object.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TENSORC_HPP
#define TENSORC_TENSORC_HPP

#include "tensorc/devices.hpp"
#include "tensorc/functions.hpp"
#include "tensorc/indexing.hpp"
#include "tensorc/ops.h"
#include "tensorc/structure.hpp"
#include "tensorc/tensor.hpp"

#include <algorithm>
#include <cmath>

namespace tensorc {

//===----------------------------------------------------------------------===//
// Element-wise operations, as ir/tx defines them
//===----------------------------------------------------------------------===//

#include "tensorc/ops.hpp"

/// x where the predicate is true, y elsewhere.
inline Tensor where(Arg pred, Arg x, Arg y) {
  tensorc_tensor *out = nullptr;
  auto *status = tensorc_select(pred.raw("where"), x.raw("where"),
                                y.raw("where"), pred.at(), &out);
  for (Arg *arg : {&pred, &x, &y})
    arg->drop();
  return detail::take(status, out, "where");
}

/// Where a mask selects, by a choice between the former elements and the new.
inline void Element::combine(Tensor (*op)(Arg, Arg), const Arg &y) {
  Location at = y.at();
  auto here = [&](const Tensor &tensor) {
    return Arg(tensor, at.file, at.line);
  };
  if (!has_mask()) {
    Tensor result = op(here(*this), y);
    set(here(result));
    return;
  }
  checkAlone(at);
  Tensor all = op(here(*x), y), mask = indices[0].tensor();
  if (is_float(all.dtype()) != is_float(x->dtype()))
    detail::fail("at",
                 std::string("a value of ") + name(all.dtype()) +
                     " is not of the kind of " + name(x->dtype()),
                 at);
  Shape dims = mask.shape();
  dims.resize(static_cast<size_t>(x->rank()), 1);
  store(where(here(mask.reshape(dims, at)), here(all.astype(x->dtype(), at)),
              here(*x)),
        at);
}
inline void Element::operator+=(const Arg &y) && { combine(tensorc::add, y); }
inline void Element::operator-=(const Arg &y) && { combine(tensorc::sub, y); }
inline void Element::operator*=(const Arg &y) && { combine(tensorc::mul, y); }
inline void Element::operator/=(const Arg &y) && { combine(tensorc::div, y); }
inline void Element::operator%=(const Arg &y) && { combine(tensorc::mod, y); }
inline void Element::operator&=(const Arg &y) && {
  combine(tensorc::bitwise_and, y);
}
inline void Element::operator|=(const Arg &y) && {
  combine(tensorc::bitwise_or, y);
}
inline void Element::operator^=(const Arg &y) && {
  combine(tensorc::bitwise_xor, y);
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
/// Copies dense data of a dtype that has no type here: i4 and ui4, two to a
/// byte, the low nibble first.
inline Tensor from_bytes(DType dtype, const Shape &shape, const void *data,
                         Location at = Location::current()) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_from_data(detail::raw(dtype), detail::rankOf(shape), shape.data(),
                        data, nullptr, at, &out);
  return detail::take(status, out);
}
/// Copies strided data; strides in elements.
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
/// Uses memory in place until it calls the deleter; nobody may write there
/// meanwhile. Strides in elements; none: dense. tensorc_from_strided_memory
/// says what is copied instead: for devices with memory of their own, all.
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
/// Whether i1 or a dtype of integers has a number, as full() asks.
template <typename T> bool holds(DType dtype, T number) {
  if (dtype == i1)
    return number == T(0) || number == T(1);
  if constexpr (std::is_floating_point_v<T>) {
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
/// from_data of a vector, whose bools are bits.
template <typename T>
Tensor fromVector(const std::vector<T> &values, const Shape &shape,
                  const TensorOptions &options, Location at) {
  if constexpr (std::is_arithmetic_v<T>)
    if (options.dtype && !is_float(*options.dtype) &&
        !is_complex(*options.dtype))
      for (T value : values)
        if (!holds(*options.dtype, value))
          fail("tensor",
               "value " + textOf(value) + " is outside " +
                   name(*options.dtype),
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
/// Appends the numbers of nested lists; `axis` is that of this list.
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

/// The options' dtype converts, their device is where it is made.
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
inline Tensor full(const Shape &shape, Arg value, DType dtype = f32) {
  return detail::full("full", shape, std::move(value), dtype);
}
inline Tensor full(const Shape &shape, Arg value,
                   const TensorOptions &options) {
  detail::DeviceOf scope(options, value.at());
  return full(shape, std::move(value), options.dtype.value_or(f32));
}
inline Tensor zeros(const Shape &shape, DType dtype = f32,
                    Location at = Location::current()) {
  return detail::full("zeros", shape, Arg(0, at.file, at.line), dtype);
}
inline Tensor zeros(const Shape &shape, const TensorOptions &options,
                    Location at = Location::current()) {
  detail::DeviceOf scope(options, at);
  return zeros(shape, options.dtype.value_or(f32), at);
}
inline Tensor ones(const Shape &shape, DType dtype = f32,
                   Location at = Location::current()) {
  return detail::full("ones", shape, Arg(1, at.file, at.line), dtype);
}
inline Tensor ones(const Shape &shape, const TensorOptions &options,
                   Location at = Location::current()) {
  detail::DeviceOf scope(options, at);
  return ones(shape, options.dtype.value_or(f32), at);
}
/// Zeros: a value without one would be no function of its operands.
inline Tensor empty(const Shape &shape, const TensorOptions &options = {},
                    Location at = Location::current()) {
  return zeros(shape, options, at);
}

/// Of the shape of x, and of its dtype and on its device if the options do not
/// say otherwise.
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
/// Of integers i64, as NumPy's.
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
/// The same before a float: arange(2.5) is 0, 1, 2.
template <typename Stop,
          typename = std::enable_if_t<std::is_floating_point_v<Stop>>>
Tensor arange(Stop stop, DType dtype = f32, Location at = Location::current()) {
  return arange(0.0, static_cast<double>(stop), 1, dtype, at);
}
template <typename Stop,
          typename = std::enable_if_t<std::is_floating_point_v<Stop>>>
Tensor arange(Stop stop, const TensorOptions &options,
              Location at = Location::current()) {
  detail::DeviceOf scope(options, at);
  return arange(stop, options.dtype.value_or(f32), at);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// With two axes exchanged.
inline Tensor transpose(Arg x, int64_t first, int64_t second) {
  int64_t a = detail::axisOf("transpose", x, first),
          b = detail::axisOf("transpose", x, second);
  Shape axes;
  for (int64_t i = 0; i < tensorc_tensor_rank(x.tensor("transpose")); ++i)
    axes.push_back(i == a ? b : i == b ? a : i);
  return transpose(std::move(x), axes);
}
namespace detail {
inline Tensor matrixTransposed(Arg x) {
  if (int32_t rank = tensorc_tensor_rank(x.tensor("t")); rank > 2)
    detail::fail("t",
                 "needs a rank of at most 2, not " + std::to_string(rank) +
                     "; name the axes with transpose or permute",
                 x.at());
  return transpose(std::move(x));
}
} // namespace detail
/// The axes `first` to `last` as one.
inline Tensor flatten(Arg x, int64_t first = 0, int64_t last = -1) {
  const tensorc_tensor *tensor = x.tensor("flatten");
  if (tensor && tensorc_tensor_rank(tensor) == 0)
    return reshape(std::move(x), {1});
  int64_t from = detail::axisOf("flatten", x, first),
          to = detail::axisOf("flatten", x, last);
  if (from > to)
    detail::fail("flatten",
                 "axis " + std::to_string(first) + " is behind axis " +
                     std::to_string(last),
                 x.at());
  const int64_t *dims = tensorc_tensor_dims(tensor);
  Shape shape(dims, dims + from);
  shape.push_back(1);
  for (int64_t i = from; i <= to; ++i)
    shape.back() *= dims[i];
  shape.insert(shape.end(), dims + to + 1, dims + tensorc_tensor_rank(tensor));
  return reshape(std::move(x), shape);
}
/// slice(x, {{0, 2}, {}, {Range::none, Range::none, -1}})
inline Tensor slice(Arg x, const std::vector<Range> &ranges) {
  Shape starts, stops, steps;
  for (const Range &range : ranges) {
    starts.push_back(range.start);
    stops.push_back(range.stop);
    steps.push_back(range.step);
  }
  return detail::unary("slice", x, tensorc_slice, detail::rankOf(starts),
                       starts.data(), stops.data(), steps.data());
}
inline Tensor pad(Arg x, const Shape &low, const Shape &high, Arg value = 0,
                  const Shape &interior = {}) {
  auto rank = static_cast<size_t>(tensorc_tensor_rank(x.tensor("pad")));
  if (x.tensor("pad") && (low.size() != rank || high.size() != rank ||
                          (!interior.empty() && interior.size() != rank)))
    detail::fail("pad",
                 "needs " + std::to_string(rank) +
                     " paddings, one per axis, not " +
                     std::to_string(low.size()) + " low, " +
                     std::to_string(high.size()) + " high, " +
                     std::to_string(interior.size()) + " interior",
                 x.at());
  Tensor result =
      detail::unary("pad", x, tensorc_pad, low.data(), high.data(),
                    interior.empty() ? nullptr : interior.data(),
                    value.raw("pad"));
  value.drop();
  return result;
}
//===----------------------------------------------------------------------===//
// Reductions, contractions, composites
//===----------------------------------------------------------------------===//

struct TopK {
  Tensor values, indices;
};
/// The k largest (or smallest) elements in order, NaN being largest, and their
/// i64 indices; of equal elements the first.
inline TopK top_k(Arg x, int64_t k, int64_t axis = -1, bool largest = true) {
  tensorc_tensor *values = nullptr, *indices = nullptr;
  tensorc_status *status = tensorc_top_k(x.tensor("top_k"), k, axis, largest,
                                         x.at(), &values, &indices);
  x.drop();
  Tensor first = detail::take(status, values);
  return {std::move(first), detail::take(nullptr, indices)};
}

//===----------------------------------------------------------------------===//
// Evaluation, counters
//===----------------------------------------------------------------------===//

namespace detail {
/// What eval() was given first, and where.
class Evaluated {
public:
  template <typename T>
  Evaluated(const T &value, const char *file = __builtin_FILE(),
            unsigned line = __builtin_LINE())
      : at{file, line} {
    add(value);
  }
  Evaluated(std::initializer_list<Tensor> tensors,
            const char *file = __builtin_FILE(),
            unsigned line = __builtin_LINE())
      : at{file, line} {
    for (const Tensor &x : tensors)
      add(x);
  }
  template <typename T> void add(const T &value) {
    // Of an optional member there may be none.
    for_each_tensor(value, [&](const Tensor &x) {
      if (x.operand("eval", at) || std::is_base_of_v<Tensor, T>)
        handles.push_back(x.raw());
    });
  }
  void eval() const {
    check(tensorc_eval(handles.data(), static_cast<int32_t>(handles.size())),
          at);
  }

private:
  std::vector<tensorc_tensor *> handles;
  Location at;
};
} // namespace detail

/// Computes several values together, tensors and what holds them
/// (tensorc/structure.hpp): what they share is computed once.
template <typename... Rest>
void eval(detail::Evaluated first, const Rest &...rest) {
  (first.add(rest), ...);
  first.eval();
}

inline std::ostream &operator<<(std::ostream &os, const Located &x) {
  return os << x.tensor.to_string(x.at);
}

using CompileStats = tensorc_compile_stats;
inline CompileStats compile_stats() {
  CompileStats stats{};
  stats.struct_size = sizeof stats;
  tensorc_get_compile_stats(&stats);
  return stats;
}
inline void reset_compile_stats(bool forget_kernels = false) {
  tensorc_reset_compile_stats(forget_kernels);
}
/// Compilations kept in files, for other processes; see
/// tensorc_disk_cache_options.
struct DiskCache {
  std::string folder;
  std::string read_only_folder = {};
  uint64_t size_limit = 0;
};
inline void set_disk_cache(const DiskCache &cache) {
  tensorc_disk_cache_options options{sizeof options, cache.folder.c_str(),
                                     cache.read_only_folder.c_str(),
                                     cache.size_limit};
  detail::check(tensorc_set_disk_cache(&options));
}
/// The folder that is written to; empty when there is none.
inline std::string disk_cache_folder() {
  char *text = nullptr;
  tensorc_status *status = tensorc_disk_cache_folder(&text);
  return detail::text(status, text);
}
/// Whether long compilations say so on a terminal; see tensorc_set_progress.
inline void set_progress(bool on) { tensorc_set_progress(on); }
/// Whether an evaluation stores every intermediate tensor that is still held;
/// see tensorc_set_store_intermediates.
inline void set_store_intermediates(bool on) {
  tensorc_set_store_intermediates(on);
}
/// Whether each operation is evaluated alone, when it is recorded; see
/// tensorc_set_op_by_op.
inline void set_op_by_op(bool on) { tensorc_set_op_by_op(on); }
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

#include "tensorc/arrays.hpp"
#include "tensorc/custom.hpp"
#include "tensorc/files.hpp"
#include "tensorc/jit.hpp"
#include "tensorc/kernel.hpp"
#include "tensorc/names.hpp"
#include "tensorc/nn.hpp"
#include "tensorc/package.hpp"
#include "tensorc/random.hpp"
#include "tensorc/streams.hpp"
#include "tensorc/windows.hpp"

// Calls what these declare.
#include "tensorc/methods.hpp"

#endif
