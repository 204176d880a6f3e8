//===- ConvolutionRules.cpp - Gradients of convolutions -------------------===//
//
// A convolution y[o] = sum of w[j] x[t] over o s + j d - l = t i, with strides
// s, dilations d, low padding l and gaps i, is linear in each operand:
//   by x: the convolution of y's gradient with mirrored kernels, with s and i
//         swapped. tx.conv and tx.conv_transpose are each other's gradient.
//   by w: a contraction of x's windows with y's gradient over images and
//         positions, as the forward kernel is one over channels and taps. Its
//         rows are taps, which read x in place, and its lanes are channels of y:
//         a panel of taps would be gathered element by element.
// So gradients are computed by the kernels of convolutions. The gradient of the
// expansion would instead materialize the windows of an image, which need as
// many times the memory of the image as there are taps.
//
// If x has gaps, most elements of its windows are zeros. Then y and x are
// swapped, so that the windows are those of y's gradient.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/autodiff/ReverseSweep.h"
#include "ir/library/Library.h"
#include "ir/shape/LibraryRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

/// Minimum number of channels for making them the vector lanes of the kernel's
/// gradient. With fewer channels the taps are the lanes.
static constexpr int64_t minChannelsForLanes = 16;

namespace {
template <typename Op> class ConvolutionGradient {
public:
  ConvolutionGradient(Op op, Value g, TensorBuilder &e)
      : op(op), g(g), e(e), a(tx::ConvolutionAttributes::of(op)),
        dims(a.sizes.size()), places{dims, a.channelsLast, isTransposed} {
    planAdjoint();
  }

  Value byImage();
  Value byKernel();
  Value byBias() {
    return e.sum(g, builder::allDimsBut(rankOf(g), places.channel()));
  }

private:
  static constexpr bool isTransposed = std::is_same_v<Op, tx::ConvTransposeOp>;
  using Adjoint =
      std::conditional_t<isTransposed, tx::ConvOp, tx::ConvTransposeOp>;

  /// Computes the padding of the convolution that gives x's gradient.
  void planAdjoint();
  /// True if most elements in x's windows are zeros that input dilation
  /// inserted, while y's windows, which would be dilated by the strides,
  /// contain none.
  bool isSparse() const {
    auto isOne = [](int64_t n) { return n == 1; };
    return llvm::all_of(a.strides, isOne) &&
           !llvm::all_of(a.inputDilations, isOne);
  }
  Value split(Value x);
  Value ordered(Value product, int64_t in, int64_t out);

  Op op;
  Value g;
  TensorBuilder &e;
  tx::ConvolutionAttributes a;
  int64_t dims;
  shape::ConvolutionPlaces places;
  SmallVector<int64_t> low, high;
};
} // namespace

template <typename Op> void ConvolutionGradient<Op>::planAdjoint() {
  Dims x = dimsOf(op.getX()), y = dimsOf(g);
  for (int64_t i = 0; i < dims; ++i) {
    int64_t reach = (a.sizes[i] - 1) * a.dilations[i];
    low.push_back(reach - a.low[i]);
    // Number of elements at the end of x that no window covers. If the sizes
    // are symbolic, its maximum, the stride - 1.
    int64_t d = places.spatial(i);
    Dim unused = (x[d] - 1) * a.inputDilations[i] - (y[d] - 1) * a.strides[i] +
                 a.low[i] + a.high[i] - reach;
    high.push_back(reach - a.high[i] +
                   unused.number().value_or(a.strides[i] - 1));
  }
}

template <typename Op> Value ConvolutionGradient<Op>::byImage() {
  Value kernel = op.getKernel();
  if (a.channelsLast) {
    // Both kernels list the input channels before the output channels, and the
    // gradient's kernel swaps the two.
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, dims + 2));
    std::swap(order[dims], order[dims + 1]);
    kernel = e.transpose(kernel, order);
  }
  shape::ConvolutionNumbers numbers{
      a.channelsLast, !isTransposed, a.groups, a.sizes,  a.inputDilations,
      a.dilations,    low,           high,     a.strides};
  auto made =
      shape::inferConvolution(dimsOf(g), dimsOf(kernel), std::nullopt, numbers);
  Value x = Adjoint::create(
      e.b, e.loc, tx::tensorType(made.dims, getElementTypeOrSelf(g.getType())),
      g, kernel, Value(), a.channelsLast, a.groups, a.sizes, a.inputDilations,
      a.dilations, low, high, a.strides);
  for (int64_t i = 0; i < dims; ++i) {
    int64_t d = places.spatial(i);
    x = e.sliceAlong(x, d, 0, dimsOf(op.getX())[d]);
  }
  return x;
}

