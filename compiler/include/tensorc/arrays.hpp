//===- arrays.hpp - NumPy's functions made of other operations ------------===//
//
// Included by tensorc.hpp. Names, parameters and results are those of NumPy.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_ARRAYS_HPP
#define TENSORC_ARRAYS_HPP

#include "tensorc/functions.hpp"
#include "tensorc/ops.h"

namespace tensorc {

namespace detail {
inline Tensor reshapeFlat(const char *op, Arg &x) {
  int64_t all = 1;
  const tensorc_tensor *tensor = x.tensor(op);
  for (int32_t i = 0; i < tensorc_tensor_rank(tensor); ++i)
    all *= tensorc_tensor_dims(tensor)[i];
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_reshape(tensor, 1, &all, x.at(), &out);
  x.drop();
  return take(status, out, op);
}
} // namespace detail

/// Sums over the last `count` axes of x and the first `count` axes of y. A
/// count of 0 gives the outer product.
inline Tensor tensordot(Arg x, const Tensor &y, int count = 2) {
  int32_t rank = tensorc_tensor_rank(x.tensor("tensordot"));
  if (count < 0 || count > rank)
    detail::fail("tensordot",
                 std::to_string(count) + " axes of a rank of " +
                     std::to_string(rank),
                 x.at());
  Axes xs, ys;
  for (int i = 0; i < count; ++i) {
    xs.list.push_back(rank - count + i);
    ys.list.push_back(i);
  }
  return tensordot(std::move(x), y, xs, ys);
}
/// x * x.
inline Tensor square(Arg x) {
  tensorc_tensor *out = nullptr;
  const tensorc_arg *arg = x.raw("square");
  tensorc_status *status = tensorc_mul(arg, arg, x.at(), &out);
  x.drop();
  return detail::take(status, out);
}

/// Returns the outer product of the flattened x and y, a matrix.
inline Tensor outer(Arg x, Arg y) {
  Location at{x.at().file, x.at().line};
  Tensor rows = detail::reshapeFlat("outer", x);
  Tensor columns = detail::reshapeFlat("outer", y);
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_tensordot(rows.raw(), columns.raw(), 0,
                                             nullptr, nullptr, at, &out);
  return detail::take(status, out, "outer");
}
/// Repeats each element of the flattened x `count` times.
inline Tensor repeat(Arg x, int64_t count) {
  tensorc_location at = x.at();
  Tensor row = detail::reshapeFlat("repeat", x);
  return repeat(Arg(std::move(row), at.file, at.line), count, 0);
}
/// Returns the coordinates of a grid. If `xy`, the axes of the first two inputs
/// are swapped, as in NumPy.
inline std::vector<Tensor> meshgrid(const std::vector<Tensor> &tensors,
                                    bool xy = true,
                                    Location at = Location::current()) {
  std::vector<const tensorc_tensor *> handles =
      detail::handlesOf("meshgrid", tensors, at);
  std::vector<tensorc_tensor *> out(tensors.size());
  detail::check(tensorc_meshgrid(handles.data(),
                                 static_cast<int32_t>(handles.size()), xy, at,
                                 out.data()));
  std::vector<Tensor> result;
  for (tensorc_tensor *handle : out)
    result.push_back(Tensor::take(handle));
  return result;
}
/// Splits x before each of these positions along the axis; negative positions
/// count from the end.
inline std::vector<Tensor> split(Arg x, const std::vector<int64_t> &positions,
                                 int64_t axis = 0) {
  auto dim = static_cast<size_t>(detail::axisOf("split", x, axis));
  std::vector<int64_t> starts(dim + 1, TENSORC_NONE), stops = starts,
                                                      steps(dim + 1, 1);
  std::vector<Tensor> parts;
  for (size_t i = 0; i <= positions.size(); ++i) {
    starts[dim] = i == 0 ? TENSORC_NONE : positions[i - 1];
    stops[dim] = i == positions.size() ? TENSORC_NONE : positions[i];
    tensorc_tensor *out = nullptr;
    tensorc_status *status =
        tensorc_slice(x.tensor("split"), static_cast<int32_t>(dim + 1),
                      starts.data(), stops.data(), steps.data(), x.at(), &out);
    parts.push_back(detail::take(status, out, "split"));
  }
  return parts;
}
/// Splits x into the given number of parts of equal size.
inline std::vector<Tensor> split(Arg x, int parts, int64_t axis = 0) {
  int64_t dim = detail::axisOf("split", x, axis);
  int64_t size = tensorc_tensor_dims(x.tensor("split"))[dim];
  if (parts < 1 || size % parts != 0)
    detail::fail("split",
                 std::to_string(parts) + " parts of axis " +
                     std::to_string(axis) + " of size " + std::to_string(size) +
                     " are not equal",
                 x.at());
  std::vector<int64_t> positions;
  for (int i = 1; i < parts; ++i)
    positions.push_back(i * (size / parts));
  return split(std::move(x), positions, axis);
}

/// The elements that pad adds. The examples pad [1, 2, 3] on both sides.
enum class PadMode {
  edge = TENSORC_PAD_EDGE,           ///< 1 1 [1 2 3] 3 3
  reflect = TENSORC_PAD_REFLECT,     ///< 3 2 [1 2 3] 2 1
  wrap = TENSORC_PAD_WRAP,           ///< 2 3 [1 2 3] 1 2
  symmetric = TENSORC_PAD_SYMMETRIC, ///< 2 1 [1 2 3] 3 2
};
/// Pads x with copies of its own elements. pad(x, low, high, value) pads with a
/// constant.
inline Tensor pad(Arg x, const Shape &low, const Shape &high, PadMode mode) {
  auto rank = static_cast<size_t>(tensorc_tensor_rank(x.tensor("pad")));
  if (x.tensor("pad") && (low.size() != rank || high.size() != rank))
    detail::fail("pad",
                 "needs " + std::to_string(rank) +
                     " paddings, one per axis, not " +
                     std::to_string(low.size()) + " low, " +
                     std::to_string(high.size()) + " high",
                 x.at());
  return detail::unary("pad", x, tensorc_pad_with, low.data(), high.data(),
                       static_cast<tensorc_pad_mode>(mode));
}
/// Limits the elements of x to [low, high]. The bounds broadcast; an undefined
/// Tensor stands for no bound.
inline Tensor clip(Arg x, Arg low, Arg high) {
  auto absent = [](const Arg &bound) {
    return bound.is_tensor() && !bound.tensor("clip");
  };
  tensorc_tensor *out = nullptr;
  tensorc_status *status;
  if (absent(low))
    status = tensorc_minimum(x.raw("clip"), high.raw("clip"), x.at(), &out);
  else if (absent(high))
    status = tensorc_maximum(x.raw("clip"), low.raw("clip"), x.at(), &out);
  else
    status = tensorc_clamp(low.raw("clip"), x.raw("clip"), high.raw("clip"),
                           x.at(), &out);
  for (Arg *arg : {&x, &low, &high})
    arg->drop();
  return detail::take(status, out, "clip");
}

} // namespace tensorc

#endif
