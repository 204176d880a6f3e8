//===- Convolution.cpp - Contractions over windows ------------------------===//
//
// A convolution is a contraction of kernels with the windows of the padded
// input, which it reads in place. Groups are a batch dimension. A transposed
// one slides over an input with gaps, kernels mirrored.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/nn/Windows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

namespace tensorc::graph {

namespace {
/// One convolution on its way to a graph.
class ConvolutionBuilder {
public:
  ConvolutionBuilder(Recorder &r, Convolution options, bool transposed)
      : r(r), o(std::move(options)), transposed(transposed) {}

  NodeRef build(const NodeRef &x, const NodeRef &kernel, const NodeRef &bias);

private:
  const char *name() const;
  bool checkOptions();
  bool checkOperands(const NodeRef &x, const NodeRef &kernel,
                     const NodeRef &bias);
  bool checkList(Ints list, int64_t least, const char *what);
  bool resolvePadding(const NodeRef &x);
  bool resolveTransposed(const NodeRef &x);
  bool resolveSize(const NodeRef &x);
  NodeRef padded(const NodeRef &x);
  NodeRef mirrored(const NodeRef &kernel);
  void addChannels(Shape &viewDims, Shape &kernelDims, int64_t view,
                   int64_t kernel) const;
  NodeRef contraction(const NodeRef &views, const NodeRef &kernel);
  NodeRef grouped(const NodeRef &views, const NodeRef &kernel);
  Shape parameters() const;

  /// Where dims are in x and in the kernel.
  int64_t channelDim() const { return o.channelsLast ? o.dims + 1 : 1; }
  int64_t spatialDim(unsigned i) const { return (o.channelsLast ? 1 : 2) + i; }
  int64_t kernelDim(unsigned i) const { return (o.channelsLast ? 0 : 2) + i; }
  /// Kernels list channels out, in; where transposed or last in, out.
  int64_t inDim() const {
    return (o.channelsLast ? o.dims : 0) +
           (transposed || o.channelsLast ? 0 : 1);
  }
  int64_t outDim() const {
    return (o.channelsLast ? o.dims : 0) +
           (transposed || o.channelsLast ? 1 : 0);
  }
  /// Each group's channels are a part of this dim of the kernel.
  int64_t groupedDim() const { return transposed ? inDim() : outDim(); }
  int64_t outChannels(const Node &kernel) const {
    return kernel.shape()[outDim()] * (transposed ? o.groups : 1);
  }

