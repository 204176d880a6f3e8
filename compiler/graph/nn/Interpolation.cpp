//===- Interpolation.cpp - Images of another size -------------------------===//
//
// Along one spatial dim after the other, elements are gathered at computed
// positions: the nearest one, or its two neighbours in proportion.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/nn/NeuralNetworks.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::graph {

static bool check(Recorder &r, const char *name, const NodeRef &x, Ints size,
                  const Interpolation &options) {
  if (!needFloat(r, name, x))
    return false;
  if (size.empty() || size.size() > 3 || x->rank() != size.size() + 2)
    r.fail(name, "needs images, channels and 1 to 3 spatial dimensions, and a "
                 "size of each: " +
                     shapeString(x->shape()) + " to " + shapeString(size));
  for (auto [i, n] : llvm::enumerate(size))
    if (r.error.empty() && (n < 1 || x->shape()[i + 2] < 1))
      r.fail(name, "sizes must be positive: " + shapeString(x->shape()) +
                       " to " + shapeString(size));
  return r.error.empty();
}

/// An element of x between two.
static double stepOf(int64_t from, int64_t to, bool alignCorners) {
  if (!alignCorners)
    return static_cast<double>(from) / static_cast<double>(to);
  return to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1)
                : 0.0;
}

namespace {
/// Positions in x of the elements along one dim, as floats.
struct Positions {
  NodeRef at, last;
};
} // namespace

static NodeRef indexOf(Recorder &r, const NodeRef &at, const NodeRef &last) {
  return elementwise(r, OpKind::Min, {astype(r, at, DType::I64), last});
}

/// PyTorch's arithmetic, so that ties fall as they do there.
static Positions positionsOf(Recorder &r, const Node &x, int64_t axis,
                             int64_t to, const Interpolation &options,
                             llvm::SmallVectorImpl<NodeRef> &inputs) {
  int64_t from = x.shape()[axis];
  DType wide = options.linear ? wideOf(x.dtype()) : DType::F32;
  NodeRef step =
      full(r, wide, {}, Scalar::of(stepOf(from, to, options.alignCorners)));
  NodeRef last = full(r, DType::I64, {}, Scalar::of(from - 1));
  inputs.append({step, last});
  NodeRef index = iota(r, wide, to, 0);
  if (!options.linear || options.alignCorners)
    return {elementwise(r, OpKind::Mul, {index, step}), last};
  NodeRef middle = elementwise(r, OpKind::Add, {index, Scalar::of(0.5)});
  NodeRef at = elementwise(
      r, OpKind::Sub,
      {elementwise(r, OpKind::Mul, {middle, step}), Scalar::of(0.5)});
  return {elementwise(r, OpKind::Max, {at, Scalar::of(0.0)}), last};
}

static NodeRef alongDim(Recorder &r, const NodeRef &x, int64_t axis,
                        const Positions &p, bool linear) {
  NodeRef low = indexOf(r, p.at, p.last);
  NodeRef first = take(r, x, low, axis);
  if (!linear || !first)
    return first;
  NodeRef high = elementwise(
      r, OpKind::Min,
      {elementwise(r, OpKind::Add, {low, Scalar::of(int64_t(1))}), p.last});
  NodeRef second = take(r, x, high, axis);
  NodeRef share =
      elementwise(r, OpKind::Sub, {p.at, astype(r, low, x->dtype())});
  Shape shape(x->rank() - axis, 1);
  shape[0] = -1;
  share = share ? reshape(r, share, shape) : share;
  NodeRef rest = elementwise(r, OpKind::Sub, {Scalar::of(1.0), share});
  return elementwise(r, OpKind::Add,
                     {elementwise(r, OpKind::Mul, {first, rest}),
                      elementwise(r, OpKind::Mul, {second, share})});
}

NodeRef interpolate(Recorder &r, const NodeRef &x, Ints size,
                    const Interpolation &options) {
  const char *name = "interpolate";
  if (!check(r, name, x, size, options))
    return {};
  llvm::SmallVector<NodeRef> inputs{x};
  NodeRef body = options.linear ? astype(r, x, wideOf(x->dtype())) : x;
  for (auto [i, to] : llvm::enumerate(size)) {
    int64_t axis = static_cast<int64_t>(i) + 2;
    if (!body || x->shape()[axis] == to)
      continue;
    Positions p = positionsOf(r, *x.get(), axis, to, options, inputs);
    body = alongDim(r, body, axis, p, options.linear);
  }
  Shape parameters(size.begin(), size.end());
  parameters.append({options.linear, options.alignCorners});
  return composite(r, name, inputs, parameters,
                   body ? astype(r, body, x->dtype()) : body);
}

} // namespace tensorc::graph
