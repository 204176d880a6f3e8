//===- Pooling.cpp - Recording reductions of windows ----------------------===//

#include "compiler/graph/nn/Windows.h"
#include "compiler/graph/ops/Composites.h"
#include "ir/shape/LibraryRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

namespace tensorc::graph {

/// Returns the attributes of an op whose windows slide over these dims.
template <typename Attributes>
static Attributes windowsOver(Ints dims, const SlidingWindow &window) {
  Attributes attributes{};
  attributes.dims = dims;
  attributes.sizes = window.size;
  attributes.strides = window.stride;
  attributes.dilations = window.dilation;
  attributes.low = window.low;
  attributes.high = window.high;
  return attributes;
}

NodeRef reduceWindow(Recorder &r, WindowReduction reduction, const NodeRef &x,
                     const SlidingWindow &window) {
  const char *name = "reduce_window";
  if (!x)
    return r.fail(name, "the operand is an undefined tensor");
  bool mean = reduction == WindowReduction::Mean;
  if (!isIn(x->dtype(), mean ? floatMask : numberMask))
    return r.fail(name, llvm::Twine("dtype must be ") +
                            (mean ? "a float" : "a number") + ", not " +
                            dtypeName(x->dtype()));
  auto dims = llvm::to_vector<6>(llvm::seq<int64_t>(0, x->rank()));
  auto attributes = windowsOver<tx::ReduceWindowAttributes>(dims, window);
  attributes.kind = reduction;
  return composite(r, OpKind::ReduceWindow, x->dtype(), x, attributes);
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// In ceil mode the last window may extend beyond the padding, unless it would
/// begin after it. The missing elements are added to the padding.
static SlidingWindow completed(const Node &x, Ints dims, const Pooling &pool) {
  SlidingWindow window = pool.window;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t size = x.shape()[dim], stride = window.stride[i];
    int64_t total = size + window.low[i] + window.high[i];
    int64_t extent = (window.size[i] - 1) * window.dilation[i] + 1;
    int64_t last = llvm::divideCeilSigned(total - extent, stride);
    if (last * stride >= size + window.low[i])
      --last;
    if (pool.ceilMode && last >= 0)
      window.high[i] += std::max<int64_t>(last * stride + extent - total, 0);
  }
  return window;
}

static shape::PooledWindows numbersOf(Ints dims, const SlidingWindow &window) {
  return {dims,       window.size, window.stride, window.dilation,
          window.low, window.high};
}

/// Finds the dims that windows slide over, and their padding.
static bool checkPooling(Recorder &r, const char *name, const NodeRef &x,
                         const Pooling &pool, Shape &dims,
                         SlidingWindow &window) {
  if (!x) {
    r.fail(name, "the operand is an undefined tensor");
    return false;
  }
  if (x->rank() != pool.dims + 1 && x->rank() != pool.dims + 2) {
    r.fail(name, "needs " + llvm::Twine(pool.dims) +
                     " spatial dimensions, channels and, if there are "
                     "several, images: not " +
                     shapeString(x->shape()));
    return false;
  }
  int64_t first = x->rank() - pool.dims - (pool.channelsLast ? 1 : 0);
  dims = llvm::to_vector<6>(llvm::seq<int64_t>(first, first + pool.dims));
  shape::InferredShape lists =
      shape::checkPooling(numbersOf(dims, pool.window));
  if (lists.isRefused()) {
    r.fail(name, lists.refusal);
    return false;
  }
  for (auto [i, dim] : llvm::enumerate(dims))
    if (std::max(pool.window.low[i], pool.window.high[i]) >
        ((pool.window.size[i] - 1) * pool.window.dilation[i] + 1) / 2) {
      r.fail(name, "padding " + shapeString(pool.window.low) +
                       " is more than half of the window " +
                       shapeString(pool.window.size));
      return false;
    }
  window = completed(*x.get(), dims, pool);
  return true;
}

static const char *nameOf(const Pooling &pool, bool max) {
  static constexpr const char *names[2][3] = {
      {"avg_pool1d", "avg_pool2d", "avg_pool3d"},
      {"max_pool1d", "max_pool2d", "max_pool3d"}};
  return names[max][pool.dims - 1];
}

NodeRef maxPool(Recorder &r, const NodeRef &x, const Pooling &pool) {
  const char *name = nameOf(pool, true);
  Shape dims;
  SlidingWindow window;
  if (!checkPooling(r, name, x, pool, dims, window))
    return {};
  if (!isIn(x->dtype(), numberMask))
    return r.fail(name, llvm::Twine("dtype must be a number, not ") +
                            dtypeName(x->dtype()));
  auto attributes = windowsOver<tx::WindowAttributes>(dims, window);
  return composite(r, OpKind::MaxPool, x->dtype(), x, attributes);
}

NodeRef averagePool(Recorder &r, const NodeRef &x, const Pooling &pool) {
  const char *name = nameOf(pool, false);
  Shape dims;
  SlidingWindow window;
  if (!checkPooling(r, name, x, pool, dims, window))
    return {};
  if (!isIn(x->dtype(), floatMask))
    return r.fail(name, llvm::Twine("dtype must be a float, not ") +
                            dtypeName(x->dtype()));
  if (pool.divisor != 0) {
    // The sum is rounded once, after the division.
    auto sums = windowsOver<tx::ReduceWindowAttributes>(dims, window);
    sums.kind = WindowReduction::Sum;
    NodeRef wide = astype(r, x, wideOf(x->dtype()));
    NodeRef sum = composite(r, OpKind::ReduceWindow, wide->dtype(), wide, sums);
    return astype(r,
                  elementwise(r, OpKind::Div, {sum, Scalar::of(pool.divisor)}),
                  x->dtype());
  }
  auto attributes = windowsOver<tx::AvgPoolAttributes>(dims, window);
  attributes.countedHigh = pool.window.high;
  attributes.excludePadding = pool.excludePadding;
  return composite(r, OpKind::AvgPool, x->dtype(), x, attributes);
}

} // namespace tensorc::graph
