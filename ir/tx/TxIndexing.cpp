//===- TxIndexing.cpp - Ops whose indices are tensors ---------------------===//

#include "ir/tx/DType.h"
#include "ir/tx/Dims.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace tensorc::tx {

static SmallVector<int64_t> dimsWithout(ArrayRef<int64_t> some, int64_t rank) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(some, d))
      dims.push_back(d);
  return dims;
}

/// The k-th of `dims` for the k-th of `rank` dims that is not `left` out.
static SmallVector<int64_t> spread(ArrayRef<int64_t> dims,
                                   ArrayRef<int64_t> left, int64_t rank) {
  SmallVector<int64_t> result;
  size_t next = 0;
  for (int64_t d = 0; d < rank; ++d)
    result.push_back(llvm::is_contained(left, d) ? -1 : dims[next++]);
  return result;
}

SmallVector<int64_t> GatherOp::getBatchDims() {
  return dimsWithout(getOffsetDims(), getType().getRank());
}

SmallVector<int64_t> GatherOp::getOffsetDimOfX() {
  return spread(getOffsetDims(), getCollapsedSliceDims(),
                getX().getType().getRank());
}

SmallVector<int64_t> ScatterOp::getBatchDims() {
  return dimsWithout(getUpdateWindowDims(), getUpdates().getType().getRank());
}

SmallVector<int64_t> ScatterOp::getWindowDimOfX() {
  return spread(getUpdateWindowDims(), getInsertedWindowDims(),
                getX().getType().getRank());
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

/// The indices of a gather or scatter: whose vectors have a component for each
/// of `mapped`, which are dims of x.
static LogicalResult verifyVectors(Operation *op, RankedTensorType indices,
                                   int64_t vectorDim, StringRef name,
                                   ArrayRef<int64_t> mapped, int64_t rank) {
  if (vectorDim < 0 || vectorDim > indices.getRank())
    return op->emitOpError("index_vector_dim ")
           << vectorDim << " is outside rank " << indices.getRank();
  int64_t components =
      vectorDim == indices.getRank() ? 1 : indices.getDimSize(vectorDim);
  if (ShapedType::isDynamic(components))
    return op->emitOpError("the size of index vectors must be static");
  if (components != static_cast<int64_t>(mapped.size()))
    return op->emitOpError("index vectors have ")
           << components << " components, " << name << " " << mapped.size();
  if (!areDims(mapped, rank, false))
    return op->emitOpError(name)
           << " must name different dimensions of rank " << rank;
  return success();
}

/// Dims that are not static have names, which tell which of them are equal.
static LogicalResult verifyNamed(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types)
    if (auto tensor = cast<RankedTensorType>(type);
        !tensor.hasStaticShape() && !tensor.getEncoding())
      return op->emitOpError("dynamic dimensions must be named: write "
                             "tensor<?xf32, #tx.dims<[n]>>");
  return success();
}

static LogicalResult verifySameDType(Operation *op, StringRef what, Type is,
                                     RankedTensorType x) {
  Type dtype = getElementTypeOrSelf(is);
  if (dtype == x.getElementType())
    return success();
  return op->emitOpError(what)
         << " dtype " << dtype << " differs from the operand's "
         << x.getElementType();
}

/// The dims of the indices without that of the vectors' components.
static SmallVector<AffineExpr> batchOf(DimSpace &space, RankedTensorType type,
                                       uint64_t vectorDim) {
  SmallVector<AffineExpr> dims = space.dims(type);
  if (vectorDim < dims.size())
    dims.erase(dims.begin() + vectorDim);
  return dims;
}

static LogicalResult verifyShape(Operation *op, StringRef what, DimSpace &space,
                                 ArrayRef<AffineExpr> is,
                                 ArrayRef<AffineExpr> expected) {
  for (auto [i, dim] : llvm::enumerate(expected))
    if (dim != is[i])
      return op->emitOpError("dimension ")
             << i << " of the " << what << " is "
             << toString(is[i], space.names()) << " but must be "
             << toString(dim, space.names());
  return success();
}

