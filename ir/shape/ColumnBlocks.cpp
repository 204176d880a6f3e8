//===- ColumnBlocks.cpp - The packed layout of weights --------------------===//

#include "ir/shape/ColumnBlocks.h"

namespace tensorc::shape {

ColumnBlocks columnBlocks(Dims matrix, int64_t summed, int64_t columns) {
  Dim steps = matrix[summed], blocks = floorDiv(matrix[1 - summed], columns);
  if (summed == 0)
    return {{steps, blocks, columns}, {1, 0, 2}};
  return {{blocks, columns, steps}, {0, 2, 1}};
}

DotNumbers numbersOfBlocks(Numbers xContracting) {
  static constexpr int64_t steps[] = {1};
  return {{}, {}, xContracting, steps};
}

} // namespace tensorc::shape