  Recorder &r;
  Convolution o;
  bool transposed;
};
} // namespace

const char *ConvolutionBuilder::name() const {
  static constexpr const char *names[2][3] = {
      {"conv1d", "conv2d", "conv3d"},
      {"conv_transpose1d", "conv_transpose2d", "conv_transpose3d"}};
  return names[transposed][o.dims - 1];
}

bool ConvolutionBuilder::checkList(Ints list, int64_t least, const char *what) {
  if (list.size() != o.dims)
    r.fail(name(), "needs " + llvm::Twine(o.dims) + " numbers as " + what +
                       ", not " + shapeString(list));
  for (int64_t value : list)
    if (value < least || value > INT32_MAX)
      r.fail(name(), llvm::Twine(what) + " must be " +
                         (least ? "positive" : "at least 0") +
                         " and below 2^31, not " + shapeString(list));
  return r.error.empty();
}

bool ConvolutionBuilder::checkOptions() {
  if (o.groups < 1) {
    r.fail(name(), "groups must be positive, not " + llvm::Twine(o.groups));
    return false;
  }
  if (transposed && o.padding != Convolution::Padding::Explicit) {
    r.fail(name(), "padding must be numbers");
    return false;
  }
  return checkList(o.window.stride, 1, "stride") &&
         checkList(o.window.dilation, 1, "dilation") &&
         checkList(o.inputDilation, 1, "input dilation") &&
         checkList(o.window.low, 0, "padding") &&
         checkList(o.window.high, 0, "padding") &&
         checkList(o.outputPadding, 0, "output padding");
}

bool ConvolutionBuilder::checkOperands(const NodeRef &x, const NodeRef &kernel,
                                       const NodeRef &bias) {
  std::string both =
      shapeString(x->shape()) + " x " + shapeString(kernel->shape());
  if (x->rank() != o.dims + 2 || kernel->rank() != o.dims + 2) {
    r.fail(name(), "needs images and kernels with " + llvm::Twine(o.dims) +
                       " spatial dimensions and channels: " + both);
    return false;
  }
  std::optional<DType> dtype = promote(x->dtype(), kernel->dtype());
  if (!dtype || !isIn(*dtype, numberMask)) {
    r.fail(name(), llvm::Twine("no common number dtype of ") +
                       dtypeName(x->dtype()) + " and " +
                       dtypeName(kernel->dtype()));
    return false;
  }
  int64_t channels = x->shape()[channelDim()];
  int64_t expected = kernel->shape()[inDim()] * (transposed ? 1 : o.groups);
  if (channels != expected)
    r.fail(name(), llvm::Twine(channels) +
                       " channels, but the kernels are for " +
                       llvm::Twine(expected) + ": " + both);
  else if (kernel->shape()[groupedDim()] % o.groups != 0)
    r.fail(name(), llvm::Twine(o.groups) + " groups do not divide the " +
                       llvm::Twine(kernel->shape()[groupedDim()]) +
                       " channels of the kernels: " + both);
  else if (bias && bias->shape() != Ints(outChannels(*kernel.get())))
    r.fail(name(), "the bias must be of shape " +
                       shapeString(outChannels(*kernel.get())) + ", not " +
                       shapeString(bias->shape()));
  return r.error.empty();
}

bool ConvolutionBuilder::resolvePadding(const NodeRef &x) {
  SlidingWindow &w = o.window;
  for (unsigned i = 0; i < o.dims; ++i) {
    int64_t reach = (w.size[i] - 1) * w.dilation[i];
    if (o.padding == Convolution::Padding::Explicit)
      continue;
    bool same = o.padding == Convolution::Padding::Same;
    if (same && w.stride[i] != 1) {
      r.fail(name(), "padding \"same\" needs a stride of 1, not " +
                         shapeString(w.stride));
      return false;
    }
    w.low[i] = same ? reach / 2 : 0;
    w.high[i] = same ? reach - reach / 2 : 0;
  }
  return resolveSize(x);
}

/// Strides become gaps; padding takes away from what the kernel adds.
bool ConvolutionBuilder::resolveTransposed(const NodeRef &x) {
  SlidingWindow &w = o.window;
  for (unsigned i = 0; i < o.dims; ++i) {
    if (o.outputPadding[i] >= std::max(w.stride[i], w.dilation[i])) {
      r.fail(name(), "output padding " + shapeString(o.outputPadding) +
                         " must be smaller than the stride " +
                         shapeString(w.stride) + " or the dilation " +
                         shapeString(w.dilation));
      return false;
    }
    int64_t reach = (w.size[i] - 1) * w.dilation[i];
    o.inputDilation[i] = std::exchange(w.stride[i], 1);
    w.low[i] = reach - w.low[i];
    w.high[i] = reach - w.high[i] + o.outputPadding[i];
  }
  return resolveSize(x);
}

bool ConvolutionBuilder::resolveSize(const NodeRef &x) {
  const SlidingWindow &w = o.window;
  for (unsigned i = 0; i < o.dims; ++i) {
    int64_t size = x->shape()[spatialDim(i)];
    int64_t extent = (w.size[i] - 1) * w.dilation[i] + 1, inner = 0, total = 0;
    bool overflow =
        llvm::MulOverflow(std::max<int64_t>(size - 1, 0),
                          o.inputDilation[i] - 1, inner) ||
        llvm::AddOverflow(size + w.low[i] + w.high[i], inner, total);
    if (!overflow && total >= extent && size > 0)
      continue;
    Shape spatial;
    for (unsigned j = 0; j < o.dims; ++j)
      spatial.push_back(x->shape()[spatialDim(j)]);
    if (transposed)
      r.fail(name(), "the result of " + shapeString(spatial) +
                         " with a kernel of " + shapeString(w.size) +
                         " has no elements");
    else
      r.fail(name(), "a kernel of " + shapeString(w.size) + ", dilated by " +
                         shapeString(w.dilation) + ", does not fit into " +
                         shapeString(spatial) + " with padding " +
                         shapeString(w.low) + " and " + shapeString(w.high));
    return false;
  }
  return true;
}

NodeRef ConvolutionBuilder::padded(const NodeRef &x) {
  Shape low(x->rank(), 0), high(x->rank(), 0), interior(x->rank(), 0);
  bool any = false;
  for (unsigned i = 0; i < o.dims; ++i) {
    int64_t dim = spatialDim(i);
    low[dim] = o.window.low[i];
    high[dim] = o.window.high[i];
    interior[dim] = o.inputDilation[i] - 1;
    any |= low[dim] != 0 || high[dim] != 0 || interior[dim] != 0;
  }
  return any ? pad(r, x, low, high, interior, Scalar::of(int64_t(0))) : x;
}

NodeRef ConvolutionBuilder::mirrored(const NodeRef &kernel) {
  Shape starts(kernel->rank(), openEnd), steps(kernel->rank(), 1);
  for (unsigned i = 0; i < o.dims; ++i)
    steps[kernelDim(i)] = -1;
  return slice(r, kernel, starts, starts, steps);
}

/// The sum runs along memory: channels innermost if they are so in x.
void ConvolutionBuilder::addChannels(Shape &viewDims, Shape &kernelDims,
                                     int64_t view, int64_t kernel) const {
  viewDims.insert(o.channelsLast ? viewDims.end() : viewDims.begin(), view);
  kernelDims.insert(o.channelsLast ? kernelDims.end() : kernelDims.begin(),
                    kernel);
}

/// The windows of x, whose last dims are the kernel's, by the kernels: in this
/// order the contraction reads the image in place. Its result has channels
/// last.
NodeRef ConvolutionBuilder::contraction(const NodeRef &views,
                                        const NodeRef &kernel) {
  Shape viewDims, kernelDims, order{0, static_cast<int64_t>(o.dims) + 1};
  for (unsigned i = 0; i < o.dims; ++i) {
    viewDims.push_back(o.dims + 2 + i);
    kernelDims.push_back(kernelDim(i));
    order.push_back(i + 1);
  }
  addChannels(viewDims, kernelDims, channelDim(), inDim());
  NodeRef product = dotGeneral(r, views, kernel, {}, {}, viewDims, kernelDims);
  return product && !o.channelsLast ? transpose(r, product, order) : product;
}

static Shape splitDim(Ints shape, int64_t dim, int64_t groups) {
  Shape result(shape.begin(), shape.end());
  result[dim] /= groups;
  result.insert(result.begin() + dim, groups);
  return result;
}

/// As contraction, with a group dim before the channels of both.
NodeRef ConvolutionBuilder::grouped(const NodeRef &x, const NodeRef &kernel) {
  int64_t channel = channelDim(), split = groupedDim();
  NodeRef xs = reshape(r, x, splitDim(x->shape(), channel, o.groups));
  NodeRef ks = reshape(r, kernel, splitDim(kernel->shape(), split, o.groups));
  Shape spatial, viewDims, kernelDims, order;
  for (unsigned i = 0; i < o.dims; ++i) {
    spatial.push_back(spatialDim(i) + (o.channelsLast ? 0 : 1));
    viewDims.push_back(o.dims + 3 + i);
    kernelDims.push_back(kernelDim(i) + (kernelDim(i) > split ? 1 : 0));
  }
  addChannels(viewDims, kernelDims, channel + 1,
              inDim() + (inDim() >= split ? 1 : 0));
  if (!xs || !ks)
    return {};
  NodeRef views = windows(r, xs, spatial, o.window.size, o.window.stride,
                          o.window.dilation);
  if (!views)
    return {};
  // Groups, images, spatial, channels of the group.
  NodeRef product =
      dotGeneral(r, views, ks, channel, split, viewDims, kernelDims);
  order.push_back(1);
  if (!o.channelsLast)
    order.append({0, static_cast<int64_t>(o.dims) + 2});
  llvm::append_range(order, llvm::seq<int64_t>(2, o.dims + 2));
  if (o.channelsLast)
    order.append({0, static_cast<int64_t>(o.dims) + 2});
  if (!product)
    return {};
  NodeRef result = transpose(r, product, order);
  Shape shape(result->shape().begin(), result->shape().end());
  shape[channel] *= shape[channel + 1];
  shape.erase(shape.begin() + channel + 1);
  return reshape(r, result, shape);
}

Shape ConvolutionBuilder::parameters() const {
  Shape result{o.channelsLast, o.groups};
  for (const Shape *list :
       {&o.window.size, &o.window.stride, &o.window.low, &o.window.high,
        &o.window.dilation, &o.inputDilation})
    llvm::append_range(result, *list);
  return result;
}

NodeRef ConvolutionBuilder::build(const NodeRef &image, const NodeRef &kernel,
                                  const NodeRef &bias) {
  if (!image || !kernel)
    return r.fail(name(), "an operand is an empty tensor");
  NodeRef x = image;
  bool single = x->rank() == o.dims + 1;
  if (single)
    x = expandDims(r, x, 0);
  if (!checkOptions() || !checkOperands(x, kernel, bias))
    return {};
  o.window.size.clear();
  for (unsigned i = 0; i < o.dims; ++i)
    o.window.size.push_back(kernel->shape()[kernelDim(i)]);
  if (!checkList(o.window.size, 1, "the kernel's size") ||
      !(transposed ? resolveTransposed(x) : resolvePadding(x)))
    return {};
  NodeRef from = padded(x), weights = transposed ? mirrored(kernel) : kernel;
  if (!from || !weights)
    return {};
  Shape spatial;
  for (unsigned i = 0; i < o.dims; ++i)
    spatial.push_back(spatialDim(i));
  NodeRef body;
  if (o.groups > 1)
    body = grouped(from, weights);
  else if (NodeRef views = windows(r, from, spatial, o.window.size,
                                   o.window.stride, o.window.dilation))
    body = contraction(views, weights);
  llvm::SmallVector<NodeRef> inputs{x, kernel};
  if (bias && body) {
    Shape shape(o.channelsLast ? 1 : o.dims + 1, 1);
    shape[0] = bias->shape()[0];
    body = elementwise(r, OpKind::Add, {body, reshape(r, bias, shape)});
    inputs.push_back(bias);
  }
  NodeRef result = composite(r, name(), inputs, parameters(), body);
  return single && result ? squeeze(r, result, 0) : result;
}

NodeRef convolution(Recorder &r, const NodeRef &x, const NodeRef &kernel,
                    const NodeRef &bias, Convolution options) {
  return ConvolutionBuilder(r, std::move(options), false)
      .build(x, kernel, bias);
}

NodeRef transposedConvolution(Recorder &r, const NodeRef &x,
                              const NodeRef &kernel, const NodeRef &bias,
                              Convolution options) {
  return ConvolutionBuilder(r, std::move(options), true).build(x, kernel, bias);
}

} // namespace tensorc::graph
