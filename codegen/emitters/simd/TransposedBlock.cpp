//===- TransposedBlock.cpp - Transposes squares of vectors ----------------===//

#include "codegen/emitters/simd/TransposedBlock.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Rows = SmallVector<Value>;

/// Returns two shuffles of x and y, which differ by `isHigh`. `from` returns
/// the source of each lane, as an index into the lanes of x followed by those
/// of y.
static std::pair<Value, Value>
shuffled(ImplicitLocOpBuilder &b, Value x, Value y,
         function_ref<int64_t(int64_t lane, bool isHigh)> from) {
  int64_t width = cast<VectorType>(x.getType()).getNumElements();
  SmallVector<int64_t> low, high;
  for (int64_t l = 0; l < width; ++l) {
    low.push_back(from(l, false));
    high.push_back(from(l, true));
  }
  return {vector::ShuffleOp::create(b, x, y, low),
          vector::ShuffleOp::create(b, x, y, high)};
}

/// Transposes squares. In round i, vectors that are 2^i apart swap halves of
/// each group of 2^(i + 1) lanes.
static Rows transposeSquares(ImplicitLocOpBuilder &b, Rows rows) {
  int64_t count = rows.size();
  int64_t width = cast<VectorType>(rows.front().getType()).getNumElements();
  for (int64_t distance = 1; distance < count; distance *= 2)
    for (int64_t i = 0; i < count; ++i)
      if (!(i & distance))
        std::tie(rows[i], rows[i + distance]) = shuffled(
            b, rows[i], rows[i + distance], [&](int64_t lane, bool isHigh) {
              bool second = lane & distance;
              int64_t from = isHigh ? lane + distance : lane;
              return second ? width + from - distance : from;
            });
  return rows;
}

/// Transposes a square with unpack instructions within blocks of 16 bytes, then
/// moves whole blocks. Unlike general shuffles, these instructions need no
/// index vectors, which would take registers from a contraction's accumulators.
static Rows transposedSquare(ImplicitLocOpBuilder &b, Rows rows,
                             int64_t block) {
  int64_t width = rows.size();
  for (int64_t distance = 1; distance < block; distance *= 2)
    for (int64_t i = 0; i < width; ++i)
      if (!(i & distance))
        // Interleaves runs of `distance` elements of both vectors, from the
        // lower or the upper half of each block.
        std::tie(rows[i], rows[i + distance]) = shuffled(
            b, rows[i], rows[i + distance], [&](int64_t lane, bool isHigh) {
              int64_t inBlock = lane % block, run = inBlock / distance;
              return lane - inBlock + (isHigh ? block / 2 : 0) +
                     run / 2 * distance + inBlock % distance +
                     (run % 2 ? width : 0);
            });
  for (int64_t distance = block; distance < width; distance *= 2)
    for (int64_t i = 0; i < width; ++i)
      if (!(i & distance))
        // Takes every other block of both vectors.
        std::tie(rows[i], rows[i + distance]) = shuffled(
            b, rows[i], rows[i + distance], [&](int64_t lane, bool isHigh) {
              return (lane / block * 2 + isHigh) * block + lane % block;
            });
  // After unpacking, the rows within each block are in bit-reversed order.
  Rows result(width);
  for (int64_t i = 0; i < width; ++i) {
    int64_t reversed = 0;
    for (int64_t bit = 1; bit < block; bit *= 2)
      reversed = reversed * 2 + (i & bit ? 1 : 0);
    result[i - i % block + reversed] = rows[i];
  }
  return result;
}

SmallVector<Value> transposed(ImplicitLocOpBuilder &b,
                              SmallVector<Value> rows) {
  constexpr int64_t blockBits = 128;
  auto type = cast<VectorType>(rows.front().getType());
  int64_t width = type.getNumElements();
  int64_t block = std::max<int64_t>(
      blockBits / type.getElementType().getIntOrFloatBitWidth(), 1);
  if (static_cast<int64_t>(rows.size()) != width)
    return transposeSquares(b, std::move(rows));
  return transposedSquare(b, std::move(rows), std::min(block, width));
}

} // namespace tensorc::codegen::simd
