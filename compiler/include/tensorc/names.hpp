//===- names.hpp - PyTorch's names; included by tensorc.hpp ---------------===//
//
// For users of libtorch: functions that NumPy lacks, or has under another name
// with other parameters. docs/cpp.md lists them.
//
//===----------------------------------------------------------------------===//
// Stands before the guard, because tensorc.hpp includes this file at its end.
#include "tensorc/tensorc.hpp"

#ifndef TENSORC_NAMES_HPP
#define TENSORC_NAMES_HPP

#include "tensorc/grad.h"

#include <sstream>

namespace tensorc {

namespace detail {
/// Returns an argument as a Tensor, with a reference of its own.
inline Tensor held(const char *op, const Arg &x) {
  auto *handle = const_cast<tensorc_tensor *>(x.tensor(op));
  if (!handle)
    fail(op, "an operand is an undefined tensor", x.at());
  tensorc_tensor_retain(handle);
  return Tensor::take(handle);
}
inline Arg with(const Tensor &x, Location at) {
  return Arg(x, at.file, at.line);
}
} // namespace detail

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// True if all elements are close (isclose). Evaluates both tensors. In traced
/// functions use all(isclose(x, y)), a tensor.
inline bool allclose(Arg x, Arg y, double rtol = 1e-5, double atol = 1e-8,
                     bool equal_nan = false) {
  Location at = x.at();
  Tensor close = isclose(std::move(x), std::move(y), rtol, atol, equal_nan);
  return bool(all(detail::with(close, at)));
}
inline bool Tensor::allclose(Arg other, double rtol, double atol,
                             bool equal_nan) const {
  Location at = other.at();
  return tensorc::allclose(detail::with(*this, at), std::move(other), rtol,
                           atol, equal_nan);
}

/// True if shapes and elements are equal. Evaluates both tensors.
inline bool equal(const Tensor &x, const Tensor &y,
                  Location at = Location::current()) {
  return x.shape(at) == y.shape(at) &&
         bool(all(
             detail::with(eq(detail::with(x, at), detail::with(y, at)), at)));
}

//===----------------------------------------------------------------------===//
// Other names of operations
//===----------------------------------------------------------------------===//

inline Tensor isnan(Arg x) { return is_nan(std::move(x)); }
inline Tensor isinf(Arg x) { return is_inf(std::move(x)); }
inline Tensor isfinite(Arg x) { return is_finite(std::move(x)); }
/// Rounds halves to even.
inline Tensor round(Arg x) { return round_even(std::move(x)); }
inline Tensor reciprocal(Arg x) {
  Location at = x.at();
  return div(Arg(1, at.file, at.line), std::move(x));
}
/// Returns the remainder with the sign of y.
inline Tensor remainder(Arg x, Arg y) {
  return mod(std::move(x), std::move(y));
}
inline Tensor floor_divide(Arg x, Arg y) {
  return floor_div(std::move(x), std::move(y));
}
inline Tensor amax(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return max(std::move(x), axes, keepdims);
}
inline Tensor amin(Arg x, const Axes &axes = {}, bool keepdims = false) {
  return min(std::move(x), axes, keepdims);
}
namespace detail {
inline void checkRank(const char *op, const char *which, const Arg &x,
                      int32_t rank) {
  Tensor tensor = held(op, x);
  if (tensor.rank() != rank)
    fail(op,
         std::string(which) + " has a rank of " +
             std::to_string(tensor.rank()) + ", not " + std::to_string(rank),
         x.at());
}
} // namespace detail
/// Returns the product of two vectors.
inline Tensor dot(Arg x, Arg y) {
  detail::checkRank("dot", "the first operand", x, 1);
  detail::checkRank("dot", "the second operand", y, 1);
  return matmul(std::move(x), std::move(y));
}
/// A matrix times a vector.
inline Tensor mv(Arg x, Arg y) {
  detail::checkRank("mv", "the first operand", x, 2);
  detail::checkRank("mv", "the second operand", y, 1);
  return matmul(std::move(x), std::move(y));
}
/// Interpolates from x (weight 0) to y (weight 1).
inline Tensor lerp(Arg x, Arg y, Arg weight) {
  Location at = x.at();
  Tensor from = detail::held("lerp", x);
  Tensor way = sub(std::move(y), detail::with(from, at));
  return add(std::move(x),
             Arg(mul(std::move(weight), Arg(std::move(way), at.file, at.line)),
                 at.file, at.line));
}
inline Tensor concat(const std::vector<Tensor> &tensors, int64_t axis = 0,
                     Location at = Location::current()) {
  return concatenate(tensors, axis, at);
}
/// Concatenates along axis 1, or vectors along axis 0.
inline Tensor hstack(const std::vector<Tensor> &tensors,
                     Location at = Location::current()) {
  std::vector<Tensor> all;
  for (const Tensor &x : tensors)
    all.push_back(x.rank(at) == 0 ? reshape(detail::with(x, at), {1}) : x);
  return concatenate(all, all.empty() || all[0].rank() == 1 ? 0 : 1, at);
}
/// Concatenates along axis 0. Vectors become rows first.
inline Tensor vstack(const std::vector<Tensor> &tensors,
                     Location at = Location::current()) {
  std::vector<Tensor> all;
  for (const Tensor &x : tensors)
    all.push_back(x.rank(at) < 2 ? reshape(detail::with(x, at), {1, x.numel()})
                                 : x);
  return concatenate(all, 0, at);
}
inline Tensor ravel(Arg x) { return flatten(std::move(x)); }
inline Tensor swapaxes(Arg x, int64_t a, int64_t b) {
  return transpose(std::move(x), a, b);
}
/// Moves axis `from` to position `to`; the other axes keep their order.
inline Tensor movedim(Arg x, int64_t from, int64_t to) {
  int64_t a = detail::axisOf("movedim", x, from),
          b = detail::axisOf("movedim", x, to);
  Shape axes;
  for (int64_t i = 0; i < tensorc_tensor_rank(x.tensor("movedim")); ++i)
    if (i != a)
      axes.push_back(i);
  axes.insert(axes.begin() + b, a);
  return transpose(std::move(x), axes);
}
inline Tensor moveaxis(Arg x, int64_t from, int64_t to) {
  return movedim(std::move(x), from, to);
}
/// Returns the slice of x at an index along an axis, without the axis.
inline Tensor select(Arg x, int64_t axis, int64_t index) {
  int64_t dim = detail::axisOf("select", x, axis);
  Location at = x.at();
  std::vector<Index> items(static_cast<size_t>(dim), Index(Slice(), at));
  items.emplace_back(index, at);
  return detail::held("select", x).index(items, at);
}

//===----------------------------------------------------------------------===//
// Layers and activations without parameters
//===----------------------------------------------------------------------===//

/// Returns rows of a table by index.
inline Tensor embedding(Arg indices, Arg table) {
  return take(std::move(table), std::move(indices), 0);
}
inline Tensor hardtanh(Arg x, Arg low = -1, Arg high = 1) {
  return clip(std::move(x), std::move(low), std::move(high));
}
inline Tensor relu6(Arg x) {
  Location at = x.at();
  return clip(std::move(x), Arg(0, at.file, at.line), Arg(6, at.file, at.line));
}
/// Divides x by its norms of the given order along an axis. Norms are clamped
/// to at least `eps`.
inline Tensor normalize(Arg x, double order = 2, int64_t axis = 1,
                        double eps = 1e-12) {
  Location at = x.at();
  Tensor tensor = detail::held("normalize", x);
  Tensor length = norm(detail::with(tensor, at), order,
                       {detail::axisOf("normalize", x, axis)}, true);
  return div(std::move(x),
             Arg(maximum(detail::with(length, at), Arg(eps, at.file, at.line)),
                 at.file, at.line));
}

//===----------------------------------------------------------------------===//
// clamp with one bound
//===----------------------------------------------------------------------===//

inline Tensor clamp_min(Arg x, Arg low) {
  return maximum(std::move(x), std::move(low));
}
inline Tensor clamp_max(Arg x, Arg high) {
  return minimum(std::move(x), std::move(high));
}

//===----------------------------------------------------------------------===//
// Shapes and parts
//===----------------------------------------------------------------------===//

/// Like broadcast_to, except that -1 stands for x's own size.
inline Tensor expand(Arg x, const Shape &dims) {
  Tensor tensor = detail::held("expand", x);
  Location at = x.at();
  Shape own = tensor.shape(), shape = dims;
  if (shape.size() < own.size())
    detail::fail("expand",
                 std::to_string(shape.size()) + " sizes for a rank of " +
                     std::to_string(own.size()),
                 at);
  size_t added = shape.size() - own.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != -1)
      continue;
    if (i < added)
      detail::fail("expand",
                   "axis " + std::to_string(i) + " is new and has no size", at);
    shape[i] = own[i - added];
  }
  return broadcast_to(std::move(x), shape);
}
/// Splits x into consecutive parts of these sizes.
inline std::vector<Tensor> split_with_sizes(Arg x, const Shape &sizes,
                                            int64_t axis = 0) {
  const char *op = "split_with_sizes";
  Tensor tensor = detail::held(op, x);
  Location at = x.at();
  int64_t size = tensor.size(detail::axisOf(op, x, axis)), begin = 0;
  int64_t total = 0;
  for (int64_t each : sizes)
    total += each;
  if (total != size)
    detail::fail(op,
                 "the sizes add up to " + std::to_string(total) + ", axis " +
                     std::to_string(axis) + " has " + std::to_string(size),
                 at);
  std::vector<Tensor> parts;
  for (int64_t each : sizes) {
    parts.push_back(narrow(detail::with(tensor, at), axis, begin, each));
    begin += each;
  }
  return parts;
}
/// Splits x into at most `count` parts of equal size, of which the last one may
/// be smaller.
inline std::vector<Tensor> chunk(Arg x, int64_t count, int64_t axis = 0) {
  int64_t dim = detail::axisOf("chunk", x, axis);
  int64_t size = tensorc_tensor_dims(x.tensor("chunk"))[dim];
  if (count < 1)
    detail::fail("chunk", "needs at least 1 part, not " + std::to_string(count),
                 x.at());
  int64_t each = size == 0 ? 0 : (size - 1) / count + 1;
  Shape sizes;
  if (size == 0)
    sizes.assign(static_cast<size_t>(count), 0);
  for (int64_t rest = size; rest > 0; rest -= each)
    sizes.push_back(std::min(each, rest));
  return split_with_sizes(std::move(x), sizes, axis);
}
/// Returns x[0], x[1], ... along the axis.
inline std::vector<Tensor> unbind(Arg x, int64_t axis = 0) {
  Tensor tensor = detail::held("unbind", x);
  Location at = x.at();
  int64_t dim = detail::axisOf("unbind", x, axis);
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < tensor.size(dim); ++i)
    parts.push_back(squeeze(
        Arg(narrow(detail::with(tensor, at), dim, i, 1), at.file, at.line),
        {dim}));
  return parts;
}

