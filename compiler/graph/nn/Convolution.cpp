//===- Convolution.cpp - Recording convolutions ---------------------------===//
//
// Converts the user's options to numbers: the padding of each side, and the
// gaps in the input of a transposed convolution.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/nn/Windows.h"
#include "compiler/graph/ops/Composites.h"
#include "ir/shape/LibraryRules.h"

namespace tensorc::graph {

namespace {
/// Builds one convolution.
class ConvolutionBuilder {
public:
  ConvolutionBuilder(Recorder &r, Convolution options, bool transposed)
      : r(r), o(std::move(options)), places{o.dims, o.channelsLast, transposed},
        transposed(transposed) {}

  NodeRef build(const NodeRef &image, const NodeRef &kernel,
                const NodeRef &bias);

private:
  const char *name() const;
  bool checkOptions();
  bool checkOperands(const NodeRef &x, const NodeRef &kernel);
  bool checkList(Ints list, int64_t least, const char *what);
  bool resolvePadding();
  bool resolveTransposed();
  NodeRef record(const NodeRef &x, const NodeRef &kernel, const NodeRef &bias);

  Recorder &r;
  Convolution o;
  shape::ConvolutionPlaces places;
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
    // In the C struct 0 means the default of 1, so C++ passes another number
    // for an explicit 0.
    r.fail(name(), "groups must be at least 1");
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

bool ConvolutionBuilder::checkOperands(const NodeRef &x,
                                       const NodeRef &kernel) {
  if (x->rank() != o.dims + 2 || kernel->rank() != o.dims + 2) {
    r.fail(name(),
           "needs images and kernels with " + llvm::Twine(o.dims) +
               " spatial dimensions and channels: " + shapeString(x->shape()) +
               " x " + shapeString(kernel->shape()));
    return false;
  }
  std::optional<DType> dtype = promote(x->dtype(), kernel->dtype());
  if (!dtype || !isIn(*dtype, numberMask))
    r.fail(name(), llvm::Twine("no common number dtype of ") +
                       dtypeName(x->dtype()) + " and " +
                       dtypeName(kernel->dtype()));
  return r.error.empty();
}

bool ConvolutionBuilder::resolvePadding() {
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
  return true;
}

/// Strides become input dilations, and the padding becomes that of the
/// equivalent convolution.
bool ConvolutionBuilder::resolveTransposed() {
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
  return true;
}

NodeRef ConvolutionBuilder::record(const NodeRef &x, const NodeRef &kernel,
                                   const NodeRef &bias) {
  const SlidingWindow &w = o.window;
  DType dtype = *promote(x->dtype(), kernel->dtype());
  auto convolve = [&](const NodeRef &inside) {
    tx::ConvolutionAttributes attributes{.present = presenceOf({inside}),
                                         .channelsLast = o.channelsLast,
                                         .groups = o.groups,
                                         .sizes = w.size,
                                         .strides = w.stride,
                                         .dilations = w.dilation,
                                         .low = w.low,
                                         .high = w.high,
                                         .inputDilations = o.inputDilation};
    return composite(
        r, transposed ? OpKind::ConvTranspose : OpKind::Conv, dtype,
        {astype(r, x, dtype), astype(r, kernel, dtype), inside}, attributes);
  };
  // If the bias has a wider dtype, it is added in that dtype.
  if (!bias || promote(dtype, bias->dtype()) == dtype)
    return convolve(bias ? astype(r, bias, dtype) : bias);
  NodeRef product = convolve({});
  if (!product || bias->rank() != 1)
    return product ? r.fail(name(), "the bias must be a vector, not " +
                                        shapeString(bias->shape()))
                   : product;
  Shape shape(o.channelsLast ? 1 : o.dims + 1, 1);
  shape[0] = bias->shape()[0];
  return elementwise(r, OpKind::Add, {product, reshape(r, bias, shape)});
}

NodeRef ConvolutionBuilder::build(const NodeRef &image, const NodeRef &kernel,
                                  const NodeRef &bias) {
  if (!image || !kernel)
    return r.fail(name(), "an operand is an undefined tensor");
  NodeRef x = image;
  bool single = x->rank() == o.dims + 1;
  if (single)
    x = expandDims(r, x, 0);
  if (!x || !checkOptions() || !checkOperands(x, kernel))
    return {};
  o.window.size.clear();
  for (unsigned i = 0; i < o.dims; ++i)
    o.window.size.push_back(kernel->shape()[places.ofKernel(i)]);
  if (!checkList(o.window.size, 1, "the kernel's size") ||
      !(transposed ? resolveTransposed() : resolvePadding()))
    return {};
  NodeRef result = record(x, kernel, bias);
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
