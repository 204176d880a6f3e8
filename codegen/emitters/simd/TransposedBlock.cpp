//===- TransposedBlock.cpp - A square of vectors, turned in registers -----===//

#include "codegen/emitters/simd/TransposedBlock.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// In each round neighbours at twice the distance exchange the halves that they
/// have for each other.
SmallVector<Value> transposed(ImplicitLocOpBuilder &b,
                              SmallVector<Value> rows) {
  int64_t count = rows.size();
  int64_t width = cast<VectorType>(rows.front().getType()).getNumElements();
  for (int64_t distance = 1; distance < count; distance *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t l = 0; l < width; ++l) {
      bool second = l & distance;
      low.push_back(second ? width + l - distance : l);
      high.push_back(second ? width + l : l + distance);
    }
    for (int64_t i = 0; i < count; ++i) {
      if (i & distance)
        continue;
      Value x = rows[i], y = rows[i + distance];
      rows[i] = vector::ShuffleOp::create(b, x, y, low);
      rows[i + distance] = vector::ShuffleOp::create(b, x, y, high);
    }
  }
  return rows;
}

} // namespace tensorc::codegen::simd