//===----------------------------------------------------------------------===//
// Indices: one that is outside reads the nearest element and writes nothing
//===----------------------------------------------------------------------===//

/// take() along an axis.
inline Tensor index_select(Arg x, int64_t axis, Arg indices) {
  return take(std::move(x), std::move(indices), axis);
}
/// Returns x with values added to its slices at the indices along the axis.
/// Repeated indices add up.
inline Tensor index_add(Arg x, int64_t axis, Arg indices, Arg values) {
  int64_t dim = detail::axisOf("index_add", x, axis);
  Location at = x.at();
  std::vector<Index> items(static_cast<size_t>(dim), Index(Slice(), at));
  items.emplace_back(detail::held("index_add", indices), at);
  return At(detail::held("index_add", x), items, "index_add")
      .add(std::move(values));
}
namespace detail {
/// Returns the indices of a gather or scatter. Throws if their rank is not x's,
/// or if they are larger than x along another axis than `dim`.
inline Tensor indicesOf(const char *op, const Tensor &x, int64_t dim,
                        const Arg &indices) {
  Tensor all = held(op, indices);
  bool fits = all.rank() == x.rank();
  for (int64_t i = 0; fits && i < x.rank(); ++i)
    fits = i == dim || all.size(i) <= x.size(i);
  std::ostringstream text;
  if (!fits)
    text << "indices " << all.shape() << " do not fit into " << x.shape();
  if (!fits)
    fail(op, text.str(), indices.at());
  return all;
}
/// Cuts x to the given shape along all axes except `except`.
inline Tensor cutTo(const Tensor &x, const Shape &shape, int64_t except,
                    Location at) {
  Tensor cut = x;
  for (int64_t i = 0; i < x.rank(); ++i)
    if (i != except && shape[static_cast<size_t>(i)] != x.size(i))
      cut = narrow(with(cut, at), i, 0, shape[static_cast<size_t>(i)]);
  return cut;
}
/// Selects elements of x for gather and scatter: by the indices along `axis`,
/// and by their own positions along the other axes.
inline At placesOf(const char *op, const Arg &x, int64_t axis,
                   const Arg &indices) {
  Tensor tensor = held(op, x);
  Location at = x.at();
  int64_t dim = axisOf(op, x, axis);
  Tensor all = indicesOf(op, tensor, dim, indices);
  std::vector<Index> items;
  for (int64_t i = 0; i < tensor.rank(); ++i) {
    Shape own(static_cast<size_t>(tensor.rank()), 1);
    own[static_cast<size_t>(i)] = all.size(i);
    items.emplace_back(
        i == dim ? all : reshape(with(arange(all.size(i), i64, at), at), own),
        at);
  }
  return At(tensor, items, op);
}
/// Returns the values to write at the indices. Throws if they are smaller than
/// the indices.
inline Tensor valuesOf(const char *op, const Arg &values, const Arg &indices) {
  Tensor all = held(op, values);
  Shape shape = held(op, indices).shape();
  bool fits = all.shape().size() == shape.size();
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = shape[i] <= all.shape()[i];
  std::ostringstream text;
  if (!fits)
    text << "values " << all.shape() << " for indices " << shape;
  if (!fits)
    fail(op, text.str(), values.at());
  return cutTo(all, shape, -1, values.at());
}
} // namespace detail
/// PyTorch's gather. Along the axis, the index at a position selects an
/// element; along the other axes the position itself is used. The indices may
/// be smaller than x.
inline Tensor gather(Arg x, int64_t axis, Arg indices) {
  Tensor tensor = detail::held("gather", x);
  Location at = x.at();
  int64_t dim = detail::axisOf("gather", x, axis);
  Tensor all = detail::indicesOf("gather", tensor, dim, indices);
  return take_along_axis(
      detail::with(detail::cutTo(tensor, all.shape(), dim, at), at),
      std::move(indices), dim);
}
/// PyTorch's scatter: writes values, a tensor or a number, to the elements that
/// gather would read.
inline Tensor scatter(Arg x, int64_t axis, Arg indices, Arg values) {
  At places = detail::placesOf("scatter", x, axis, indices);
  if (!values.is_tensor())
    return places.set(std::move(values));
  Tensor cut = detail::valuesOf("scatter", values, indices);
  return places.set(detail::with(cut, values.at()));
}
/// PyTorch's scatter_add. Repeated indices add up.
inline Tensor scatter_add(Arg x, int64_t axis, Arg indices, Arg values) {
  At places = detail::placesOf("scatter_add", x, axis, indices);
  Tensor cut = detail::valuesOf("scatter_add", values, indices);
  return places.add(detail::with(cut, values.at()));
}
/// top_k.
inline TopK topk(Arg x, int64_t k, int64_t axis = -1, bool largest = true) {
  return top_k(std::move(x), k, axis, largest);
}

