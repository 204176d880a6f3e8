//===- TxReduction.cpp - Verifiers of reductions and contractions ---------===//

#include "ir/tx/ops/ShapeRules.h"

using namespace mlir;

namespace tensorc::tx {

LogicalResult verifyReduction(Operation *op, ArrayRef<int64_t> dims) {
  auto in = cast<RankedTensorType>(op->getOperand(0).getType());
  auto out = cast<RankedTensorType>(op->getResult(0).getType());
  if (failed(verifyShape(op)))
    return failure();
  if (!isa<ArgmaxOp, ArgminOp>(op))
    return in.getElementType() == out.getElementType()
               ? success()
               : op->emitOpError("result dtype ")
                     << out.getElementType() << " differs from the operand's "
                     << in.getElementType();
  if (!out.getElementType().isSignlessInteger(32) &&
      !out.getElementType().isSignlessInteger(64))
    return op->emitOpError("result dtype must be i32 or i64, not ")
           << out.getElementType();
  return success();
}

LogicalResult DotGeneralOp::verify() {
  Type x = getX().getType().getElementType();
  Type y = getY().getType().getElementType();
  if (x != y)
    return emitOpError("dtypes differ: ") << x << " and " << y;
  if (getType().getElementType() != x)
    return emitOpError("result dtype ")
           << getType().getElementType() << " differs from the operands' " << x;
  return verifyShape(*this);
}

} // namespace tensorc::tx
