//===- Convolution.cpp - Expansions of convolutions -----------------------===//
//
// A convolution is a contraction of kernels with the windows of the padded
// input, which are read in place. Groups are a batch dimension. A transposed
// convolution slides over an input with gaps, using mirrored kernels.
//
// With gaps most products are products with 0. If the stride is 1, elements of
// the result that are `gap` apart use the same elements of the kernel; such a
// set of elements is called a phase. Each phase is a convolution of the input
// without gaps. All phases are computed as channels of one convolution and
// interleaved afterwards.
//
// If windows have gaps as well, the gaps of the input and of the windows are
// divided by their greatest common divisor. The results of this smaller
// convolution are placed that many elements apart, with zeros in between.
//
// If a kernel is much larger than the images, this method would copy the kernel
// for only a few windows. Instead, each element of the image is multiplied by
// the whole kernel, and overlapping products are added.
//
//===----------------------------------------------------------------------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"
#include "ir/shape/LibraryRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tensorc::tx {

using builder::dimsOf;
using builder::rankOf;
using builder::TensorBuilder;

namespace {
class Convolution {
public:
  Convolution(TensorBuilder &b, const ConvolutionAttributes &a, bool transposed)
      : b(b), a(a), dims(a.sizes.size()),
        places{static_cast<int64_t>(dims), a.channelsLast, transposed} {}

  /// Contracts the windows of x with the kernel. `result`: the result's dims,
  /// which are needed if x has gaps (input dilation).
  Value contract(Value x, Value kernel, shape::Dims result);

private:
  std::optional<Value> withoutCommonGaps(Value x, Value kernel,
                                         shape::Dims result);
  Value padded(Value x);
  Value ungrouped(Value views, Value kernel);
  Value grouped(Value x, Value kernel, shape::Dims made);
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

/// Adds the channels to the reduction dims. They become the innermost reduction
/// dims if they are innermost in x, so that the order of the sum follows
/// memory.
void Convolution::addChannels(SmallVector<int64_t> &viewDims,
                              SmallVector<int64_t> &kernelDims, int64_t view,
                              int64_t kernel) const {
  viewDims.insert(a.channelsLast ? viewDims.end() : viewDims.begin(), view);
  kernelDims.insert(a.channelsLast ? kernelDims.end() : kernelDims.begin(),
                    kernel);
}

/// Contracts the windows of x, whose last dims are those of the kernel, with
/// the kernel. With this order of operands the contraction reads the image in
/// place. The channels come last in the result.
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

/// Like `ungrouped`, with a dim of groups before the channels of x and of the
/// kernel.
Value Convolution::grouped(Value x, Value kernel, shape::Dims made) {
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
  // The dims of the product are groups, images, spatial dims, and the channels
  // of a group.
  Value product = b.dot(views, kernel, {channel, split, viewDims, kernelDims});
  order.push_back(1);
  if (!a.channelsLast)
    order.append({0, static_cast<int64_t>(dims) + 2});
  llvm::append_range(order, llvm::seq<int64_t>(2, dims + 2));
  if (a.channelsLast)
    order.append({0, static_cast<int64_t>(dims) + 2});
  Value result = b.transpose(product, order);
  SmallVector<shape::Dim> joined(dimsOf(result));
  // If the number of channels has a name, uses the name instead of a product of
  // sizes.
  joined[channel] =
      made.empty() ? joined[channel] * joined[channel + 1] : made[channel];
  joined.erase(joined.begin() + channel + 1);
  return b.reshape(result, joined);
}

//===----------------------------------------------------------------------===//
// Gaps
//===----------------------------------------------------------------------===//

namespace {
/// One spatial dim of a convolution of stride 1 over n elements with gaps.
///
/// Element o of the result sums w[j] x[t] over all j and t with
/// o + j - low = t gap. Let o = low + q gap - r with 0 <= r < gap. Then
/// j = r + m gap and t = q + m. So phase r is the convolution of x with every
/// gap-th element of w, beginning at element r.
struct Phases {
  Phases(int64_t gap, int64_t size, int64_t low, int64_t high)
      : gap(gap), taps(llvm::divideCeilSigned(size, gap)),
        longer(size % gap ? size % gap : gap),
        first(llvm::divideFloorSigned(gap - 1 - low, gap)),
        cut(gap - 1 - low - gap * first),
        more(llvm::divideCeilSigned(cut - gap + 2 + low + high - size, gap)) {}

