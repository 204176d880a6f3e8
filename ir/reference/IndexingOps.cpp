//===- IndexingOps.cpp - Ops whose indices are tensors --------------------===//

#include "ir/reference/Ops.h"

using namespace mlir;

namespace tensorc::reference {

/// Unsigned ones beyond i64 lie outside of any tensor as its largest does.
static std::vector<int64_t> readIndices(const Array &indices) {
  if (!isUnsigned(indices.dtype))
    return read<int64_t>(indices);
  std::vector<int64_t> result;
  for (uint64_t i : read<uint64_t>(indices))
    result.push_back(std::min<uint64_t>(i, INT64_MAX));
  return result;
}

LogicalResult gather(tx::GatherOp op, const Array &x, const Array &indices,
                     Array &result) {
  SmallVector<int64_t> sizes(op.getSliceSizes());
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (size == -1)
      size = x.shape[d];
    if (size > x.shape[d])
      return op.emitOpError("a slice of ")
             << size << " does not fit into dimension " << d << " of "
             << typeString(x.dtype, x.shape);
  }
  std::vector<int64_t> starts = readIndices(indices);
  SmallVector<int64_t> xStrides = stridesOf(x.shape);
  SmallVector<int64_t> strides = stridesOf(indices.shape);
  int64_t vectorDim = op.getIndexVectorDim();
  bool hasVectorDim = vectorDim < static_cast<int64_t>(indices.shape.size());
  SmallVector<int64_t> batchDims = op.getBatchDims();
  SmallVector<int64_t> offsetDims = op.getOffsetDimOfX();
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    // Where the index vector begins.
    int64_t vector = 0;
    for (auto [i, d] : llvm::enumerate(batchDims))
      vector +=
          at[d] *
          strides[hasVectorDim && static_cast<int64_t>(i) >= vectorDim ? i + 1
                                                                       : i];
    int64_t source = 0;
    for (auto [k, d] : llvm::enumerate(op.getStartIndexMap())) {
      int64_t start =
          starts[vector + (hasVectorDim ? k * strides[vectorDim] : 0)];
      source +=
          std::clamp<int64_t>(start, 0, x.shape[d] - sizes[d]) * xStrides[d];
    }
    for (auto [d, dim] : llvm::enumerate(offsetDims))
      source += dim < 0 ? 0 : at[dim] * xStrides[d];
    std::copy_n(x.at(source), byteWidth(x.dtype), result.at(position));
  });
  return success();
}

} // namespace tensorc::reference
