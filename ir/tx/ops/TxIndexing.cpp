//===- TxIndexing.cpp - Gathers and scatters ------------------------------===//

#include "ir/tx/DType.h"
#include "ir/tx/Tx.h"
#include "ir/tx/ops/ShapeRules.h"

using namespace mlir;

namespace tensorc::tx {

static SmallVector<int64_t> dimsWithout(ArrayRef<int64_t> some, int64_t rank) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(some, d))
      dims.push_back(d);
  return dims;
}

/// Assigns the elements of `dims`, in order, to the dims in [0, rank) that are
/// not in `left`. Assigns -1 to the dims in `left`.
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

/// Dynamic dims must have names, which identify equal sizes.
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

LogicalResult GatherOp::verify() {
  if (failed(verifyNamed(*this)) || failed(verifyShape(*this)))
    return failure();
  return verifySameDType(*this, "result", getType(), getX().getType());
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
  auto x = getX().getType();
  if (failed(verifyStarts(*this, getStarts(), x)) ||
      failed(verifyNamed(*this)) || failed(verifyShape(*this)))
    return failure();
  return verifySameDType(*this, "result", getType(), x);
}

LogicalResult DynamicUpdateSliceOp::verify() {
  auto x = getX().getType();
  if (failed(verifyStarts(*this, getStarts(), x)) ||
      failed(verifyNamed(*this)) ||
      failed(verifySameDType(*this, "update's", getUpdate().getType(), x)))
    return failure();
  if (getType() != x)
    return emitOpError("result has type ") << getType() << " but must be " << x;
  return verifyShape(*this);
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
  if (isa<ComplexType>(element) &&
      (kind == UpdateKind::Min || kind == UpdateKind::Max))
    return op.emitOpError("cannot ") << stringifyUpdateKind(kind) << " "
                                     << element << ", which has no order";
  return success();
}

LogicalResult ScatterOp::verify() {
  auto x = getX().getType();
  if (failed(verifyKind(*this)) || failed(verifyNamed(*this)) ||
      failed(verifySameDType(*this, "updates'", getUpdates().getType(), x)))
    return failure();
  if (getType() != x)
    return emitOpError("result has type ") << getType() << " but must be " << x;
  return verifyShape(*this);
}

} // namespace tensorc::tx
