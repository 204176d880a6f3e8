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

static constexpr int64_t stepsOfWords[] = {1, 3};

ColumnBlocks columnWords(Dims matrix, int64_t summed, int64_t steps) {
  Dim groups = floorDiv(matrix[summed], steps),
      blocks = floorDiv(matrix[1 - summed], columnsOfWords);
  if (summed == 0)
    return {{groups, steps, blocks, columnsOfWords}, {2, 0, 3, 1}};
  return {{blocks, columnsOfWords, groups, steps}, {0, 2, 1, 3}};
}

DotNumbers numbersOfWords(Numbers xContracting) {
  return {{}, {}, xContracting, stepsOfWords};
}

bool areColumnWords(llvm::ArrayRef<int64_t> sizes, Numbers batch,
                    Numbers summed) {
  return sizes.size() == 4 && batch.empty() &&
         summed == Numbers(stepsOfWords) && sizes[2] == columnsOfWords &&
         (sizes[3] == 2 || sizes[3] == 4);
}

} // namespace tensorc::shape
