//===- SignalOps.cpp - ONNX's transforms of signals, and random numbers ---===//

#include "compiler/frontends/onnx/NodeImport.h"
#include "ir/library/Fourier.h"

#include <cmath>

using namespace mlir;

namespace tensorc::onnx {

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// Truncates x to the length of the transform, or pads it with zeros at the
/// end.
static Value fitted(NodeImport &n, Value x, int64_t dim, int64_t length) {
  if (n.isRefused())
    return Value();
  int64_t size = n.numberOf(dimsOf(x)[dim], "a dim that is transformed");
  if (size >= length)
    return size == length ? x : n.part(x, dim, 0, length);
  SmallVector<int64_t> low(rankOf(x), 0), high(rankOf(x), 0);
  high[dim] = length - size;
  return n.pad(x, low, high, n.full(0, dtypeOf(x)));
}

/// Returns the second half of a spectrum along the last dim: the elements
/// beyond `length / 2`, which are mirrored and multiplied by a sign.
static Value mirrored(NodeImport &n, Value half, int64_t length, double sign) {
  if (n.isRefused() || length < 3)
    return half;
  int64_t last = rankOf(half) - 1;
  Value others = n.part(half, last, 1, (length - 1) / 2);
  return n.concatenate({half, n.mul(n.e.reverse(others, last), sign)}, last);
}

static Value transform(NodeImport &n, Value x, int64_t axis, int64_t length,
                       bool inverse, bool oneSided) {
  if (n.isRefused())
    return Value();
  int64_t last = rankOf(x) - 1;
  int64_t parts = n.numberOf(dimsOf(x)[last], "the number of parts");
  if (n.isRefused() || (parts != 1 && parts != 2) || length < 1 || axis == last)
    return n.refuse("the signal is not one of 1 or 2 parts");
  // [parts, ..., axis]
  SmallVector<int64_t> order{last}, back;
  for (int64_t d = 0; d < last; ++d)
    if (d != axis)
      order.push_back(d);
  order.push_back(axis);
  for (int64_t d = 0; d <= last; ++d)
    back.push_back(llvm::find(order, d) - order.begin());
  bool isHalf = inverse && oneSided;
  x = fitted(n, n.transpose(x, order), last, isHalf ? length / 2 + 1 : length);
  Value re = n.part(x, 0, 0, 1);
  Value im = parts == 2 ? n.part(x, 0, 1, 1) : Value();
  if (!im && !n.isRefused())
    im = n.zeros(dtypeOf(re), SmallVector<Dim>(dimsOf(re)));
  if (isHalf) {
    re = mirrored(n, re, length, 1);
    im = mirrored(n, im, length, -1);
  }
  Value both = n.concatenate({re, im}, 0);
  if (n.isRefused())
    return Value();
  Value y =
      tx::FftOp::create(n.b, n.loc, both.getType(), both, length, inverse);
  if (isHalf)
    y = n.part(y, 0, 0, 1);
  else if (oneSided)
    y = n.part(y, last, 0, length / 2 + 1);
  if (inverse)
    y = n.div(y, static_cast<double>(length));
  return n.transpose(y, back);
}

static void dft(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x), axis = n.opset < 20 ? n.integer("axis", 1) : -2;
  if (n.opset >= 20 && n.has(2)) {
    auto given = n.numbers(n.in(2), "the axis");
    axis = given.size() == 1 ? given[0] : rank;
  }
  axis = n.axis(axis, rank);
  bool inverse = n.flag("inverse"), oneSided = n.flag("onesided");
  if (n.isRefused())
    return;
  int64_t length = n.numberOf(dimsOf(x)[axis], "a dim that is transformed");
  if (inverse && oneSided)
    length = 2 * (length - 1);
  if (n.has(1)) {
    auto given = n.numbers(n.in(1), "the length");
    length = given.size() == 1 ? given[0] : 0;
  }
  n.set(transform(n, x, axis, length, inverse, oneSided));
}

