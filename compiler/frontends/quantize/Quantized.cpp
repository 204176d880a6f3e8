//===- Quantized.cpp - Narrow integers and their scales -------------------===//

#include "compiler/frontends/quantize/Quantized.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using llvm::ArrayRef;

namespace tensorc::compiler {

using reference::Array;
using reference::DType;

namespace {
class Quantizer {
public:
  Quantizer(std::vector<float> elements, ArrayRef<int64_t> shape,
            ArrayRef<int64_t> groups)
      : elements(std::move(elements)), shape(shape), groups(groups) {
    for (auto [size, group] : llvm::zip(shape, groups))
      counts.push_back(size / group);
  }

  Quantized run(DType from, DType to);

private:
  std::vector<float> elements;
  ArrayRef<int64_t> shape, groups;
  /// The shape of the scales.
  llvm::SmallVector<int64_t> counts;

  template <typename Fn> void forEachRun(Fn fn) const;
};
} // namespace

/// Calls `fn(begin, size, scale)` for each run of contiguous elements that
/// share a scale.
template <typename Fn> void Quantizer::forEachRun(Fn fn) const {
  llvm::SmallVector<int64_t> strides = reference::stridesOf(counts);
  int64_t last = shape.back(), run = groups.back();
  llvm::SmallVector<int64_t> rows(shape.drop_back());
  reference::forEachIndex(rows, [&](int64_t row, ArrayRef<int64_t> at) {
    int64_t scale = 0;
    for (size_t d = 0; d < at.size(); ++d)
      scale += at[d] / groups[d] * strides[d];
    for (int64_t begin = 0; begin < last; begin += run)
      fn(row * last + begin, run, scale++);
  });
}

Quantized Quantizer::run(DType from, DType to) {
  Quantized result{*Array::create(to, shape), *Array::create(from, counts)};
  std::vector<double> scales(result.scales.size(), 0);
  forEachRun([&](int64_t begin, int64_t size, int64_t scale) {
    float most = 0;
    for (int64_t i = 0; i < size; ++i)
      most = std::max(most, std::abs(elements[begin + i]));
    scales[scale] = std::max<double>(scales[scale], most);
  });
  // The range is symmetric, so that 0 stays 0.
  double high = std::ldexp(1.0, int(tx::bitWidth(to)) - 1) - 1;
  for (double &scale : scales)
    scale /= high;
  reference::write<double>(result.scales, scales);
  scales = reference::read<double>(result.scales);
  double sum = 0, squares = 0, norm = 0;
  forEachRun([&](int64_t begin, int64_t size, int64_t at) {
    auto scale = static_cast<float>(scales[at]);
    for (int64_t i = begin; i < begin + size; ++i) {
      float x = elements[i];
      float quotient = scale > 0 ? std::nearbyint(x / scale) : 0;
      auto q = static_cast<int8_t>(
          std::clamp<float>(quotient, float(-high), float(high)));
      result.values.bytes[i] = static_cast<uint8_t>(q);
      double error = std::abs(double(x) - double(q) * scale);
      result.maxError = std::max(result.maxError, error);
      sum += error;
      squares += error * error;
      norm += double(x) * x;
    }
  });
  result.meanError = sum / double(elements.size());
  result.relativeError = norm > 0 ? std::sqrt(squares / norm) : 0;
  return result;
}

/// Returns the elements as f32, or nullopt if one is infinite or NaN.
static std::optional<std::vector<float>> finite(ArrayRef<char> bytes,
                                                DType dtype, int64_t count) {
  static constexpr int64_t chunkSize = 1 << 16;
  std::vector<float> all;
  all.reserve(count);
  int64_t width = tx::byteWidth(dtype);
  for (int64_t begin = 0; begin < count; begin += chunkSize) {
    int64_t size = std::min(chunkSize, count - begin);
    Array part = *Array::create(dtype, {size});
    std::copy_n(bytes.begin() + begin * width, size * width,
                part.bytes.begin());
    for (double x : reference::read<double>(part)) {
      all.push_back(static_cast<float>(x));
      if (!std::isfinite(all.back()))
        return std::nullopt;
    }
  }
  return all;
}

std::optional<Quantized> quantize(ArrayRef<char> bytes, DType from,
                                  ArrayRef<int64_t> shape, DType to,
                                  ArrayRef<int64_t> groups) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  std::optional<std::vector<float>> elements = finite(bytes, from, count);
  if (!elements)
    return std::nullopt;
  return Quantizer(std::move(*elements), shape, groups).run(from, to);
}

} // namespace tensorc::compiler
