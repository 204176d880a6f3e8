//===- IndexingOps.cpp - Gathers, scatters and other indexed ops ----------===//

#include "ir/reference/Elementwise.h"
#include "ir/reference/Ops.h"

using namespace mlir;

namespace tensorc::reference {

/// Reads indices as i64. Unsigned indices beyond the range of i64 become its
/// largest value, which is out of bounds for any tensor.
static std::vector<int64_t> readIndices(const Array &indices) {
  if (!isUnsigned(indices.dtype))
    return read<int64_t>(indices);
  std::vector<int64_t> result;
  for (uint64_t i : read<uint64_t>(indices))
    result.push_back(std::min<uint64_t>(i, INT64_MAX));
  return result;
}

static void gather(tx::GatherOp op, Operands operands, Array &result) {
  const Array &x = *operands[0], &indices = *operands[1];
  SmallVector<int64_t> sizes(op.getSliceSizes());
  for (auto [d, size] : llvm::enumerate(sizes))
    if (size == -1)
      size = x.shape[d];
  std::vector<int64_t> starts = readIndices(indices);
  SmallVector<int64_t> xStrides = stridesOf(x.shape);
  SmallVector<int64_t> strides = stridesOf(indices.shape);
  int64_t vectorDim = op.getIndexVectorDim();
  bool hasVectorDim = vectorDim < static_cast<int64_t>(indices.shape.size());
  SmallVector<int64_t> batchDims = op.getBatchDims();
  SmallVector<int64_t> offsetDims = op.getOffsetDimOfX();
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    // The position at which the index vector begins.
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
}

/// Returns the start of a slice of these sizes, clamped so that the slice lies
/// in x.
static SmallVector<int64_t> clampStarts(Operands starts, const Array &x,
                                        ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> result;
  for (auto [d, start] : llvm::enumerate(starts))
    result.push_back(
        std::clamp<int64_t>(readIndices(*start)[0], 0, x.shape[d] - sizes[d]));
  return result;
}

static void dynamicSlice(tx::DynamicSliceOp, Operands operands, Array &result) {
  const Array &x = *operands[0];
  SmallVector<int64_t> first =
      clampStarts(operands.drop_front(), x, result.shape);
  SmallVector<int64_t> strides = stridesOf(x.shape);
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t source = 0;
    for (auto [i, start, stride] : llvm::zip(at, first, strides))
      source += (i + start) * stride;
    std::copy_n(x.at(source), byteWidth(x.dtype), result.at(position));
  });
}

static void dynamicUpdateSlice(tx::DynamicUpdateSliceOp, Operands operands,
                               Array &result) {
  const Array &x = *operands[0], &update = *operands[1];
  SmallVector<int64_t> first =
      clampStarts(operands.drop_front(2), x, update.shape);
  SmallVector<int64_t> strides = stridesOf(x.shape);
  result.bytes = x.bytes;
  forEachIndex(update.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t target = 0;
    for (auto [i, start, stride] : llvm::zip(at, first, strides))
      target += (i + start) * stride;
    std::copy_n(update.at(position), byteWidth(x.dtype), result.at(target));
  });
}

/// Combines result[target] with updates[position] according to the kind of
/// update.
static void update(tx::UpdateKind kind, const Array &updates, int64_t position,
                   Array &result, int64_t target) {
  int64_t width = byteWidth(result.dtype);
  if (kind == tx::UpdateKind::Set) {
    std::copy_n(updates.at(position), width, result.at(target));
    return;
  }
  Array before = *Array::create(result.dtype, {}), by = before, after = before;
  std::copy_n(result.at(target), width, before.at(0));
  std::copy_n(updates.at(position), width, by.at(0));
  evaluateElementwise(("tx." + tx::stringifyUpdateKind(kind)).str(),
                      {&before, &by}, after);
  std::copy_n(after.at(0), width, result.at(target));
}

