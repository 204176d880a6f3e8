//===- AdaptivePooling.cpp - Pooling to a given result size ---------------===//
//
// Window i of o over n elements reaches from floor(i n / o) to ceil((i + 1) n /
// o). If o divides n, a reshape makes the windows a dim, which is reduced.
// Otherwise the windows are gathered along each dim, all with the length of the
// longest.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/nn/Windows.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

namespace tensorc::graph {

/// The windows along one dim: the indices of their elements in x, of shape
/// [number of windows, length of the longest window]; a mask of the elements
/// that belong to a window; and the number of elements of each window.
struct Places {
  NodeRef index, isInside, count;
};

static Places placesOf(Recorder &r, int64_t size, int64_t windows) {
  int64_t longest = 1;
  for (int64_t i = 0; i < windows; ++i)
    longest =
        std::max(longest, llvm::divideCeilSigned((i + 1) * size, windows) -
                              i * size / windows);
  auto scaled = [&](const NodeRef &i, int64_t plus) {
    NodeRef product = elementwise(r, OpKind::Mul, {i, Scalar::of(size)});
    if (plus)
      product = elementwise(r, OpKind::Add, {product, Scalar::of(plus)});
    return elementwise(r, OpKind::FloorDiv, {product, Scalar::of(windows)});
  };
  NodeRef window = iota(r, DType::I64, {windows, 1}, 0);
  NodeRef step = iota(r, DType::I64, {1, longest}, 1);
  NodeRef start = scaled(window, 0);
  NodeRef end =
      scaled(elementwise(r, OpKind::Add, {window, Scalar::of(int64_t(1))}),
             windows - 1);
  NodeRef place = elementwise(r, OpKind::Add, {start, step});
  NodeRef last = elementwise(r, OpKind::Sub, {end, Scalar::of(int64_t(1))});
  return {elementwise(r, OpKind::Min, {place, last}),
          elementwise(r, OpKind::Lt, {place, end}),
          elementwise(r, OpKind::Sub, {end, start})};
}

/// Pools contiguous windows of equal size, for which no indices are needed.
static NodeRef poolEvenly(Recorder &r, const NodeRef &x, int64_t dim,
                          int64_t windows, bool isMax) {
  int64_t size = x->shape()[dim] / windows;
  Shape shape(x->shape());
  shape[dim] = windows;
  shape.insert(shape.begin() + dim + 1, size);
  NodeRef apart = reshape(r, x, shape);
  if (!apart || isMax)
    return apart ? reduce(r, OpKind::ReduceMax, apart, dim + 1, false) : apart;
  NodeRef sum = reduce(r, OpKind::Sum, apart, dim + 1, false);
  return elementwise(r, OpKind::Div, {sum, Scalar::of(double(size))});
}

static NodeRef poolAlong(Recorder &r, const NodeRef &x, int64_t dim,
                         int64_t windows, bool isMax) {
  int64_t size = x->shape()[dim];
  if (size == windows)
    return x;
  if (size % windows == 0)
    return poolEvenly(r, x, dim, windows, isMax);
  Places places = placesOf(r, size, windows);
  NodeRef gathered = take(r, x, places.index, dim);
  if (!gathered)
    return {};
  // Indices beyond a window's end repeat its last element.
  if (isMax)
    return reduce(r, OpKind::ReduceMax, gathered, dim + 1, false);
  Shape list(gathered->rank(), 1), counts(x->rank(), 1);
  list[dim] = windows;
  list[dim + 1] = gathered->shape()[dim + 1];
  counts[dim] = windows;
  NodeRef inside = elementwise(
      r, OpKind::Select,
      {reshape(r, places.isInside, list), gathered, Scalar::of(0.0)});
  NodeRef sum = reduce(r, OpKind::Sum, inside, dim + 1, false);
  NodeRef count = astype(r, reshape(r, places.count, counts), x->dtype());
  return elementwise(r, OpKind::Div, {sum, count});
}

NodeRef adaptivePool(Recorder &r, const NodeRef &x, unsigned dims,
                     bool channelsLast, Ints size, bool isMax) {
  static constexpr const char *names[2][3] = {
      {"adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"},
      {"adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"}};
  const char *name = names[isMax][dims - 1];
  if (!x)
    return r.fail(name, "the operand is an undefined tensor");
  if (x->rank() != dims + 1 && x->rank() != dims + 2)
    return r.fail(name, "needs " + llvm::Twine(dims) +
                            " spatial dimensions, channels and, if there are "
                            "several, images: not " +
                            shapeString(x->shape()));
  if (isMax ? !isIn(x->dtype(), numberMask) : !needFloat(r, name, x))
    return r.error.empty() ? r.fail(name, llvm::Twine("dtype must be a number, "
                                                      "not ") +
                                              dtypeName(x->dtype()))
                           : NodeRef();
  int64_t first = x->rank() - dims - (channelsLast ? 1 : 0);
  for (unsigned i = 0; i < dims; ++i)
    if (size[i] < 1 || x->shape()[first + i] < 1)
      return r.fail(name, shapeString(x->shape()) + " to " + shapeString(size) +
                              ": sizes must be 1 or more");
  // Sums of f16 and bf16 are computed in f32 and rounded once.
  NodeRef result = isMax ? x : astype(r, x, wideOf(x->dtype()));
  for (unsigned i = 0; i < dims && result; ++i)
    result = poolAlong(r, result, first + i, size[i], isMax);
  return result ? astype(r, result, x->dtype()) : NodeRef();
}

NodeRef unfold(Recorder &r, const NodeRef &x, const SlidingWindow &window) {
  const char *name = "unfold";
  if (!x)
    return r.fail(name, "the operand is an undefined tensor");
  auto dims = static_cast<int64_t>(window.size.size());
  int64_t rank = x->rank(), first = rank - dims;
  if (first != 1 && first != 2)
    return r.fail(name, "needs " + llvm::Twine(dims) +
                            " spatial dimensions, channels and, if there are "
                            "several, images: not " +
                            shapeString(x->shape()));
  Shape low(rank, 0), high(rank, 0), none(rank, 0);
  for (int64_t i = 0; i < dims; ++i) {
    if (window.low[i] < 0 || window.high[i] < 0)
      return r.fail(name, "padding is negative");
    low[first + i] = window.low[i];
    high[first + i] = window.high[i];
  }
  auto spatial = llvm::to_vector<6>(llvm::seq<int64_t>(first, rank));
  NodeRef padded = pad(r, x, low, high, none, Scalar::of(int64_t(0)));
  if (!padded)
    return {};
  // dims: N, C, windows, elements of a window
  NodeRef all =
      windows(r, padded, spatial, window.size, window.stride, window.dilation);
  if (!all)
    return {};
  Shape order, shape;
  int64_t elements = x->shape()[first - 1], places = 1;
  for (int64_t i = 0; i < first; ++i)
    order.push_back(i);
  for (int64_t i = 0; i < dims; ++i) {
    order.push_back(rank + i);
    elements *= window.size[i];
  }
  for (int64_t i = 0; i < dims; ++i) {
    order.push_back(first + i);
    places *= all->shape()[first + i];
  }
  if (first == 2)
    shape.push_back(x->shape()[0]);
  shape.push_back(elements);
  shape.push_back(places);
  return reshape(r, transpose(r, all, order), shape);
}

} // namespace tensorc::graph