  /// Phases with the same number of taps form a part. In the result, phase r is
  /// at p = gap - 1 - r.
  struct Part {
    int64_t begin, count, taps;
  };
  SmallVector<Part, 2> parts() const {
    SmallVector<Part, 2> result;
    if (longer < gap)
      result.push_back({0, gap - longer, taps - 1});
    result.push_back({gap - longer, longer, taps});
    return result;
  }

  int64_t gap;
  // Maximum number of taps of a phase; other phases have one less.
  int64_t taps;
  int64_t longer; // number of phases with `taps` taps
  int64_t first;  // the smallest q
  int64_t cut;    // number of elements before the result's first one
  int64_t more;   // number of values of q beyond n
};

/// Computes a convolution with gaps by one or several convolutions without
/// gaps.
class PhasedConvolution {
public:
  PhasedConvolution(TensorBuilder &b, const ConvolutionAttributes &a,
                    const shape::ConvolutionPlaces &places)
      : b(b), a(a), places(places) {
    for (int64_t i = 0; i < places.dims; ++i)
      if (a.inputDilations[i] > 1) {
        gaps.push_back(i);
        phases.emplace_back(a.inputDilations[i], a.sizes[i], a.low[i],
                            a.high[i]);
      }
  }

  Value contract(Value x, Value kernel, shape::Dims result);

private:
  Value splitKernel(Value kernel);
  Value joined(Value x, Value kernel, SmallVector<Phases::Part> parts);
  Value convolve(Value x, Value kernel, ArrayRef<Phases::Part> parts);
  Value woven(Value y, shape::Dims result);
  /// Position of the dim of phases for `gaps[j]`. It follows the channels, from
  /// which the phases are split off.
  int64_t phaseDim(int64_t j) const { return places.channel() + 1 + j; }

