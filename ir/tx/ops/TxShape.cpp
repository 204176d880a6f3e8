//===- TxShape.cpp - Verifiers and folders of shape ops -------------------===//

#include "ir/tx/DType.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Tx.h"
#include "ir/tx/ops/ShapeRules.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace tensorc::tx {

static LogicalResult verifyNamed(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto t = dyn_cast<RankedTensorType>(type);
    if (t && !t.hasStaticShape() && !t.getEncoding())
      return op->emitOpError("dynamic dimensions must be named: write "
                             "tensor<?xf32, #tx.dims<[n]>>");
  }
  return success();
}

static LogicalResult verifySameElement(Operation *op, Value x, Value result) {
  if (getElementTypeOrSelf(x) == getElementTypeOrSelf(result))
    return verifyNamed(op);
  return op->emitOpError("result dtype ")
         << getElementTypeOrSelf(result) << " differs from the operand's "
         << getElementTypeOrSelf(x);
}

LogicalResult ConstantOp::verify() {
  if (isa<DenseElementsAttr>(getValue()))
    return success();
  auto resource = dyn_cast<DenseResourceElementsAttr>(getValue());
  if (!resource)
    return emitOpError("value must be dense or dense_resource");
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return emitOpError("resource '")
           << resource.getRawHandle().getKey() << "' has no data";
  int64_t given = blob->getData().size();
  auto bytes = staticBytes(getType());
  if (!bytes)
    return emitOpError("has more bytes than memory");
  if (given != *bytes)
    return emitOpError("resource '")
           << resource.getRawHandle().getKey() << "' has " << given
           << " bytes, not " << *bytes;
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult IotaOp::verify() {
  int64_t rank = getType().getRank(), dim = getDim();
  if (dim < 0 || dim >= rank)
    return emitOpError("dim ") << dim << " is outside rank " << rank;
  return verifyNamed(*this);
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  if (failed(verifyShape(*this)))
    return failure();
  return verifySameElement(*this, getX(), getResult());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX());
  if (splat && getType().hasStaticShape())
    return splat.resizeSplat(getType());
  return {};
}

//===----------------------------------------------------------------------===//
// reshape, transpose
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  if (failed(verifyShape(*this)))
    return failure();
  return verifySameElement(*this, getX(), getResult());
}

/// True if the numbers of elements are known to be equal, so that they need not
/// be compared at run time.
static bool keepsCount(ReshapeOp op) {
  return shape::product(dimsOf(op.getX().getType())) ==
         shape::product(dimsOf(op.getType()));
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  // Keeps two reshapes, [a, b] to [c, b] to [c, d], if each must check a named
  // size at run time.
  if (auto inner = getX().getDefiningOp<ReshapeOp>();
      inner && (keepsCount(inner) || keepsCount(*this))) {
    getXMutable().assign(inner.getX());
    return getResult();
  }
  if (auto value = dyn_cast_or_null<DenseElementsAttr>(adaptor.getX()))
    if (getType().hasStaticShape())
      return value.reshape(getType());
  return {};
}

LogicalResult TransposeOp::verify() {
  if (failed(verifyShape(*this)))
    return failure();
  return verifySameElement(*this, getX(), getResult());
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool identity =
      llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getType().getRank()));
  if (identity)
    return getX();
  if (auto inner = getX().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> composed;
    for (int64_t p : getPermutation())
      composed.push_back(inner.getPermutation()[p]);
    setPermutation(composed);
    getXMutable().assign(inner.getX());
    return getResult();
  }
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX());
  if (splat && getType().hasStaticShape())
    return splat.resizeSplat(getType());
  return {};
}

//===----------------------------------------------------------------------===//
// slice, pad, concatenate
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  size_t dynamic = llvm::count(getStaticOffsets(), ShapedType::kDynamic);
  if (dynamic != getOffsets().size())
    return emitOpError("has ") << getOffsets().size() << " offset values for "
                               << dynamic << " dynamic offsets";
  if (failed(verifyShape(*this)))
    return failure();
  return verifySameElement(*this, getX(), getResult());
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  bool whole =
      getX().getType() == getType() &&
      llvm::all_of(getStaticOffsets(), [](int64_t o) { return o == 0; }) &&
      llvm::all_of(getStrides(), [](int64_t s) { return s == 1; });
  if (whole)
    return getX();
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX());
  if (splat && getType().hasStaticShape())
    return splat.resizeSplat(getType());
  return {};
}

//===----------------------------------------------------------------------===//
// windows
//===----------------------------------------------------------------------===//

LogicalResult WindowsOp::verify() {
  if (failed(verifyShape(*this)))
    return failure();
  return verifySameElement(*this, getX(), getResult());
}

LogicalResult PadOp::verify() {
  Type element = getX().getType().getElementType();
  if (getValue().getType().getRank() != 0 ||
      getValue().getType().getElementType() != element)
    return emitOpError("padding value must be of rank 0 and dtype ") << element;
  if (failed(verifyShape(*this)))
    return failure();
  return verifySameElement(*this, getX(), getResult());
}

LogicalResult ConcatenateOp::verify() {
  if (failed(verifyShape(*this)))
    return failure();
  for (Value input : getInputs())
    if (failed(verifySameElement(*this, input, getResult())))
      return failure();
  return success();
}

OpFoldResult ConcatenateOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1)
    return getInputs()[0];
  return {};
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

static ParseResult parsePadValueType(OpAsmParser &, Type x, Type &value) {
  value = RankedTensorType::get({}, getElementTypeOrSelf(x));
  return success();
}

static void printPadValueType(OpAsmPrinter &, Operation *, Type, Type) {}

} // namespace tensorc::tx

using namespace tensorc::tx;
#define GET_OP_CLASSES
#include "ir/tx/TxOps.cpp.inc"
