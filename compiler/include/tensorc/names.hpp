//===- names.hpp - PyTorch's names; included by tensorc.hpp ---------------===//
//
// For readers of libtorch: functions that NumPy has not, or has by another name
// with other parameters. docs/cpp.md says which there are.
//
//===----------------------------------------------------------------------===//
// Before the guard: it includes this where its parts are declared.
#include "tensorc/tensorc.hpp"

#ifndef TENSORC_NAMES_HPP
#define TENSORC_NAMES_HPP

#include <sstream>

namespace tensorc {

namespace detail {
/// The tensor of an argument, for longer than the call.
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

/// Whether all elements are close (isclose), which evaluates both. Within
/// traced functions use all(isclose(x, y)), a tensor.
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

//===----------------------------------------------------------------------===//
// One bound of clamp
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

/// broadcast_to; -1 is the size that x has.
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
/// Of these sizes, one behind the other.
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
/// `count` parts of one size, of which the last one may be smaller, or fewer.
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
/// x[0], x[1], ... along the axis.
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

/// take along an axis.
inline Tensor index_select(Arg x, int64_t axis, Arg indices) {
  return take(std::move(x), std::move(indices), axis);
}
/// x with the values added to its parts at these indices along the axis, each
/// as often as it is named.
inline Tensor index_add(Arg x, int64_t axis, Arg indices, Arg values) {
  int64_t dim = detail::axisOf("index_add", x, axis);
  Location at = x.at();
  std::vector<Index> items(static_cast<size_t>(dim), Index(Slice(), at));
  items.emplace_back(detail::held("index_add", indices), at);
  return At(detail::held("index_add", x), items, "index_add")
      .add(std::move(values));
}
namespace detail {
/// Of indices along an axis: of x's rank, and no larger along other axes.
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
/// The first elements, as many as the indices have along these axes.
inline Tensor cutTo(const Tensor &x, const Shape &shape, int64_t except,
                    Location at) {
  Tensor cut = x;
  for (int64_t i = 0; i < x.rank(); ++i)
    if (i != except && shape[static_cast<size_t>(i)] != x.size(i))
      cut = narrow(with(cut, at), i, 0, shape[static_cast<size_t>(i)]);
  return cut;
}
/// x at the places of indices along an axis, and at their own along the others.
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
/// What is written to the places of indices.
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
/// For each place of the indices the element of x that is there along the axis;
/// along the others that of the same place. They may be fewer than x has.
inline Tensor gather(Arg x, int64_t axis, Arg indices) {
  Tensor tensor = detail::held("gather", x);
  Location at = x.at();
  int64_t dim = detail::axisOf("gather", x, axis);
  Tensor all = detail::indicesOf("gather", tensor, dim, indices);
  return take_along_axis(
      detail::with(detail::cutTo(tensor, all.shape(), dim, at), at),
      std::move(indices), dim);
}
/// x with values, a tensor or one number, at the places that gather reads.
inline Tensor scatter(Arg x, int64_t axis, Arg indices, Arg values) {
  At places = detail::placesOf("scatter", x, axis, indices);
  if (!values.is_tensor())
    return places.set(std::move(values));
  Tensor cut = detail::valuesOf("scatter", values, indices);
  return places.set(detail::with(cut, values.at()));
}
/// The same, added to what is there, each as often as its place is named.
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
// Another value for a handle, of its dtype, shape and device
//===----------------------------------------------------------------------===//

inline Tensor &Tensor::copy_(const Tensor &source, Location at) & {
  needed("copy_", at);
  source.needed("copy_", at);
  Tensor moved = tensorc::to(Arg(source, at.file, at.line), device(at));
  return *this = tensorc::broadcast_to(
             Arg(tensorc::astype(Arg(moved, at.file, at.line), dtype()),
                 at.file, at.line),
             shape());
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
// Not by the part's own value: what a mask selects has none.
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

} // namespace tensorc

#endif
