//===- Windows.cpp - Expansions of convolution and pooling ----------------===//
//
// A convolution is a contraction of kernels with the windows of the padded
// input, which it reads in place. Groups are a batch dimension. A transposed
// one slides over an input with gaps, kernels mirrored.
//
//===----------------------------------------------------------------------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"
#include "ir/shape/LibraryRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <limits>

using namespace mlir;

namespace tensorc::tx {

using builder::dimsOf;
using builder::dtypeOf;
using builder::rankOf;
using builder::TensorBuilder;

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {
class Convolution {
public:
  Convolution(TensorBuilder &b, const ConvolutionAttributes &a, bool transposed)
      : b(b), a(a), dims(a.sizes.size()),
        places{static_cast<int64_t>(dims), a.channelsLast, transposed} {}

  Value contract(Value x, Value kernel);

private:
  Value padded(Value x);
  Value ungrouped(Value views, Value kernel);
  Value grouped(Value x, Value kernel);
  void addChannels(SmallVector<int64_t> &viewDims,
                   SmallVector<int64_t> &kernelDims, int64_t view,
                   int64_t kernel) const;

  TensorBuilder &b;
  const ConvolutionAttributes &a;
  unsigned dims;
  shape::ConvolutionPlaces places;
};
} // namespace

Value Convolution::padded(Value x) {
  SmallVector<int64_t> low(rankOf(x), 0), high(low), interior(low);
  for (unsigned i = 0; i < dims; ++i) {
    int64_t dim = places.spatial(i);
    low[dim] = a.low[i];
    high[dim] = a.high[i];
    interior[dim] = a.inputDilations[i] - 1;
  }
  return b.pad(x, low, high, interior, 0);
}

/// The sum runs along memory: channels innermost if they are so in x.
void Convolution::addChannels(SmallVector<int64_t> &viewDims,
                              SmallVector<int64_t> &kernelDims, int64_t view,
                              int64_t kernel) const {
  viewDims.insert(a.channelsLast ? viewDims.end() : viewDims.begin(), view);
  kernelDims.insert(a.channelsLast ? kernelDims.end() : kernelDims.begin(),
                    kernel);
}

/// The windows of x, whose last dims are the kernel's, by the kernels: in this
/// order the contraction reads the image in place. Its result has channels
/// last.
Value Convolution::ungrouped(Value x, Value kernel) {
  SmallVector<int64_t> spatial, viewDims, kernelDims;
  SmallVector<int64_t> order{0, static_cast<int64_t>(dims) + 1};
  for (unsigned i = 0; i < dims; ++i) {
    spatial.push_back(places.spatial(i));
    viewDims.push_back(dims + 2 + i);
    kernelDims.push_back(places.ofKernel(i));
    order.push_back(i + 1);
  }
  addChannels(viewDims, kernelDims, places.channel(), places.in());
  Value views = b.windows(x, spatial, a.sizes, a.strides, a.dilations);
  Value product = b.dot(views, kernel, {{}, {}, viewDims, kernelDims});
  return a.channelsLast ? product : b.transpose(product, order);
}

static SmallVector<shape::Dim> splitDim(shape::Dims dims, int64_t dim,
                                        int64_t groups) {
  SmallVector<shape::Dim> result(dims);
  result[dim] = shape::floorDiv(result[dim], groups);
  result.insert(result.begin() + dim, shape::Dim(groups));
  return result;
}

/// The same, with a group dim before the channels of both.
Value Convolution::grouped(Value x, Value kernel) {
  int64_t channel = places.channel(), split = places.grouped();
  x = b.reshape(x, splitDim(dimsOf(x), channel, a.groups));
  kernel = b.reshape(kernel, splitDim(dimsOf(kernel), split, a.groups));
  SmallVector<int64_t> spatial, viewDims, kernelDims, order;
  for (unsigned i = 0; i < dims; ++i) {
    spatial.push_back(places.spatial(i) + (a.channelsLast ? 0 : 1));
    viewDims.push_back(dims + 3 + i);
    int64_t dim = places.ofKernel(i);
    kernelDims.push_back(dim + (dim > split ? 1 : 0));
  }
  addChannels(viewDims, kernelDims, channel + 1,
              places.in() + (places.in() >= split ? 1 : 0));
  Value views = b.windows(x, spatial, a.sizes, a.strides, a.dilations);
  // Groups, images, spatial, channels of the group.
  Value product = b.dot(views, kernel, {channel, split, viewDims, kernelDims});
  order.push_back(1);
  if (!a.channelsLast)
    order.append({0, static_cast<int64_t>(dims) + 2});
  llvm::append_range(order, llvm::seq<int64_t>(2, dims + 2));
  if (a.channelsLast)
    order.append({0, static_cast<int64_t>(dims) + 2});
  Value result = b.transpose(product, order);
  SmallVector<shape::Dim> joined(dimsOf(result));
  joined[channel] = joined[channel] * joined[channel + 1];
  joined.erase(joined.begin() + channel + 1);
  return b.reshape(result, joined);
}

Value Convolution::contract(Value x, Value kernel) {
  x = padded(x);
  return a.groups > 1 ? grouped(x, kernel) : ungrouped(x, kernel);
}

static Value withBias(TensorBuilder &b, Value x, Value bias,
                      bool channelsLast) {
  if (!bias)
    return x;
  int64_t channel = channelsLast ? rankOf(x) - 1 : 1;
  return b.add(x, b.alongDim(bias, channel, rankOf(x)));
}

Value ConvOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  auto a = ConvolutionAttributes::of(*this);
  Value result = Convolution(b, a, false).contract(getX(), getKernel());
  return withBias(b, result, getBias(), a.channelsLast);
}