//===----------------------------------------------------------------------===//
// Assigning another value of the same dtype, shape and device to a handle
//===----------------------------------------------------------------------===//

inline Tensor &Tensor::copy_(const Tensor &source, Location at) & {
  needed("copy_", at);
  source.needed("copy_", at);
  Tensor moved = tensorc::to(Arg(source, at.file, at.line), device(at));
  Tensor cast = tensorc::astype(Arg(moved, at.file, at.line), dtype());
  return *this = At(*this, {"..."}, "copy_").set(detail::with(cast, at));
}
inline Tensor &Tensor::fill_(Arg value) & {
  Location at = value.at();
  needed("fill_", at);
  DeviceGuard guard(device(at), at);
  return *this = detail::full("fill_", shape(at), std::move(value), dtype(at));
}
inline Tensor &Tensor::zero_(Location at) & {
  return fill_(Arg(0, at.file, at.line));
}
// Does not read this element, because x[mask] has no value in a trace.
inline void Element::copy_(const Tensor &source, Location at) && {
  source.operand("copy_", at);
  Tensor moved = tensorc::to(Arg(source, at.file, at.line), x->device(at));
  set(detail::with(tensorc::astype(detail::with(moved, at), x->dtype()), at),
      "copy_");
}
inline void Element::fill_(Arg value) && {
  if (value.is_tensor())
    detail::fail("fill_", "needs a number, not a tensor", value.at());
  set(value, "fill_");
}
inline void Element::zero_(Location at) && {
  set(Arg(0, at.file, at.line), "zero_");
}
inline Tensor Tensor::type_as(const Tensor &other, Location at) const {
  return astype(other.dtype(at), at);
}
inline Tensor &Tensor::index_put_(const std::vector<Index> &indices,
                                  Arg value) & {
  return *this = At(*this, indices, "index_put_").set(std::move(value));
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

inline bool Tensor::equal(const Tensor &other, Location at) const {
  return tensorc::equal(*this, other, at);
}
inline Tensor Tensor::std(const Axes &axes, double correction, bool keepdims,
                          Location at) const {
  return stddev(axes, correction, keepdims, at);
}
inline Tensor Tensor::where(Arg pred, Arg other) const {
  Location at = pred.at();
  return tensorc::where(::std::move(pred), detail::with(*this, at),
                        ::std::move(other));
}
inline Tensor Tensor::slice(int64_t axis, int64_t start, int64_t stop,
                            int64_t step, Location at) const {
  int64_t dim = detail::axisOf("slice", detail::with(*this, at), axis);
  ::std::vector<Range> ranges(static_cast<size_t>(rank()));
  ranges[static_cast<size_t>(dim)] = {start, stop, step};
  return tensorc::slice(detail::with(*this, at), ranges);
}
inline Tensor Tensor::view_as(const Tensor &other, Location at) const {
  return reshape(other.shape(at), at);
}
inline Tensor Tensor::reshape_as(const Tensor &other, Location at) const {
  return reshape(other.shape(at), at);
}
inline Tensor Tensor::expand_as(const Tensor &other, Location at) const {
  return broadcast_to(other.shape(at), at);
}
inline Tensor Tensor::detach(Location at) const {
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_stop_gradient(operand("detach", at), at, &out);
  return detail::take(status, out, "detach");
}
inline Tensor Tensor::to(const Device &device, DType dtype, Location at) const {
  return to(device, at).astype(dtype, at);
}
inline Tensor Tensor::to(const Tensor &other, Location at) const {
  return to(other.device(at), other.dtype(at), at);
}
inline bool Tensor::is_cuda(Location at) const {
  return device(at).type() == "cuda";
}
inline int Tensor::get_device(Location at) const {
  Device place = device(at);
  return place.type() == "cpu" ? -1 : place.index();
}
inline TensorOptions Tensor::options(Location at) const {
  return {dtype(at), device(at)};
}
inline Tensor Tensor::new_zeros(const Shape &shape, Location at) const {
  return zeros(shape, options(at), at);
}
inline Tensor Tensor::new_ones(const Shape &shape, Location at) const {
  return ones(shape, options(at), at);
}
inline Tensor Tensor::new_full(const Shape &shape, Arg value) const {
  Location at = value.at();
  return full(shape, ::std::move(value), options(at));
}

} // namespace tensorc

#endif