static LogicalResult verifySliceSizes(Operation *op, RankedTensorType x,
                                      ArrayRef<int64_t> sizes) {
  if (static_cast<int64_t>(sizes.size()) != x.getRank())
    return op->emitOpError("needs a slice size for each of ")
           << x.getRank() << " dimensions";
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (size < -1)
      return op->emitOpError("slice size of dimension ") << d << " is negative";
    if (!x.isDynamicDim(d) && size > x.getDimSize(d))
      return op->emitOpError("a slice of ")
             << size << " does not fit into dimension " << d << " of "
             << shapeString(x);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// The attributes among each other; then getBatchDims and the like are safe.
static LogicalResult verifyNumbers(GatherOp op) {
  int64_t rank = op.getX().getType().getRank();
  if (failed(verifyVectors(op, op.getIndices().getType(),
                           op.getIndexVectorDim(), "start_index_map",
                           op.getStartIndexMap(), rank)))
    return failure();
  if (!areDims(op.getCollapsedSliceDims(), rank, true))
    return op.emitOpError("collapsed_slice_dims must increase inside rank ")
           << rank;
  if (!areDims(op.getOffsetDims(), op.getType().getRank(), true))
    return op.emitOpError("offset_dims must increase inside rank ")
           << op.getType().getRank();
  if (static_cast<int64_t>(op.getOffsetDims().size() +
                           op.getCollapsedSliceDims().size()) != rank)
    return op.emitOpError("offset_dims and collapsed_slice_dims are ")
           << op.getOffsetDims().size() + op.getCollapsedSliceDims().size()
           << " dimensions, x has " << rank;
  return success();
}

static LogicalResult verifyCollapsed(GatherOp op) {
  for (int64_t d : op.getCollapsedSliceDims())
    if (op.getSliceSizes()[d] != 1)
      return op.emitOpError("collapsed dimension ")
             << d << " has slice size " << op.getSliceSizes()[d] << ", not 1";
  return success();
}

LogicalResult GatherOp::verify() {
  auto x = getX().getType(), out = getType();
  if (failed(verifyNumbers(*this)) ||
      failed(verifySliceSizes(*this, x, getSliceSizes())) ||
      failed(verifyCollapsed(*this)) || failed(verifyNamed(*this)) ||
      failed(verifySameDType(*this, "result", out, x)))
    return failure();
  DimSpace space(getContext());
  SmallVector<AffineExpr> from = space.dims(x), to = space.dims(out);
  SmallVector<AffineExpr> batch =
      batchOf(space, getIndices().getType(), getIndexVectorDim());
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
  return verifyShape(*this, "result", space, to, expected);
}

//===----------------------------------------------------------------------===//
// Slices whose starts are scalars
//===----------------------------------------------------------------------===//

static LogicalResult verifyStarts(Operation *op, ValueRange starts,
                                  RankedTensorType x) {
  if (static_cast<int64_t>(starts.size()) != x.getRank())
    return op->emitOpError("has ")
           << starts.size() << " starts for an operand of rank " << x.getRank();
  for (auto [d, start] : llvm::enumerate(starts))
    if (auto type = cast<RankedTensorType>(start.getType()); type.getRank())
      return op->emitOpError("start ")
             << d << " must be a scalar, not " << shapeString(type);
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  auto x = getX().getType(), out = getType();
  if (failed(verifyStarts(*this, getStarts(), x)) ||
      failed(verifySliceSizes(*this, x, getSliceSizes())) ||
      failed(verifyNamed(*this)) ||
      failed(verifySameDType(*this, "result", out, x)))
    return failure();
  if (out.getRank() != x.getRank())
    return emitOpError("result has rank ")
           << out.getRank() << ", the operand " << x.getRank();
  DimSpace space(getContext());
  SmallVector<AffineExpr> expected = space.dims(x), to = space.dims(out);
  for (auto [dim, size] : llvm::zip(expected, getSliceSizes()))
    if (size != -1)
      dim = space.constant(size);
  return verifyShape(*this, "result", space, to, expected);
}

LogicalResult DynamicUpdateSliceOp::verify() {
  auto x = getX().getType(), update = getUpdate().getType();
  if (failed(verifyStarts(*this, getStarts(), x)) ||
      failed(verifyNamed(*this)) ||
      failed(verifySameDType(*this, "update's", update, x)))
    return failure();
  if (getType() != x)
    return emitOpError("result has type ") << getType() << " but must be " << x;
  if (update.getRank() != x.getRank())
    return emitOpError("update has rank ")
           << update.getRank() << ", the operand " << x.getRank();
  for (int64_t d = 0; d < x.getRank(); ++d)
    if (!x.isDynamicDim(d) && !update.isDynamicDim(d) &&
        update.getDimSize(d) > x.getDimSize(d))
      return emitOpError("an update of ")
             << shapeString(update) << " does not fit into dimension " << d
             << " of " << shapeString(x);
  return success();
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

Attribute UpdateKindAttr::parse(AsmParser &parser, Type) {
  std::string word;
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeywordOrString(&word))
    return {};
  if (std::optional<UpdateKind> kind = symbolizeUpdateKind(word))
    return get(parser.getContext(), *kind);
  parser.emitError(place, "kind must be set, add, mul, min or max, not \"")
      << word << "\"";
  return {};
}

void UpdateKindAttr::print(AsmPrinter &printer) const {
  printer << '"' << stringifyUpdateKind(getValue()) << '"';
}

static LogicalResult verifyKind(ScatterOp op) {
  UpdateKind kind = op.getKind();
  Type element = op.getX().getType().getElementType();
  std::optional<DType> dtype = dtypeOf(element);
  if (kind != UpdateKind::Set && dtype && isStorage(*dtype))
    return op.emitOpError("cannot ")
           << stringifyUpdateKind(kind) << " " << element
           << ", which is storage: tx.convert first";
  if (element.isInteger(1) &&
      (kind == UpdateKind::Add || kind == UpdateKind::Mul))
    return op.emitOpError("cannot ") << stringifyUpdateKind(kind) << " i1";
  return success();
}

/// The attributes among each other; then getBatchDims and the like are safe.
static LogicalResult verifyNumbers(ScatterOp op) {
  int64_t rank = op.getX().getType().getRank();
  int64_t updateRank = op.getUpdates().getType().getRank();
  if (failed(verifyVectors(op, op.getIndices().getType(),
                           op.getIndexVectorDim(),
                           "scatter_dims_to_operand_dims",
                           op.getScatterDimsToOperandDims(), rank)))
    return failure();
  if (!areDims(op.getInsertedWindowDims(), rank, true))
    return op.emitOpError("inserted_window_dims must increase inside rank ")
           << rank;
  if (!areDims(op.getUpdateWindowDims(), updateRank, true))
    return op.emitOpError("update_window_dims must increase inside rank ")
           << updateRank;
  size_t window =
      op.getUpdateWindowDims().size() + op.getInsertedWindowDims().size();
  if (static_cast<int64_t>(window) != rank)
    return op.emitOpError("update_window_dims and inserted_window_dims are ")
           << window << " dimensions, x has " << rank;
  return success();
}

LogicalResult ScatterOp::verify() {
  auto x = getX().getType(), updates = getUpdates().getType();
  if (failed(verifyKind(*this)) || failed(verifyNumbers(*this)) ||
      failed(verifyNamed(*this)) ||
      failed(verifySameDType(*this, "updates'", updates, x)))
    return failure();
  if (getType() != x)
    return emitOpError("result has type ") << getType() << " but must be " << x;
  DimSpace space(getContext());
  SmallVector<AffineExpr> of = space.dims(updates);
  SmallVector<AffineExpr> batch =
      batchOf(space, getIndices().getType(), getIndexVectorDim());
  SmallVector<int64_t> batchDims = getBatchDims();
  if (batchDims.size() != batch.size())
    return emitOpError("updates have ")
           << batchDims.size()
           << " dimensions beside update_window_dims, the indices "
           << batch.size();
  SmallVector<AffineExpr> expected(of);
  for (auto [d, size] : llvm::zip(batchDims, batch))
    expected[d] = size;
  for (auto [d, at] : llvm::enumerate(getWindowDimOfX()))
    if (at >= 0 && !x.isDynamicDim(d) && !updates.isDynamicDim(at) &&
        updates.getDimSize(at) > x.getDimSize(d))
      return emitOpError("a window of ")
             << updates.getDimSize(at) << " does not fit into dimension " << d
             << " of " << shapeString(x);
  return verifyShape(*this, "updates", space, of, expected);
}

} // namespace tensorc::tx
