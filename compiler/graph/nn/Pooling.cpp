//===- Pooling.cpp - Reductions of windows --------------------------------===//

#include "compiler/graph/nn/NeuralNetworks.h"
#include "compiler/graph/nn/Windows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

namespace tensorc::graph {

/// Positive and below 2^31, as tx.windows takes them; padding may be 0.
static bool checkWindow(Recorder &r, const char *name,
                        const SlidingWindow &window, size_t dims) {
  auto check = [&](Ints list, int64_t least, const char *what) {
    if (list.size() != dims)
      r.fail(name, llvm::Twine("needs ") + llvm::Twine(dims) + " numbers as " +
                       what + ", not " + shapeString(list));
    for (int64_t value : list)
      if (value < least || value > INT32_MAX)
        r.fail(name, llvm::Twine(what) + " must be " +
                         (least ? "positive" : "at least 0") +
                         " and below 2^31, not " + shapeString(list));
    return r.error.empty();
  };
  return check(window.size, 1, "window") && check(window.stride, 1, "stride") &&
         check(window.dilation, 1, "dilation") &&
         check(window.low, 0, "padding") && check(window.high, 0, "padding");
}

/// The value that changes no result.
static Scalar identityOf(WindowReduction reduction, DType dtype) {
  bool max = reduction == WindowReduction::Max;
  if (reduction == WindowReduction::Prod)
    return Scalar::of(int64_t(1));
  if (!max && reduction != WindowReduction::Min)
    return Scalar::of(int64_t(0));
  if (isFloat(dtype)) {
    double infinity = std::numeric_limits<double>::infinity();
    return Scalar::of(max ? -infinity : infinity);
  }
  int64_t bits = 8 * byteWidth(dtype);
  if (isUnsigned(dtype))
    return Scalar::of(max ? uint64_t(0) : ~uint64_t(0) >> (64 - bits));
  int64_t least = INT64_MIN >> (64 - bits);
  return Scalar::of(max ? least : ~least);
}

static OpKind kindOf(WindowReduction reduction) {
  switch (reduction) {
  case WindowReduction::Sum:
  case WindowReduction::Mean:
    return OpKind::Sum;
  case WindowReduction::Prod:
    return OpKind::Prod;
  case WindowReduction::Max:
    return OpKind::ReduceMax;
  case WindowReduction::Min:
    return OpKind::ReduceMin;
  }
  return OpKind::Sum;
}

/// Pads `dims` of x and reduces the windows that slide over them.
static NodeRef reduceWindows(Recorder &r, WindowReduction reduction,
                             const NodeRef &x, Ints dims,
                             const SlidingWindow &window) {
  Shape low(x->rank(), 0), high(x->rank(), 0), reduced;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    low[dim] = window.low[i];
    high[dim] = window.high[i];
    reduced.push_back(x->rank() + i);
  }
  NodeRef padded = x;
  if (llvm::any_of(low, [](int64_t n) { return n != 0; }) ||
      llvm::any_of(high, [](int64_t n) { return n != 0; }))
    padded = pad(r, x, low, high, {}, identityOf(reduction, x->dtype()));
  if (!padded)
    return {};
  NodeRef views =
      windows(r, padded, dims, window.size, window.stride, window.dilation);
  return views ? reduce(r, kindOf(reduction), views, reduced, false) : views;
}

/// Every window must fit; says so in the user's terms.
static bool checkFit(Recorder &r, const char *name, const Node &x, Ints dims,
                     const SlidingWindow &window) {
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t extent = (window.size[i] - 1) * window.dilation[i] + 1;
    int64_t size = x.shape()[dim];
    if (size >= extent - window.low[i] - window.high[i])
      continue;
    r.fail(name, "a window of " + shapeString(window.size) +
                     (extent == window.size[i]
                          ? llvm::Twine()
                          : ", dilated to " + llvm::Twine(extent) + ",") +
                     " does not fit into axis " + llvm::Twine(dim) + " of " +
                     shapeString(x.shape()) + " with padding " +
                     llvm::Twine(window.low[i]) + " and " +
                     llvm::Twine(window.high[i]));
    return false;
  }
  return true;
}

static Shape parametersOf(const SlidingWindow &window) {
  Shape parameters;
  for (const Shape *list : {&window.size, &window.stride, &window.low,
                            &window.high, &window.dilation})
    llvm::append_range(parameters, *list);
  return parameters;
}