static void scatter(tx::ScatterOp op, Operands operands, Array &result) {
  const Array &x = *operands[0], &indices = *operands[1];
  const Array &updates = *operands[2];
  SmallVector<int64_t> windowDims = op.getWindowDimOfX();
  SmallVector<int64_t> window;
  for (int64_t d : windowDims)
    window.push_back(d < 0 ? 1 : updates.shape[d]);
  result.bytes = x.bytes;
  std::vector<int64_t> starts = readIndices(indices);
  SmallVector<int64_t> vectorStrides = stridesOf(indices.shape);
  SmallVector<int64_t> updateStrides = stridesOf(updates.shape);
  SmallVector<int64_t> xStrides = stridesOf(x.shape);
  size_t vectorDim = op.getIndexVectorDim();
  int64_t componentStride =
      vectorDim < indices.shape.size() ? vectorStrides[vectorDim] : 0;
  SmallVector<int64_t> batch, batchStrides;
  for (auto [d, size] : llvm::enumerate(indices.shape))
    if (d != vectorDim) {
      batch.push_back(size);
      batchStrides.push_back(vectorStrides[d]);
    }
  SmallVector<int64_t> batchDims = op.getBatchDims();
  forEachIndex(batch, [&](int64_t, ArrayRef<int64_t> n) {
    int64_t vector = 0, first = 0;
    for (auto [i, stride, dim] : llvm::zip(n, batchStrides, batchDims)) {
      vector += i * stride;
      first += i * updateStrides[dim];
    }
    SmallVector<int64_t> begin(x.shape.size(), 0);
    for (auto [k, d] : llvm::enumerate(op.getScatterDimsToOperandDims()))
      begin[d] = starts[vector + k * componentStride];
    forEachIndex(window, [&](int64_t, ArrayRef<int64_t> w) {
      int64_t position = first, target = 0;
      bool inside = true;
      for (size_t d = 0; d < w.size(); ++d) {
        // The differences and sums of indices and sizes here cannot overflow.
        inside &= begin[d] >= -w[d] && begin[d] < x.shape[d] - w[d];
        if (!inside)
          return;
        target += (begin[d] + w[d]) * xStrides[d];
        position += windowDims[d] < 0 ? 0 : w[d] * updateStrides[windowDims[d]];
      }
      update(op.getKind(), updates, position, result, target);
    });
  });
}

/// Uses a binary search, as the kernels do, so that the result is also defined
/// for sequences that are not sorted.
template <typename Wide>
static void searchAs(const Array &sorted, const Array &x, bool right,
                     Array &result) {
  std::vector<Wide> sequences = read<Wide>(sorted), values = read<Wide>(x);
  std::vector<int64_t> places;
  int64_t size = sorted.shape.back();
  int64_t perSequence = sorted.shape.size() > 1 ? x.shape.back() : INT64_MAX;
  auto before = [](Wide a, Wide b) { return a < b || (b != b && a == a); };
  for (auto [i, value] : llvm::enumerate(values)) {
    int64_t first = static_cast<int64_t>(i) / perSequence * size, low = 0;
    for (int64_t left = size; left > 0; left /= 2) {
      int64_t behind = low + left - left / 2;
      Wide met = sequences[first + behind - 1];
      if (right ? !before(value, met) : before(met, value))
        low = behind;
    }
    places.push_back(low);
  }
  write<int64_t>(result, places);
}

static void searchsorted(tx::SearchsortedOp op, Operands operands,
                         Array &result) {
  const Array &sorted = *operands[0], &x = *operands[1];
  if (isFloat(x.dtype))
    searchAs<double>(sorted, x, op.getRight(), result);
  else if (isUnsigned(x.dtype) || x.dtype == DType::I1)
    searchAs<uint64_t>(sorted, x, op.getRight(), result);
  else
    searchAs<int64_t>(sorted, x, op.getRight(), result);
}

void addIndexingOps(OpTable &table) {
  table.add<tx::SearchsortedOp>(searchsorted);
  table.add<tx::GatherOp>(gather);
  table.add<tx::DynamicSliceOp>(dynamicSlice);
  table.add<tx::DynamicUpdateSliceOp>(dynamicUpdateSlice);
  table.add<tx::ScatterOp>(scatter);
}

} // namespace tensorc::reference