  TensorBuilder &b;
  const ConvolutionAttributes &a;
  const shape::ConvolutionPlaces &places;
  SmallVector<int64_t> gaps; // the spatial dims that have gaps
  SmallVector<Phases> phases;
};
} // namespace

/// Splits each spatial dim with gaps into taps, which stay in its place, and
/// phases, which follow the result's channels. The last taps are padded with
/// zeros.
Value PhasedConvolution::splitKernel(Value kernel) {
  int64_t rank = rankOf(kernel);
  SmallVector<int64_t> zero(rank, 0), high(rank, 0), reversed, order;
  for (auto [i, phase] : llvm::zip_equal(gaps, phases))
    high[places.ofKernel(i)] = phase.taps * phase.gap - a.sizes[i];
  kernel = b.pad(kernel, zero, high, zero, 0);
  SmallVector<shape::Dim> dims;
  SmallVector<int64_t> placeOf;
  for (auto [d, size] : llvm::enumerate(dimsOf(kernel))) {
    placeOf.push_back(dims.size());
    int64_t dim = d;
    auto gap = llvm::find_if(
        gaps, [&](int64_t i) { return places.ofKernel(i) == dim; });
    if (gap == gaps.end()) {
      dims.push_back(size);
      continue;
    }
    const Phases &phase = phases[gap - gaps.begin()];
    dims.push_back(phase.taps);
    reversed.push_back(dims.size());
    dims.push_back(phase.gap);
  }
  kernel = b.reverse(b.reshape(kernel, dims), reversed);
  for (int64_t d = 0; d < rank; ++d) {
    order.push_back(placeOf[d]);
    if (d == places.out())
      llvm::append_range(order, reversed);
  }
  return b.transpose(kernel, order);
}

/// Returns the results of all phases for one part of each dim with gaps: N, C,
/// phases, spatial; or N, spatial, C, phases.
Value PhasedConvolution::convolve(Value x, Value kernel,
                                  ArrayRef<Phases::Part> parts) {
  SmallVector<int64_t> sizes(a.sizes), none(places.dims, 0),
      ones(places.dims, 1);
  SmallVector<int64_t> low(rankOf(x), 0), high(low), interior(low);
  for (int64_t i = 0; i < places.dims; ++i) {
    low[places.spatial(i)] = a.low[i];
    high[places.spatial(i)] = a.high[i];
  }
  int64_t count = 1, numGaps = gaps.size();
  for (auto [j, part] : llvm::enumerate(parts)) {
    int64_t i = gaps[j], tapDim = places.ofKernel(i);
    tapDim += tapDim > places.out() ? numGaps : 0;
    kernel = b.sliceAlong(kernel, places.out() + 1 + j, part.begin, part.count);
    kernel = b.sliceAlong(kernel, tapDim, 0, part.taps);
    sizes[i] = part.taps;
    low[places.spatial(i)] = -phases[j].first;
    high[places.spatial(i)] = phases[j].more + phases[j].first + part.taps - 1;
    count *= part.count;
  }
  SmallVector<shape::Dim> kernelDims(dimsOf(kernel));
  kernelDims[places.out()] = kernelDims[places.out()] * count;
  kernelDims.erase(kernelDims.begin() + places.out() + 1,
                   kernelDims.begin() + places.out() + 1 + numGaps);
  kernel = b.reshape(kernel, kernelDims);

  SmallVector<int64_t> added(high);
  for (int64_t &amount : added)
    amount = std::max<int64_t>(amount, 0);
  Value padded = b.pad(x, low, added, interior, 0);
  for (auto [dim, amount] : llvm::enumerate(high))
    if (amount < 0)
      padded = b.sliceAlong(padded, dim, 0, dimsOf(padded)[dim] + amount);

  ConvolutionAttributes plain = a;
  plain.sizes = sizes;
  plain.low = plain.high = none;
  plain.inputDilations = ones;
  Value y = Convolution(b, plain, places.transposed)
                .contract(padded, kernel, /*result=*/{});
  SmallVector<shape::Dim> dims(dimsOf(y));
  dims[places.channel()] = shape::floorDiv(dims[places.channel()], count);
  for (auto [j, part] : llvm::enumerate(parts))
    dims.insert(dims.begin() + phaseDim(j), shape::Dim(part.count));
  return b.reshape(y, dims);
}

/// Returns the results of all phases. `parts` holds one part for each of the
/// first dims with gaps. Recurses over the parts of the next such dim.
Value PhasedConvolution::joined(Value x, Value kernel,
                                SmallVector<Phases::Part> parts) {
  size_t j = parts.size();
  if (j == gaps.size())
    return convolve(x, kernel, parts);
  SmallVector<Value> values;
  int64_t empty = 0;
  for (const Phases::Part &part : phases[j].parts()) {
    // Phases without taps are 0.
    if (part.taps == 0) {
      empty = part.count;
      continue;
    }
    parts.push_back(part);
    values.push_back(joined(x, kernel, parts));
    parts.pop_back();
  }
  Value all = b.concatenate(values, phaseDim(j));
  SmallVector<int64_t> zero(rankOf(all), 0), low(zero);
  low[phaseDim(j)] = empty;
  return b.pad(all, low, zero, zero, 0);
}

/// Interleaves each dim of phases with its spatial dim, and crops the result.
Value PhasedConvolution::woven(Value y, shape::Dims result) {
  int64_t numGaps = gaps.size(), rank = rankOf(y);
  SmallVector<int64_t> order, offsets(result.size(), 0),
      strides(result.size(), 1);
  SmallVector<shape::Dim> dims;
  for (int64_t d = 0; d < rank; ++d) {
    if (d > places.channel() && d <= places.channel() + numGaps)
      continue;
    order.push_back(d);
    dims.push_back(dimsOf(y)[d]);
    int64_t dim = dims.size() - 1;
    auto gap = llvm::find_if(
        gaps, [&](int64_t i) { return places.spatial(i) == dim; });
    if (gap == gaps.end())
      continue;
    size_t j = gap - gaps.begin();
    order.push_back(phaseDim(j));
    dims[dim] = dims[dim] * phases[j].gap;
    offsets[dim] = phases[j].cut;
  }
  y = b.reshape(b.transpose(y, order), dims);
  return b.slice(y, offsets, strides, result);
}

Value PhasedConvolution::contract(Value x, Value kernel, shape::Dims result) {
  return woven(joined(x, splitKernel(kernel), {}), result);
}

/// True if some dim has gaps, and windows are contiguous along all dims with
/// gaps.
static bool hasPhases(const ConvolutionAttributes &a) {
  bool any = false;
  for (auto [gap, stride, dilation] :
       llvm::zip_equal(a.inputDilations, a.strides, a.dilations)) {
    any |= gap > 1;
    if (gap > 1 && (stride != 1 || dilation != 1))
      return false;
  }
  return any;
}

/// Element o of the result sums w[j] x[t] over all j and t with
/// o + j dilation - low = t gap. With c = gcd(gap, dilation), o - low has the
/// same remainder modulo c for all such o. These elements are the results of a
/// convolution with gap / c and dilation / c.
std::optional<Value> Convolution::withoutCommonGaps(Value x, Value kernel,
                                                    shape::Dims result) {
  int64_t rank = rankOf(x);
  SmallVector<int64_t> gaps(a.inputDilations), dilations(a.dilations),
      before(a.low), after(a.high);
  SmallVector<shape::Dim> made(result);
  SmallVector<int64_t> low(rank, 0), high(low), interior(low);
  bool isAny = false;
  for (unsigned i = 0; i < dims; ++i) {
    int64_t dim = places.spatial(i),
            common = std::gcd(a.inputDilations[i], a.dilations[i]);
    if (a.strides[i] != 1 || common == 1)
      continue;
    std::optional<int64_t> size = dimsOf(x)[dim].number();
    gaps[i] /= common;
    dilations[i] /= common;
    before[i] = llvm::divideFloorSigned(a.low[i], common);
    after[i] = llvm::divideFloorSigned(a.high[i], common);
    low[dim] = a.low[i] - before[i] * common;
    high[dim] = a.high[i] - after[i] * common;
    interior[dim] = common - 1;
    int64_t count = size ? (*size - 1) * gaps[i] -
                               (a.sizes[i] - 1) * dilations[i] + before[i] +
                               after[i] + 1
                         : 0;
    if (count < 1)
      return std::nullopt;
    made[dim] = shape::Dim(count);
    isAny = true;
  }
  if (!isAny)
    return std::nullopt;
  ConvolutionAttributes plain = a;
  plain.inputDilations = gaps;
  plain.dilations = dilations;
  plain.low = before;
  plain.high = after;
  Value y = Convolution(b, plain, places.transposed).contract(x, kernel, made);
  return b.pad(y, low, high, interior, 0);
}

Value Convolution::contract(Value x, Value kernel, shape::Dims result) {
  if (auto made = withoutCommonGaps(x, kernel, result))
    return *made;
  if (hasPhases(a))
    return PhasedConvolution(b, a, places).contract(x, kernel, result);
  x = padded(x);
  return a.groups > 1 ? grouped(x, kernel, result) : ungrouped(x, kernel);
}

//===----------------------------------------------------------------------===//
// Overlaps
//===----------------------------------------------------------------------===//

namespace {
/// A transposed convolution computed as one product of each element of x with
/// each tap, followed by a sum. Along one spatial dim, tap m gap + r of element
/// t is added at position (t + m) gap + r. The result begins at position size -
/// 1 - low.
class OverlappedConvolution {
public:
  OverlappedConvolution(TensorBuilder &b, const ConvolutionAttributes &a,
                        Value x, Value kernel)
      : b(b), a(a), x(x), kernel(kernel), dims(a.sizes.size()) {}