Value ConvTransposeOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  auto a = ConvolutionAttributes::of(*this);
  int64_t first = a.channelsLast ? 0 : 2;
  auto spatial =
      llvm::to_vector(llvm::seq<int64_t>(first, first + a.sizes.size()));
  Value kernel = b.reverse(getKernel(), spatial);
  Value result = Convolution(b, a, true).contract(getX(), kernel);
  return withBias(b, result, getBias(), a.channelsLast);
}

//===----------------------------------------------------------------------===//
// Reductions of windows
//===----------------------------------------------------------------------===//

/// The value that changes no result: a real number, or an integer.
static builder::Operand identityOf(WindowReduction reduction, DType dtype) {
  bool max = reduction == WindowReduction::Max;
  if (reduction == WindowReduction::Prod)
    return 1;
  if (!max && reduction != WindowReduction::Min)
    return 0;
  if (isFloat(dtype)) {
    double infinity = std::numeric_limits<double>::infinity();
    return max ? -infinity : infinity;
  }
  int64_t bits = bitWidth(dtype);
  if (isUnsigned(dtype))
    return static_cast<int64_t>(max ? uint64_t(0)
                                    : ~uint64_t(0) >> (64 - bits));
  int64_t least = INT64_MIN >> (64 - bits);
  return max ? least : ~least;
}

/// Pads x and reduces the windows that slide over it.
static Value reduceWindows(TensorBuilder &b, WindowReduction reduction, Value x,
                           const WindowAttributes &a) {
  SmallVector<int64_t> low(rankOf(x), 0), high(low), none(low), reduced;
  for (auto [i, dim] : llvm::enumerate(a.dims)) {
    low[dim] = a.low[i];
    high[dim] = a.high[i];
    reduced.push_back(rankOf(x) + i);
  }
  Value padded = b.pad(x, low, high, none, identityOf(reduction, dtypeOf(x)));
  Value views = b.windows(padded, a.dims, a.sizes, a.strides, a.dilations);
  switch (reduction) {
  case WindowReduction::Sum:
  case WindowReduction::Mean:
    return b.sum(views, reduced);
  case WindowReduction::Prod:
    return b.reduce<ProdOp>(views, reduced);
  case WindowReduction::Max:
    return b.largest(views, reduced);
  case WindowReduction::Min:
    return b.reduce<ReduceMinOp>(views, reduced);
  }
  llvm_unreachable("all reductions are listed");
}

static double elementsOf(ArrayRef<int64_t> sizes) {
  double count = 1;
  for (int64_t size : sizes)
    count *= static_cast<double>(size);
  return count;
}

Value ReduceWindowOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  auto [kind, dims, sizes, strides, dilations, low, high] =
      ReduceWindowAttributes::of(*this);
  WindowAttributes window{dims, sizes, strides, dilations, low, high};
  if (kind != WindowReduction::Mean)
    return reduceWindows(b, kind, getX(), window);
  Value sums = reduceWindows(b, kind, b.widen(getX()), window);
  return b.convertLike(b.div(sums, elementsOf(sizes)), getX());
}

Value MaxPoolOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  return reduceWindows(b, WindowReduction::Max, getX(),
                       WindowAttributes::of(*this));
}

/// How many elements before `end` each window along one dim holds, of those
/// from 0 on.
static Value countAlong(TensorBuilder &b, shape::Dim windows, int64_t size,
                        int64_t stride, int64_t dilation, int64_t low,
                        shape::Dim end) {
  Value index = b.iota(DType::I64, windows, 0);
  Value first = b.sub(b.mul(index, stride), low);
  if (dilation != 1) {
    // Those before `end`, less those before 0.
    auto before = [&](Value distance) {
      Value whole = b.max(b.add(distance, dilation - 1), 0);
      return b.min(b.div(whole, dilation), size);
    };
    Value behind = b.sub(b.size(end, DType::I64), first);
    return b.sub(before(behind), before(b.neg(first)));
  }
  Value last = b.min(b.add(first, size), b.size(end, DType::I64));
  return b.sub(last, b.max(first, 0));
}

/// Divides the sums of windows by how much they hold, where that differs.
Value AvgPoolOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  ArrayRef<int64_t> sizes = getSizes(), low = getLow(), high = getHigh();
  WindowAttributes window{getDims(),      sizes, getStrides(),
                          getDilations(), low,   high};
  Value sums = reduceWindows(b, WindowReduction::Sum, b.widen(getX()), window);
  Value result = sums;
  double common = 1;
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    bool overhangs = high[i] != getCountedHigh()[i];
    bool padded = low[i] != 0 || high[i] != 0;
    if (!overhangs && !(getExcludePadding() && padded)) {
      common *= static_cast<double>(sizes[i]);
      continue;
    }
    // Positions count from where what is counted begins.
    bool exclude = getExcludePadding();
    shape::Dim end =
        dimsOf(getX())[dim] + (exclude ? 0 : low[i] + getCountedHigh()[i]);
    Value count = countAlong(b, dimsOf(sums)[dim], sizes[i], getStrides()[i],
                             getDilations()[i], exclude ? low[i] : 0, end);
    result = b.div(result,
                   b.alongDim(b.convertLike(count, sums), dim, rankOf(sums)));
  }
  if (common != 1)
    result = b.div(result, common);
  return b.convertLike(result, getX());
}

} // namespace tensorc::tx