/// Transforms frames, each multiplied by a window.
static void stft(NodeImport &n) {
  Value x = n.in(0), window = n.optional(2);
  auto step = n.numbers(n.in(1), "the step");
  if (n.isRefused() || step.size() != 1 || step[0] < 1 || rankOf(x) < 2) {
    n.refuse("the step is not a positive number, or the signal has rank 1");
    return;
  }
  int64_t length = 0;
  if (n.has(3)) {
    auto given = n.numbers(n.in(3), "the length");
    length = given.size() == 1 ? given[0] : 0;
  } else if (window && rankOf(window) == 1) {
    length = n.numberOf(dimsOf(window)[0], "the length of the window");
  }
  if (n.isRefused() || length < 1) {
    n.refuse("the length of a frame is missing");
    return;
  }
  SmallVector<Dim> dims(dimsOf(x));
  if (dims.size() == 2)
    dims.push_back(1), x = n.reshape(x, dims);
  SmallVector<int64_t> along{1}, sizes{length}, strides{step[0]}, one{1};
  // Makes frames [batch, frames, parts, length]; afterwards the parts become
  // the last dim again.
  Value frames =
      n.make<tx::WindowsOp>(dtypeOf(x), x, along, sizes, strides, one);
  frames = n.transpose(frames, {0, 1, 3, 2});
  if (window)
    frames = n.mul(frames, n.alongDim(window, 2, 4));
  n.set(transform(n, frames, 2, length, false, n.integer("onesided", 1)));
}

/// Returns the weights of triangular filters, which are evenly spaced on the
/// mel scale.
static void melWeights(NodeImport &n) {
  auto one = [&](size_t i, StringRef what) {
    auto list = n.realNumbers(n.in(i), what);
    return list.size() == 1 ? list[0] : 0;
  };
  auto bands = static_cast<int64_t>(one(0, "the number of bands")),
       length = static_cast<int64_t>(one(1, "the length")),
       rate = static_cast<int64_t>(one(2, "the sample rate"));
  double low = one(3, "the lowest frequency"),
         high = one(4, "the highest frequency");
  auto dtype = dtypeFrom(n.integer("output_datatype", 1));
  if (!dtype || bands < 1 || bands > 65536 || length < 1 ||
      length > (1 << 20) || rate < 1)
    n.refuse("a number is not positive, or tensorc does not have the dtype");
  if (n.isRefused())
    return;
  int64_t rows = length / 2 + 1;
  auto mel = [](double f) {
    return 2595 * std::log1p(f / 700) / std::log(10.0);
  };
  double step = (mel(high) - mel(low)) / static_cast<double>(bands + 2);
  std::vector<int64_t> edges;
  for (int64_t i = 0; i < bands + 2; ++i) {
    double heard = static_cast<double>(i) * step + mel(low);
    double f = 700 * std::expm1(heard / 2595 * std::log(10.0));
    edges.push_back(static_cast<int64_t>(std::floor(
        static_cast<double>(length + 1) * f / static_cast<double>(rate))));
    if (edges.back() < 0 || edges.back() >= rows + 1) {
      n.refuse("a frequency is beyond half of the sample rate");
      return;
    }
  }
  std::vector<float> values(static_cast<size_t>(rows * bands), 0);
  auto at = [&](int64_t row, int64_t band) -> float & {
    static float outside;
    return row < rows ? values[row * bands + band] : outside;
  };
  for (int64_t i = 0; i < bands; ++i) {
    int64_t left = edges[i], center = edges[i + 1], right = edges[i + 2];
    if (left == center)
      at(center, i) = 1;
    else
      for (int64_t j = left; j <= center; ++j)
        at(j, i) =
            static_cast<float>(j - left) / static_cast<float>(center - left);
    for (int64_t j = center; j < right; ++j)
      at(j, i) =
          static_cast<float>(right - j) / static_cast<float>(right - center);
  }
  auto type = RankedTensorType::get({rows, bands}, n.b.getF32Type());
  Value constant = tx::ConstantOp::create(
      n.b, n.loc, type, DenseElementsAttr::get(type, ArrayRef(values)));
  n.set(n.convert(constant, *dtype));
}