/// Splits the channels into a dim of groups followed by one of channels.
template <typename Op> Value ConvolutionGradient<Op>::split(Value x) {
  if (a.groups == 1)
    return x;
  SmallVector<Dim> result(dimsOf(x));
  int64_t channel = places.channel();
  result[channel] = shape::floorDiv(result[channel], a.groups);
  result.insert(result.begin() + channel, Dim(a.groups));
  return e.reshape(x, result);
}

/// Transposes a product into the kernel's layout. The product has a dim of
/// groups if there are several, two dims of channels (`in` is the dim of x's
/// channels), and the dims of taps.
template <typename Op>
Value ConvolutionGradient<Op>::ordered(Value product, int64_t in, int64_t out) {
  SmallVector<int64_t> taps;
  for (int64_t d = a.groups > 1 ? 1 : 0; d < rankOf(product); ++d)
    if (d != in && d != out)
      taps.push_back(d);
  SmallVector<int64_t> order;
  auto add = [&](int64_t dim) {
    if (a.groups > 1 && dim == (isTransposed ? in : out))
      order.push_back(0);
    order.push_back(dim);
  };
  if (a.channelsLast)
    llvm::append_range(order, taps);
  add(places.in() < places.out() ? in : out);
  add(places.in() < places.out() ? out : in);
  if (!a.channelsLast)
    llvm::append_range(order, taps);
  return e.reshape(e.transpose(product, order), dimsOf(op.getKernel()));
}

template <typename Op> Value ConvolutionGradient<Op>::byKernel() {
  Value image = op.getX(), other = g;
  Numbers strides = a.strides, gaps = a.inputDilations, lows = a.low,
          highs = a.high;
  bool swapped = isSparse();
  if (swapped) {
    std::swap(image, other);
    std::swap(strides, gaps);
    lows = low;
    highs = high;
  }
  SmallVector<int64_t> from(rankOf(image), 0), to(from), interior(from);
  SmallVector<int64_t> spatial, summed{0}, taps;
  for (int64_t i = 0; i < dims; ++i) {
    int64_t d = places.spatial(i);
    from[d] = lows[i];
    to[d] = highs[i];
    interior[d] = gaps[i] - 1;
    spatial.push_back(d + (a.groups > 1 && !a.channelsLast ? 1 : 0));
  }
  llvm::append_range(summed, spatial);
  image = split(e.pad(image, from, to, interior, 0));
  other = split(other);
  Value windows = e.windows(image, spatial, a.sizes, strides, a.dilations);
  SmallVector<int64_t> groups;
  if (a.groups > 1)
    groups.push_back(places.channel());
  int64_t first = groups.size();
  auto channels = dimsOf(other)[places.channel() + first].number();
  bool areFew = channels && *channels < minChannelsForLanes;
  Value x = areFew ? other : windows, y = areFew ? windows : other;
  Value product = e.dot(x, y, {groups, groups, summed, summed});
  // The product's dims are x's channels and y's channels. The dims of taps
  // follow the channels of the operand that is read in windows.
  int64_t ofWindows = first + (areFew ? 1 : 0);
  int64_t ofOther = first + (areFew ? 0 : 1 + dims);
  Value result = swapped ? ordered(product, ofOther, ofWindows)
                         : ordered(product, ofWindows, ofOther);
  // The kernel is mirrored if the reduction visits its taps in reverse order.
  if (swapped == isTransposed)
    return result;
  for (int64_t i = 0; i < dims; ++i)
    taps.push_back(places.ofKernel(i));
  return e.reverse(result, taps);
}

template <typename Op> static void pullBack(Op op, Value g, Pullback &p) {
  ConvolutionGradient<Op> gradient(op, g, p.e);
  p.give(0, [&] { return gradient.byImage(); });
  p.give(1, [&] { return gradient.byKernel(); });
  if (op.getBias())
    p.give(2, [&] { return gradient.byBias(); });
}

void pullBackConvolution(tx::ConvOp op, Value g, Pullback &p) {
  pullBack(op, g, p);
}

void pullBackConvolution(tx::ConvTransposeOp op, Value g, Pullback &p) {
  pullBack(op, g, p);
}

} // namespace tensorc::compiler::autodiff
