//===- TxSize.cpp - Sizes as values ---------------------------------------===//

#include "ir/tx/Size.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::tx {

void registerSizeOp(TxDialect &dialect) {
  RegisteredOperationName::insert<SizeOp>(dialect);
}

LogicalResult SizeOp::verify() {
  if (getType().getRank() != 0)
    return emitOpError("the result must be of rank 0");
  if (getSize().getDims().size() != 1 || getSize().getDims()[0].isNone())
    return emitOpError("needs one size");
  return success();
}

OpFoldResult SizeOp::fold(FoldAdaptor) {
  std::optional<int64_t> size = getSize().getDims()[0].number();
  if (!size)
    return {};
  Type element = getType().getElementType();
  if (auto format = dyn_cast<FloatType>(element)) {
    APFloat value(format.getFloatSemantics());
    value.convertFromAPInt(APInt(64, *size, /*isSigned=*/true), true,
                           APFloat::rmNearestTiesToEven);
    return DenseElementsAttr::get(getType(), value);
  }
  APInt value(64, *size, /*isSigned=*/true);
  return DenseElementsAttr::get(getType(),
                                value.trunc(element.getIntOrFloatBitWidth()));
}

} // namespace tensorc::tx

#define GET_OP_CLASSES
#include "ir/tx/TxSize.cpp.inc"
