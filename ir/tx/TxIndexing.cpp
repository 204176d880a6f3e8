//===- TxIndexing.cpp - Ops whose indices are tensors ---------------------===//

#include "ir/tx/Dims.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace tensorc::tx {

SmallVector<int64_t> GatherOp::getBatchDims() {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < getType().getRank(); ++d)
    if (!llvm::is_contained(getOffsetDims(), d))
      dims.push_back(d);
  return dims;
}

SmallVector<int64_t> GatherOp::getOffsetDimOfX() {
  SmallVector<int64_t> dims;
  size_t next = 0;
  for (int64_t d = 0; d < getX().getType().getRank(); ++d)
    dims.push_back(llvm::is_contained(getCollapsedSliceDims(), d)
                       ? -1
                       : getOffsetDims()[next++]);
  return dims;
}

/// Whether the dims differ, lie in [0, rank) and, if asked, increase.
static bool areDims(ArrayRef<int64_t> dims, int64_t rank, bool increase) {
  llvm::SmallBitVector seen(rank);
  int64_t last = -1;
  for (int64_t d : dims) {
    if (d < 0 || d >= rank || seen.test(d) || (increase && d < last))
      return false;
    seen.set(d);
    last = d;
  }
  return true;
}

/// The attributes among each other; then getBatchDims and the like are safe.
static LogicalResult verifyNumbers(GatherOp op) {
  int64_t rank = op.getX().getType().getRank();
  int64_t vectorDim = op.getIndexVectorDim();
  auto indices = op.getIndices().getType();
  if (vectorDim < 0 || vectorDim > indices.getRank())
    return op.emitOpError("index_vector_dim ")
           << vectorDim << " is outside rank " << indices.getRank();
  int64_t components =
      vectorDim == indices.getRank() ? 1 : indices.getDimSize(vectorDim);
  if (components != op.getVectorSize())
    return op.emitOpError("index vectors have ")
           << components << " components, start_index_map "
           << op.getVectorSize();
  if (!areDims(op.getStartIndexMap(), rank, false))
    return op.emitOpError(
               "start_index_map must name different dimensions of rank ")
           << rank;
  if (!areDims(op.getCollapsedSliceDims(), rank, true))
    return op.emitOpError("collapsed_slice_dims must increase inside rank ")
           << rank;
  if (!areDims(op.getOffsetDims(), op.getType().getRank(), true))
    return op.emitOpError("offset_dims must increase inside rank ")
           << op.getType().getRank();
  if (static_cast<int64_t>(op.getSliceSizes().size()) != rank)
    return op.emitOpError("needs a slice size for each of ")
           << rank << " dimensions";
  if (static_cast<int64_t>(op.getOffsetDims().size() +
                           op.getCollapsedSliceDims().size()) != rank)
    return op.emitOpError("offset_dims and collapsed_slice_dims are ")
           << op.getOffsetDims().size() + op.getCollapsedSliceDims().size()
           << " dimensions, x has " << rank;
  return success();
}

static LogicalResult verifySlices(GatherOp op) {
  auto x = op.getX().getType();
  for (auto [d, size] : llvm::enumerate(op.getSliceSizes())) {
    if (size < -1)
      return op.emitOpError("slice size of dimension ") << d << " is negative";
    if (!x.isDynamicDim(d) && size > x.getDimSize(d))
      return op.emitOpError("a slice of ")
             << size << " does not fit into dimension " << d << " of "
             << shapeString(x);
  }
  for (int64_t d : op.getCollapsedSliceDims())
    if (op.getSliceSizes()[d] != 1)
      return op.emitOpError("collapsed dimension ")
             << d << " has slice size " << op.getSliceSizes()[d] << ", not 1";
  return success();
}

LogicalResult GatherOp::verify() {
  if (failed(verifyNumbers(*this)) || failed(verifySlices(*this)))
    return failure();
  auto x = getX().getType(), out = getType();
  if (x.getElementType() != out.getElementType())
    return emitOpError("result dtype ")
           << out.getElementType() << " differs from the operand's "
           << x.getElementType();
  if (!out.hasStaticShape() && !out.getEncoding())
    return emitOpError("dynamic dimensions must be named: write "
                       "tensor<?xf32, #tx.dims<[n]>>");
  DimSpace space(getContext());
  SmallVector<AffineExpr> from = space.dims(x), to = space.dims(out);
  SmallVector<AffineExpr> batch = space.dims(getIndices().getType());
  if (getIndexVectorDim() < batch.size())
    batch.erase(batch.begin() + getIndexVectorDim());
  SmallVector<int64_t> batchDims = getBatchDims();
  if (batchDims.size() != batch.size())
    return emitOpError("result has ")
           << batchDims.size() << " dimensions beside offset_dims, the indices "
           << batch.size();
  SmallVector<AffineExpr> expected(to);
  for (auto [d, size] : llvm::zip(batchDims, batch))
    expected[d] = size;
  for (auto [d, at] : llvm::enumerate(getOffsetDimOfX()))
    if (at >= 0)
      expected[at] = getSliceSizes()[d] == -1
                         ? from[d]
                         : space.constant(getSliceSizes()[d]);
  for (auto [i, dim] : llvm::enumerate(expected))
    if (dim != to[i])
      return emitOpError("dimension ")
             << i << " of the result is " << toString(to[i], space.names())
             << " but must be " << toString(dim, space.names());
  return success();
}

} // namespace tensorc::tx