//===----------------------------------------------------------------------===//
// Random numbers. They are the same in each run, because a compiled program is
// a function.
//===----------------------------------------------------------------------===//

static Value bits(NodeImport &n, Dims dims) {
  if (n.isRefused())
    return Value();
  // Combines the seed with the name of the node's output, so that two nodes
  // draw different numbers.
  auto seed = static_cast<uint32_t>(static_cast<int64_t>(n.real("seed", 0)));
  uint32_t name = 0;
  for (char c : n.node.outputs.empty() ? StringRef() : n.node.outputs[0])
    name = name * 31 + static_cast<uint8_t>(c);
  auto type = RankedTensorType::get({2}, n.b.getIntegerType(32, false));
  Value key = tx::ConstantOp::create(
      n.b, n.loc, type,
      DenseElementsAttr::get(type, ArrayRef<uint32_t>({seed, name})));
  return tx::RandomBitsOp::create(
      n.b, n.loc,
      tx::tensorType(dims, tx::elementType(n.b.getContext(), DType::UI32)), key,
      Value(), tx::RandomAlgorithm::Philox4x32_10);
}

/// Returns uniform numbers in [0, 1).
static Value uniform(NodeImport &n, Dims dims) {
  Value high =
      n.isRefused() ? Value() : n.map<tx::ShrLogicalOp>({bits(n, dims), 8});
  return n.mul(n.convert(high, DType::F32), 1.0 / (1 << 24));
}

static std::optional<DType> drawnDType(NodeImport &n, DType otherwise) {
  if (!n.attribute("dtype"))
    return otherwise;
  auto dtype = dtypeFrom(n.integer("dtype", 1));
  if (!dtype)
    n.refuse("tensorc does not have the dtype");
  return dtype;
}

template <bool isNormal, bool isLike> static void draw(NodeImport &n) {
  SmallVector<Dim> dims;
  DType otherwise = DType::F32;
  if (isLike) {
    Value like = n.in(0);
    if (n.isRefused())
      return;
    dims.assign(dimsOf(like).begin(), dimsOf(like).end());
    otherwise = dtypeOf(like);
  } else {
    for (int64_t size : n.integers("shape").value_or(std::vector<int64_t>())) {
      if (size < 0)
        n.refuse("a size is negative");
      dims.push_back(size);
    }
  }
  auto dtype = drawnDType(n, otherwise);
  if (n.isRefused())
    return;
  Value y;
  if (isNormal)
    y = n.add(n.mul(n.make<tx::RandnOp>(DType::F32, bits(n, dims)),
                    n.real("scale", 1)),
              n.real("mean", 0));
  else
    y = n.add(n.mul(uniform(n, dims), n.real("high", 1) - n.real("low", 0)),
              n.real("low", 0));
  n.set(n.convert(y, *dtype));
}

/// Returns true with the probability that each element of x gives.
static void bernoulli(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  auto dtype = drawnDType(n, dtypeOf(x));
  if (n.isRefused())
    return;
  Value drawn = n.convertLike(uniform(n, SmallVector<Dim>(dimsOf(x))), x);
  n.set(n.convert(n.less(drawn, x), *dtype));
}

ArrayRef<OpVersion> signalOps() {
  static constexpr OpVersion ops[] = {
      {"Bernoulli", 15, bernoulli},
      {"DFT", 17, dft},
      {"MelWeightMatrix", 17, melWeights},
      {"RandomNormal", 1, draw<true, false>},
      {"RandomNormalLike", 1, draw<true, true>},
      {"RandomUniform", 1, draw<false, false>},
      {"RandomUniformLike", 1, draw<false, true>},
      {"STFT", 17, stft},
  };
  return ops;
}

} // namespace tensorc::onnx
