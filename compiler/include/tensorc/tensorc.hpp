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

#include "tensorc/devices.hpp"
#include "tensorc/functions.hpp"
#include "tensorc/ops.h"
#include "tensorc/tensor.hpp"

#include <algorithm>

namespace tensorc {

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
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_select(pred.raw(), x.raw(), y.raw(), pred.at(), &out);
  for (Arg *arg : {&pred, &x, &y})
    arg->drop();
  return detail::take(status, out, "where");
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
/// Uses dense memory in place (if it is aligned to 64 bytes and the device has
/// no memory of its own, else copies) until it calls the deleter; nobody may
/// write there meanwhile.
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
      detail::fail("tensor", "rows differ in length", at);
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
namespace detail {
inline Tensor full(const char *op, const Shape &shape, Arg value, DType dtype) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_full(detail::raw(dtype), detail::rankOf(shape), shape.data(),
                   value.raw(), value.at(), &out);
  value.drop();
  return detail::take(status, out, op);
}
} // namespace detail
inline Tensor full(const Shape &shape, Arg value, DType dtype = f32) {
  return detail::full("full", shape, std::move(value), dtype);
}
inline Tensor zeros(const Shape &shape, DType dtype = f32,
                    Location at = Location::current()) {
  return detail::full("zeros", shape, Arg(0, at.file, at.line), dtype);
}
inline Tensor ones(const Shape &shape, DType dtype = f32,
                   Location at = Location::current()) {
  return detail::full("ones", shape, Arg(1, at.file, at.line), dtype);
}
/// A tensor of rank 0.
template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
Tensor scalar(T value, Location at = Location::current()) {
  return detail::full("scalar", {}, Arg(value, at.file, at.line),
                      dtype_of<T>());
}
/// 0, 1, ... stop - 1
inline Tensor arange(int64_t stop, DType dtype = i64,
                     Location at = Location::current()) {
  return arange(0.0, static_cast<double>(stop), 1, dtype, at);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

inline Tensor permute(Arg x, const Shape &axes) {
  return transpose(std::move(x), axes);
}
/// slice(x, {{0, 2}, {}, {Range::none, Range::none, -1}})
inline Tensor slice(Arg x, const std::vector<Range> &ranges) {
  Shape starts, stops, steps;
  for (const Range &range : ranges) {
    starts.push_back(range.start);
    stops.push_back(range.stop);
    steps.push_back(range.step);
  }
  return detail::unary("slice", x, tensorc_slice, detail::rankOf(starts), starts.data(),
                       stops.data(), steps.data());
}
inline Tensor pad(Arg x, const Shape &low, const Shape &high, Arg value = 0,
                  const Shape &interior = {}) {
  size_t rank = tensorc_tensor_rank(x.tensor("pad"));
  if (x.raw().value.tensor &&
      (low.size() != rank || high.size() != rank ||
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
                    interior.empty() ? nullptr : interior.data(), value.raw());
  value.drop();
  return result;
}
inline Tensor Tensor::astype(DType dtype, Location at) const {
  return tensorc::astype(Arg(*this, at.file, at.line), dtype);
}
inline Tensor Tensor::reshape(const Shape &shape, Location at) const {
  return tensorc::reshape(Arg(*this, at.file, at.line), shape);
}
inline Tensor &Tensor::copy_(const Tensor &source, Location at) {
  needed("copy_", at);
  Tensor moved = tensorc::to(Arg(source, at.file, at.line), device(at));
  return *this = tensorc::broadcast_to(
             Arg(tensorc::astype(Arg(moved, at.file, at.line), dtype()),
                 at.file, at.line),
             shape());
}
inline Tensor Tensor::transpose(const Shape &axes, Location at) const {
  return tensorc::transpose(Arg(*this, at.file, at.line), axes);
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

/// Computes several values together: what they share is computed once.
template <typename... Tensors>
void eval(const Located &first, const Tensors &...rest) {
  std::array<tensorc_tensor *, 1 + sizeof...(rest)> handles{first.tensor.raw(),
                                                            rest.raw()...};
  detail::check(
      tensorc_eval(handles.data(), static_cast<int32_t>(handles.size())),
      first.at);
}
inline void eval(const std::vector<Tensor> &tensors,
                 Location at = Location::current()) {
  std::vector<tensorc_tensor *> handles;
  for (const Tensor &tensor : tensors)
    handles.push_back(tensor.raw());
  detail::check(
      tensorc_eval(handles.data(), static_cast<int32_t>(handles.size())), at);
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

#include "tensorc/custom.hpp"
#include "tensorc/kernel.hpp"
#include "tensorc/indexing.hpp"
#include "tensorc/jit.hpp"
#include "tensorc/package.hpp"
#include "tensorc/streams.hpp"
#include "tensorc/arrays.hpp"
#include "tensorc/nn.hpp"
#include "tensorc/windows.hpp"
#include "tensorc/random.hpp"

#endif