  /// True if this method is estimated to cost less than one convolution per
  /// phase of the stride.
  bool isCheaper(shape::Dims result) const;
  Value contract(shape::Dims result);

private:
  /// Returns the maximum number of taps that are one gap apart from each other.
  int64_t count(int64_t i) const {
    return llvm::divideCeilSigned(a.sizes[i], a.inputDilations[i]);
  }
  int64_t offset(int64_t i) const { return a.sizes[i] - 1 - a.low[i]; }
  Value part(Value products, ArrayRef<int64_t> m);

  TensorBuilder &b;
  const ConvolutionAttributes &a;
  Value x, kernel;
  int64_t dims;
};
} // namespace

bool OverlappedConvolution::isCheaper(shape::Dims result) const {
  static constexpr int64_t minTapsPerElement = 4, maxParts = 8;
  DType dtype = builder::dtypeOf(x);
  if (!hasPhases(a) || a.groups != 1 || a.channelsLast ||
      (dtype != DType::F32 && dtype != DType::F64))
    return false;
  std::optional<int64_t> images = dimsOf(x)[0].number(),
                         channels = dimsOf(kernel)[1].number();
  if (!images || !channels)
    return false;
  int64_t elements = *images, taps = *channels, parts = 1;
  for (int64_t i = 0; i < dims; ++i) {
    std::optional<int64_t> size = dimsOf(x)[2 + i].number(),
                           wanted = result[2 + i].number();
    if (!size || !wanted || a.strides[i] != 1 || a.dilations[i] != 1)
      return false;
    int64_t made = (*size + count(i) - 1) * a.inputDilations[i];
    if (offset(i) < 0 || offset(i) + *wanted > made)
      return false;
    elements *= *size;
    taps *= a.sizes[i];
    parts *= count(i);
  }
  return elements > 0 && taps >= minTapsPerElement * elements &&
         parts <= maxParts;
}

/// Returns the products with taps m gap to (m + 1) gap, at their positions in
/// the sum: N, O, spatial.
Value OverlappedConvolution::part(Value products, ArrayRef<int64_t> m) {
  int64_t rank = rankOf(products);
  SmallVector<int64_t> zero(rank, 0), high(rank, 0), order{dims + 1, 0};
  SmallVector<shape::Dim> woven{dimsOf(x)[0], dimsOf(products)[0]};
  SmallVector<int64_t> before(dims + 2, 0), after(before), none(before);
  for (int64_t i = 0; i < dims; ++i) {
    int64_t gap = a.inputDilations[i];
    int64_t taps = std::min(gap, a.sizes[i] - m[i] * gap);
    products = b.sliceAlong(products, 1 + i, m[i] * gap, taps);
    high[1 + i] = gap - taps;
    order.append({dims + 2 + i, 1 + i});
    woven.push_back(dimsOf(x)[2 + i] * gap);
    before[2 + i] = m[i] * gap;
    after[2 + i] = (count(i) - 1 - m[i]) * gap;
  }
  Value whole = b.pad(products, zero, high, zero, 0);
  whole = b.reshape(b.transpose(whole, order), woven);
  return b.pad(whole, before, after, none, 0);
}

Value OverlappedConvolution::contract(shape::Dims result) {
  // The products have the dims O, taps, N, spatial.
  Value products = b.dot(kernel, x, {{}, {}, {0}, {1}});
  Value sum;
  SmallVector<int64_t> m(dims, 0), offsets{0, 0}, strides(dims + 2, 1);
  for (int64_t i = dims; i >= 0;) {
    Value here = part(products, m);
    sum = sum ? b.add(sum, here) : here;
    for (i = dims - 1; i >= 0 && ++m[i] == count(i); --i)
      m[i] = 0;
  }
  for (int64_t i = 0; i < dims; ++i)
    offsets.push_back(offset(i));
  return b.slice(sum, offsets, strides, result);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

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
  Value result = Convolution(b, a, false)
                     .contract(getX(), getKernel(), dimsOf(getResult()));
  return withBias(b, result, getBias(), a.channelsLast);
}

Value ConvTransposeOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  auto a = ConvolutionAttributes::of(*this);
  shape::Dims dims = dimsOf(getResult());
  OverlappedConvolution overlapped(b, a, getX(), getKernel());
  if (overlapped.isCheaper(dims))
    return withBias(b, overlapped.contract(dims), getBias(), a.channelsLast);
  int64_t first = a.channelsLast ? 0 : 2;
  auto spatial =
      llvm::to_vector(llvm::seq<int64_t>(first, first + a.sizes.size()));
  Value kernel = b.reverse(getKernel(), spatial);
  Value result = Convolution(b, a, true).contract(getX(), kernel, dims);
  return withBias(b, result, getBias(), a.channelsLast);
}

} // namespace tensorc::tx
