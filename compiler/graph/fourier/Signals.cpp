//===- Signals.cpp - Frames of signals, and convolution by transforms -----===//

#include "compiler/graph/DefaultFloat.h"
#include "compiler/graph/fourier/Fourier.h"
#include "compiler/graph/nn/Windows.h"
#include "compiler/graph/ops/Arrays.h"
#include "ir/fourier/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace tensorc::graph {

static NodeRef lastTwoSwapped(Recorder &r, const NodeRef &x) {
  if (!x)
    return {};
  Shape order(llvm::seq<int64_t>(0, x->rank()).begin(),
              llvm::seq<int64_t>(0, x->rank()).end());
  std::swap(order[x->rank() - 1], order[x->rank() - 2]);
  return transpose(r, x, order);
}

static NodeRef padLast(Recorder &r, const NodeRef &x, int64_t low,
                       int64_t high) {
  if (!x)
    return {};
  Shape none(x->rank(), 0), before(x->rank(), 0), after(x->rank(), 0);
  before.back() = low;
  after.back() = high;
  return pad(r, x, before, after, none, Scalar::of(0.0));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

NodeRef windowFunction(Recorder &r, llvm::StringRef name, int64_t length,
                       bool periodic, DType dtype) {
  const char *called = "window";
  // The windows are sums of cosines with these weights.
  using Weights = llvm::SmallVector<double, 5>;
  auto weights =
      llvm::StringSwitch<Weights>(name)
          .Case("boxcar", {1})
          .Case("hann", {0.5, 0.5})
          .Case("hamming", {0.54, 0.46})
          .Case("blackman", {0.42, 0.5, 0.08})
          .Case("nuttall", {0.3635819, 0.4891775, 0.1365995, 0.0106411})
          .Case("blackmanharris", {0.35875, 0.48829, 0.14128, 0.01168})
          .Case("flattop",
                {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368})
          .Default({});
  if (weights.empty())
    return r.fail(called, "there is 'boxcar', 'hann', 'hamming', 'blackman', "
                          "'nuttall', 'blackmanharris' and 'flattop', not '" +
                              name + "'");
  if (length < 0)
    return r.fail(called, "the length is " + llvm::Twine(length));
  if (!isIn(dtype, floatMask))
    return r.fail(called, llvm::Twine("dtype must be a float, not ") +
                              dtypeName(dtype));
  int64_t steps = periodic ? length : length - 1;
  if (length <= 1)
    return full(r, dtype, length, Scalar::of(1.0));
  NodeRef n = astype(r, iota(r, DType::I64, length, 0), DType::F64);
  NodeRef sum = full(r, DType::F64, length, Scalar::of(weights[0]));
  for (auto [k, weight] : llvm::enumerate(llvm::drop_begin(weights))) {
    double turn =
        2 * M_PI * static_cast<double>(k + 1) / static_cast<double>(steps);
    NodeRef wave = elementwise(
        r, OpKind::Cos, {elementwise(r, OpKind::Mul, {n, Scalar::of(turn)})});
    double sign = k % 2 == 0 ? -weight : weight;
    sum = elementwise(
        r, OpKind::Add,
        {sum, elementwise(r, OpKind::Mul, {wave, Scalar::of(sign)})});
  }
  return astype(r, sum, dtype);
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

/// Returns the hop, or 0 after an error.
static int64_t checkFrames(Recorder &r, const char *name, const NodeRef &x,
                           const Frames &frames) {
  if (!x)
    r.fail(name, "the operand is an undefined tensor");
  if (!x || !checkComputed(r, name, x->dtype()))
    return 0;
  int64_t hop = frames.hop == 0 ? frames.length / 4 : frames.hop;
  if (frames.length < 1 || hop < 1)
    r.fail(name, "frames have at least one element and a hop of at least one, "
                 "not " +
                     llvm::Twine(frames.length) + " and " + llvm::Twine(hop));
  else if (frames.window && (frames.window->rank() != 1 ||
                             frames.window->shape()[0] > frames.length ||
                             !isIn(frames.window->dtype(), floatMask)))
    r.fail(name, "the window is a vector of floats, at most as long as a "
                 "frame, not " +
                     llvm::Twine(dtypeName(frames.window->dtype())) +
                     shapeString(frames.window->shape()));
  return r.error.empty() ? hop : 0;
}

/// Returns the window padded to the length of a frame, or null for ones.
static NodeRef wholeWindow(Recorder &r, const Frames &frames, DType dtype) {
  if (!frames.window)
    return {};
  int64_t missing = frames.length - frames.window->shape()[0];
  return padLast(r, astype(r, frames.window, dtype), missing / 2,
                 missing - missing / 2);
}

NodeRef stft(Recorder &r, const NodeRef &x, const Frames &frames) {
  const char *name = "stft";
  int64_t hop = checkFrames(r, name, x, frames);
  if (hop == 0)
    return {};
  if (x->rank() == 0)
    return r.fail(name, "needs a signal, not a number");
  bool oneSided = frames.oneSided && !isComplex(x->dtype());
  NodeRef signal = x;
  if (!isIn(x->dtype(), floatMask | complexMask))
    signal = astype(r, x, defaultFloat());
  int64_t length = frames.length, half = length / 2;
  if (frames.center) {
    Shape ends(x->rank(), 0);
    ends.back() = half;
    if (x->shape().back() <= half)
      return r.fail(name, "a signal of " + llvm::Twine(x->shape().back()) +
                              " elements cannot be mirrored by half a frame, " +
                              llvm::Twine(half));
    signal = padWith(r, signal, ends, ends, PadMode::Reflect);
  }
  if (!signal)
    return {};
  if (signal->shape().back() < length)
    return r.fail(name, "the signal has " +
                            llvm::Twine(signal->shape().back()) +
                            " elements, a frame " + llvm::Twine(length));
  auto last = static_cast<int64_t>(x->rank()) - 1;
  // [..., frames, length]
  NodeRef cut = windows(r, signal, last, length, hop, int64_t(1));
  if (!cut)
    return {};
  DType plane = isComplex(cut->dtype()) ? planeOf(cut->dtype()) : cut->dtype();
  if (NodeRef window = wholeWindow(r, frames, plane))
    cut = elementwise(r, OpKind::Mul, {cut, window});
  return lastTwoSwapped(r,
                        fourier(r, oneSided ? Transform::Rfft : Transform::Fft,
                                cut, {}, int64_t(-1), "backward"));
}

/// Adds overlapping frames [..., frames, length], frame i at position i * hop.
static NodeRef overlapAdd(Recorder &r, const NodeRef &x, int64_t hop) {
  if (!x)
    return {};
  Shape batch(x->shape());
  int64_t length = batch.pop_back_val(), count = batch.pop_back_val();
  // Divides frames into pieces of `hop` elements. Piece p of frame i is added
  // to piece i + p of the signal.
  int64_t pieces = (length + hop - 1) / hop;
  Shape split = batch;
  split.append({count, pieces, hop});
  NodeRef cut = reshape(r, padLast(r, x, 0, pieces * hop - length), split);
  auto axis = static_cast<int64_t>(batch.size());
  NodeRef sum;
  for (int64_t p = 0; p < pieces && r.error.empty(); ++p) {
    NodeRef piece =
        squeeze(r, sliceInDim(r, cut, axis + 1, p, p + 1), axis + 1);
    Shape none(axis + 2, 0), low(none), high(none);
    low[axis] = p;
    high[axis] = pieces - 1 - p;
    piece = pad(r, piece, low, high, none, Scalar::of(0.0));
    sum = sum ? elementwise(r, OpKind::Add, {sum, piece}) : piece;
  }
  Shape whole = batch;
  whole.push_back((count + pieces - 1) * hop);
  return sum ? sliceInDim(r, reshape(r, sum, whole), axis, 0,
                          (count - 1) * hop + length)
             : sum;
}

NodeRef istft(Recorder &r, const NodeRef &x, const Frames &frames,
              int64_t size) {
  const char *name = "istft";
  int64_t hop = checkFrames(r, name, x, frames);
  if (hop == 0)
    return {};
  if (size < -1)
    return r.fail(name, "a signal has at least no elements, not " +
                            llvm::Twine(size));
  int64_t length = frames.length;
  int64_t rows = frames.oneSided ? length / 2 + 1 : length;
  if (x->rank() < 2 || x->shape()[x->rank() - 2] != rows ||
      x->shape().back() < 1)
    return r.fail(name, "needs " + llvm::Twine(rows) +
                            " frequencies of at least one frame, not " +
                            shapeString(x->shape()));
  NodeRef cut = fourier(r, frames.oneSided ? Transform::Irfft : Transform::Ifft,
                        lastTwoSwapped(r, x), length, int64_t(-1), "backward");
  if (!cut)
    return {};
  DType plane = isComplex(cut->dtype()) ? planeOf(cut->dtype()) : cut->dtype();
  NodeRef window = wholeWindow(r, frames, plane);
  int64_t count = x->shape().back();
  if (window)
    cut = elementwise(r, OpKind::Mul, {cut, window});
  Shape one{count, length};
  NodeRef weight =
      window
          ? broadcastTo(r, elementwise(r, OpKind::Mul, {window, window}), one)
          : full(r, plane, one, Scalar::of(1.0));
  NodeRef signal = overlapAdd(r, cut, hop), total = overlapAdd(r, weight, hop);
  if (!signal || !total)
    return {};
  auto last = static_cast<int64_t>(signal->rank()) - 1;
  int64_t begin = frames.center ? length / 2 : 0;
  int64_t end = signal->shape().back() - (size < 0 ? begin : 0);
  signal = sliceInDim(r, signal, last, begin, end);
  total = sliceInDim(r, total, 0, begin, end);
  if (!signal)
    return {};
  int64_t missing = size < 0 ? 0 : size - signal->shape().back();
  if (missing < 0) {
    signal = sliceInDim(r, signal, last, 0, size);
    total = sliceInDim(r, total, 0, 0, size);
  }
  // The signal is 0 at positions where the sum of the windows is 0.
  NodeRef reached = elementwise(r, OpKind::Gt, {total, Scalar::of(1e-11)});
  NodeRef divisor =
      elementwise(r, OpKind::Select, {reached, total, Scalar::of(1.0)});
  signal = elementwise(r, OpKind::Div, {signal, divisor});
  return missing > 0 ? padLast(r, signal, 0, missing) : signal;
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// The range of results that a mode keeps along an axis: first index and
/// number.
struct Extent {
  int64_t begin, size;
};

/// Returns the range of the x + y - 1 elements of the full convolution along an
/// axis that the mode keeps.
static Extent extentOf(llvm::StringRef mode, int64_t x, int64_t y) {
  if (mode == "full")
    return {0, x + y - 1};
  if (mode == "same")
    return {(y - 1) / 2, x};
  return {std::min(x, y) - 1, std::max(x, y) - std::min(x, y) + 1};
}

/// Convolves by transforms of a length without large prime factors.
static NodeRef convolveByTransform(Recorder &r, const NodeRef &x,
                                   const NodeRef &y) {
  bool areComplex = isComplex(x->dtype());
  Shape sizes;
  for (auto [a, b] : llvm::zip(x->shape(), y->shape()))
    sizes.push_back(fourier::nextFastLength(a + b - 1));
  Transform there = areComplex ? Transform::Fft : Transform::Rfft;
  Transform back = areComplex ? Transform::Ifft : Transform::Irfft;
  NodeRef product =
      elementwise(r, OpKind::Mul,
                  {graph::fourier(r, there, x, sizes, {}, "backward"),
                   graph::fourier(r, there, y, sizes, {}, "backward")});
  return product ? graph::fourier(r, back, product, sizes, {}, "backward")
                 : product;
}

/// Convolves integers and complex numbers, of any rank: products of windows
/// with the mirrored y, summed.
static NodeRef convolveWindows(Recorder &r, const NodeRef &x,
                               const NodeRef &y) {
  auto rank = static_cast<int64_t>(x->rank());
  Shape around, none(rank, 0), ones(rank, 1);
  for (int64_t size : y->shape())
    around.push_back(size - 1);
  Shape all(llvm::seq<int64_t>(0, rank).begin(),
            llvm::seq<int64_t>(0, rank).end());
  Shape inner(llvm::seq(rank, 2 * rank).begin(),
              llvm::seq(rank, 2 * rank).end());
  NodeRef padded = pad(r, x, around, around, none, Scalar::of(int64_t(0)));
  // [results..., y's shape...]
  NodeRef cut = windows(r, padded, all, y->shape(), ones, ones);
  NodeRef mirrored = flip(r, y, {});
  if (!cut || !mirrored)
    return {};
  return reduce(r, OpKind::Sum, elementwise(r, OpKind::Mul, {cut, mirrored}),
                inner, false);
}

/// Convolves by a neural network's convolution, for which y is mirrored first.
static NodeRef convolveDirectly(Recorder &r, const NodeRef &x,
                                const NodeRef &y) {
  auto image = [&](const NodeRef &value) {
    Shape shape{1, 1};
    shape.append(value->shape().begin(), value->shape().end());
    return reshape(r, value, shape);
  };
  Convolution options;
  options.dims = x->rank();
  options.window.stride.assign(x->rank(), 1);
  options.window.dilation.assign(x->rank(), 1);
  options.inputDilation.assign(x->rank(), 1);
  options.outputPadding.assign(x->rank(), 0);
  for (int64_t size : y->shape()) {
    options.window.low.push_back(size - 1);
    options.window.high.push_back(size - 1);
  }
  NodeRef mirrored = flip(r, y, {});
  NodeRef result = mirrored
                       ? convolution(r, image(x), image(mirrored), {}, options)
                       : mirrored;
  return result ? squeeze(r, result, {0, 1}) : result;
}

/// True if transforms are probably faster. Compares their number of operations
/// with the number of products of a direct convolution.
static bool isFasterByTransform(const NodeRef &x, const NodeRef &y) {
  double products = 1, elements = 1;
  for (auto [a, b] : llvm::zip(x->shape(), y->shape())) {
    products *=
        static_cast<double>(std::min(a, b)) * static_cast<double>(a + b - 1);
    elements *= static_cast<double>(fourier::nextFastLength(a + b - 1));
  }
  return products > 24 * elements * std::log2(elements + 1);
}

NodeRef convolve(Recorder &r, const NodeRef &x, const NodeRef &y,
                 llvm::StringRef mode, llvm::StringRef method,
                 bool isCorrelation) {
  const char *name = isCorrelation ? "correlate" : "convolve";
  if (!x || !y)
    return r.fail(name, "an operand is an undefined tensor");
  std::optional<DType> dtype = promote(x->dtype(), y->dtype());
  if (!dtype || !checkComputed(r, name, *dtype))
    return r.fail(name, llvm::Twine("needs operands of one dtype, not ") +
                            dtypeName(x->dtype()) + " and " +
                            dtypeName(y->dtype()) + "; convert with astype");
  if (x->rank() != y->rank() || x->rank() == 0)
    return r.fail(name, "needs as many axes of both, at least one, not " +
                            shapeString(x->shape()) + " and " +
                            shapeString(y->shape()));
  if (mode != "full" && mode != "same" && mode != "valid")
    return r.fail(name,
                  "the mode is 'full', 'same' or 'valid', not '" + mode + "'");
  if (method != "auto" && method != "direct" && method != "fft")
    return r.fail(name, "the method is 'auto', 'direct' or 'fft', not '" +
                            method + "'");
  bool xInside = true, yInside = true;
  for (auto [a, b] : llvm::zip(x->shape(), y->shape())) {
    if (a == 0 || b == 0)
      return r.fail(name, "an operand has no elements");
    xInside &= a <= b;
    yInside &= b <= a;
  }
  if (mode == "valid" && !xInside && !yInside)
    return r.fail(name, "of mode 'valid' one operand is at least as large as "
                        "the other along every axis, not " +
                            shapeString(x->shape()) + " and " +
                            shapeString(y->shape()));
  bool areFloats = isIn(*dtype, floatMask);
  bool areExact = !areFloats && !isComplex(*dtype);
  // A network's convolution has at most three axes.
  bool isOfNetworks = areFloats && x->rank() <= 3;
  bool isDirect = method == "direct" || (method == "auto" && areExact);
  // As in SciPy, integers are transformed in f64 and rounded. Booleans are
  // counted, and a nonzero count is true.
  DType inside = !areExact             ? *dtype
                 : !isDirect           ? DType::F64
                 : *dtype == DType::I1 ? DType::I64
                                       : *dtype;
  NodeRef a = astype(r, x, inside), b = astype(r, y, inside);
  if (isCorrelation)
    b = flip(r, conj(r, b), {});
  if (!a || !b)
    return {};
  // Method "auto" chooses the direct method unless transforms are faster. The
  // error of a transform is relative to the largest result, even for small
  // results.
  isDirect |= method == "auto" && !isFasterByTransform(a, b);
  NodeRef all = !isDirect      ? convolveByTransform(r, a, b)
                : isOfNetworks ? convolveDirectly(r, a, b)
                               : convolveWindows(r, a, b);
  if (areExact && !isDirect)
    all = elementwise(r, OpKind::RoundEven, {all});
  if (!all)
    return {};
  Shape starts, stops, steps(x->rank(), 1);
  for (auto [size, other] : llvm::zip(x->shape(), y->shape())) {
    Extent extent = extentOf(mode, size, other);
    starts.push_back(extent.begin);
    stops.push_back(extent.begin + extent.size);
  }
  return astype(r, slice(r, all, starts, stops, steps), *dtype);
}

} // namespace tensorc::graph
