//===- TxElementwise.cpp - Verifiers and folders of element-wise ops ------===//

#include "ir/tx/Dims.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/CommonFolders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tensorc::tx {

LogicalResult verifyElementwise(Operation *op) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [i, operand] : llvm::enumerate(op->getOperandTypes()))
    if (!sameShape(operand, result))
      return op->emitOpError("operand ")
             << i << " has shape " << shapeString(operand)
             << " but the result has " << shapeString(result);
  if (!result.hasStaticShape() && !result.getEncoding())
    return op->emitOpError("dynamic dimensions must be named: write "
                           "tensor<?xf32, #tx.dims<[n]>>");
  return success();
}

//===----------------------------------------------------------------------===//
// Folders. They preserve every IEEE result: x + 0 is not x for x = -0, and x *
// 0 is not 0 for NaN.
//===----------------------------------------------------------------------===//

static bool isSplatInt(Attribute attr, int64_t value) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(attr);
  return splat && isa<IntegerType>(splat.getElementType()) &&
         splat.getSplatValue<APInt>().getSExtValue() == value;
}

static bool isSplatFloat(Attribute attr, double value) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(attr);
  return splat && isa<FloatType>(splat.getElementType()) &&
         splat.getSplatValue<APFloat>().isExactlyValue(value) &&
         splat.getSplatValue<APFloat>().isNegative() == std::signbit(value);
}

/// Maximum number of elements of constants that are folded. Folding larger
/// constants would only move work from run time to compile time.
static constexpr int64_t maxFoldedElements = 64;

template <typename FloatFn, typename IntFn>
static Attribute foldBinary(ArrayRef<Attribute> operands, Type type,
                            FloatFn floatFn, IntFn intFn) {
  auto tensor = cast<RankedTensorType>(type);
  if (!tensor.hasStaticShape())
    return {};
  auto x = dyn_cast_or_null<DenseElementsAttr>(operands[0]);
  auto y = dyn_cast_or_null<DenseElementsAttr>(operands[1]);
  bool splats = x && y && x.isSplat() && y.isSplat();
  if (!x || !y || (!splats && tensor.getNumElements() > maxFoldedElements))
    return {};
  if (isa<ComplexType>(tensor.getElementType()))
    return {};
  if (isa<FloatType>(tensor.getElementType()))
    return constFoldBinaryOp<FloatAttr, APFloat, void>(operands, type, floatFn);
  return constFoldBinaryOp<IntegerAttr, APInt, void>(operands, type, intFn);
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (isSplatInt(adaptor.getY(), 0) || isSplatFloat(adaptor.getY(), -0.0))
    return getX();
  if (isSplatInt(adaptor.getX(), 0) || isSplatFloat(adaptor.getX(), -0.0))
    return getY();
  return foldBinary(
      adaptor.getOperands(), getType(),
      [](const APFloat &a, const APFloat &b) { return a + b; },
      [](const APInt &a, const APInt &b) { return a + b; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isSplatInt(adaptor.getY(), 0) || isSplatFloat(adaptor.getY(), 0.0))
    return getX();
  return foldBinary(
      adaptor.getOperands(), getType(),
      [](const APFloat &a, const APFloat &b) { return a - b; },
      [](const APInt &a, const APInt &b) { return a - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isSplatInt(adaptor.getY(), 1) || isSplatFloat(adaptor.getY(), 1.0))
    return getX();
  if (isSplatInt(adaptor.getX(), 1) || isSplatFloat(adaptor.getX(), 1.0))
    return getY();
  if (isSplatInt(adaptor.getY(), 0))
    return adaptor.getY();
  if (isSplatInt(adaptor.getX(), 0))
    return adaptor.getX();
  return foldBinary(
      adaptor.getOperands(), getType(),
      [](const APFloat &a, const APFloat &b) { return a * b; },
      [](const APInt &a, const APInt &b) { return a * b; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isSplatInt(adaptor.getY(), 1) || isSplatFloat(adaptor.getY(), 1.0))
    return getX();
  return {};
}

OpFoldResult NegOp::fold(FoldAdaptor) {
  if (auto inner = getX().getDefiningOp<NegOp>())
    return inner.getX();
  return {};
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getX() == getY())
    return getX();
  if (auto pred = dyn_cast_or_null<SplatElementsAttr>(adaptor.getPred()))
    return pred.getSplatValue<bool>() ? getX() : getY();
  return {};
}

LogicalResult BitcastOp::verify() {
  Type from = getX().getType().getElementType();
  Type to = getType().getElementType();
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError("dtypes must have one width, not ")
           << from << " and " << to;
  return verifyElementwise(getOperation());
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto inner = getX().getDefiningOp<BitcastOp>()) {
    getXMutable().assign(inner.getX());
    return getResult();
  }
  return {};
}

static bool isComplex(Value x) {
  return isa<ComplexType>(getElementTypeOrSelf(x));
}

LogicalResult ConvertOp::verify() {
  if (isComplex(getX()) && !isComplex(getResult()) &&
      !getType().getElementType().isInteger(1))
    return emitOpError("from ")
           << getX().getType().getElementType() << " to "
           << getType().getElementType()
           << " would lose the imaginary part; take tx.real";
  return verifyElementwise(getOperation());
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  if (getX().getType() == getType())
    return getX();
  return {};
}

} // namespace tensorc::tx