NodeRef reduceWindow(Recorder &r, WindowReduction reduction, const NodeRef &x,
                     const SlidingWindow &window) {
  const char *name = "reduce_window";
  if (!x)
    return r.fail(name, "the operand is an empty tensor");
  bool mean = reduction == WindowReduction::Mean;
  if (!isIn(x->dtype(), mean ? floatMask : numberMask))
    return r.fail(name, llvm::Twine("dtype must be ") +
                            (mean ? "a float" : "a number") + ", not " +
                            dtypeName(x->dtype()));
  auto dims = llvm::to_vector<6>(llvm::seq<int64_t>(0, x->rank()));
  if (!checkWindow(r, name, window, x->rank()) ||
      !checkFit(r, name, *x.get(), dims, window))
    return {};
  Shape parameters = parametersOf(window);
  parameters.push_back(static_cast<int64_t>(reduction));
  NodeRef wide = mean ? astype(r, x, wideOf(x->dtype())) : x;
  NodeRef body = reduceWindows(r, reduction, wide, dims, window);
  if (mean && body) {
    double count = 1;
    for (int64_t size : window.size)
      count *= static_cast<double>(size);
    body = astype(r, elementwise(r, OpKind::Div, {body, Scalar::of(count)}),
                  x->dtype());
  }
  return composite(r, name, x, parameters, body);
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// In ceil mode a last window may reach over the padding's end, unless it would
/// begin there: what it lacks is added to the padding.
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

/// Finds the dims that windows slide over and how they pad.
static bool checkPooling(Recorder &r, const char *name, const NodeRef &x,
                         const Pooling &pool, Shape &dims,
                         SlidingWindow &window) {
  if (!x) {
    r.fail(name, "the operand is an empty tensor");
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
  if (!checkWindow(r, name, pool.window, pool.dims))
    return false;
  for (auto [i, dim] : llvm::enumerate(dims))
    if (std::max(pool.window.low[i], pool.window.high[i]) >
        ((pool.window.size[i] - 1) * pool.window.dilation[i] + 1) / 2) {
      r.fail(name, "padding " + shapeString(pool.window.low) +
                       " is more than half of the window " +
                       shapeString(pool.window.size));
      return false;
    }
  window = completed(*x.get(), dims, pool);
  return checkFit(r, name, *x.get(), dims, window);
}

static const char *nameOf(const Pooling &pool, bool max) {
  static constexpr const char *names[2][3] = {
      {"avg_pool1d", "avg_pool2d", "avg_pool3d"},
      {"max_pool1d", "max_pool2d", "max_pool3d"}};
  return names[max][pool.dims - 1];
}

static Shape parametersOf(const Pooling &pool, const SlidingWindow &window) {
  Shape parameters = parametersOf(window);
  parameters.push_back(pool.channelsLast);
  parameters.push_back(pool.excludePadding);
  return parameters;
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
  return composite(r, name, x, parametersOf(pool, window),
                   reduceWindows(r, WindowReduction::Max, x, dims, window));
}

/// How many elements of [begin, end) each window along one dim holds.
static NodeRef countAlong(Recorder &r, int64_t windows, int64_t size,
                          int64_t stride, int64_t low, const NodeRef &end) {
  NodeRef index = iota(r, DType::I64, windows, 0);
  NodeRef first =
      elementwise(r, OpKind::Sub,
                  {elementwise(r, OpKind::Mul, {index, Scalar::of(stride)}),
                   Scalar::of(low)});
  NodeRef behind = elementwise(r, OpKind::Add, {first, Scalar::of(size)});
  return elementwise(
      r, OpKind::Sub,
      {elementwise(r, OpKind::Min, {behind, end}),
       elementwise(r, OpKind::Max, {first, Scalar::of(int64_t(0))})});
}

/// Divides the sums of windows by how much they hold, where that differs.
/// `ends` receives the inputs that the body needs.
static NodeRef divideByCounts(Recorder &r, const NodeRef &sums, const Node &x,
                              Ints dims, const Pooling &pool,
                              const SlidingWindow &window,
                              llvm::SmallVectorImpl<NodeRef> &ends) {
  double common = 1;
  NodeRef result = sums;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bool overhangs = window.high[i] != pool.window.high[i];
    bool padded = window.low[i] != 0 || window.high[i] != 0;
    if (!overhangs && !(pool.excludePadding && padded)) {
      common *= static_cast<double>(window.size[i]);
      continue;
    }
    // Positions count from where what is counted begins.
    int64_t low = pool.excludePadding ? window.low[i] : 0;
    int64_t end =
        x.shape()[dim] +
        (pool.excludePadding ? 0 : window.low[i] + pool.window.high[i]);
    ends.push_back(full(r, DType::I64, {}, Scalar::of(end)));
    NodeRef count = countAlong(r, sums->shape()[dim], window.size[i],
                               window.stride[i], low, ends.back());
    Shape shape(sums->rank() - dim, 1);
    shape[0] = sums->shape()[dim];
    result = elementwise(
        r, OpKind::Div,
        {result, reshape(r, astype(r, count, sums->dtype()), shape)});
  }
  if (common != 1)
    result = elementwise(r, OpKind::Div, {result, Scalar::of(common)});
  return result;
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
  NodeRef wide = astype(r, x, wideOf(x->dtype()));
  NodeRef sums = reduceWindows(r, WindowReduction::Sum, wide, dims, window);
  if (!sums)
    return {};
  llvm::SmallVector<NodeRef> inputs{x};
  NodeRef body = divideByCounts(r, sums, *x.get(), dims, pool, window, inputs);
  return composite(r, name, inputs, parametersOf(pool, window),
                   body ? astype(r, body, x->dtype()) : body);
}

} // namespace tensorc::graph
