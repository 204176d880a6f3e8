//===- TxReduction.cpp - Verifiers of reductions and contractions ---------===//

#include "ir/tx/Tx.h"
#include "ir/tx/ops/ShapeRules.h"

using namespace mlir;

namespace tensorc::tx {

LogicalResult verifyReduction(Operation *op, bool keepsDType) {
  if (failed(verifyShape(op)))
    return failure();
  Type in = getElementTypeOrSelf(op->getOperand(0).getType());
  Type out = getElementTypeOrSelf(op->getResult(0).getType());
  return !keepsDType || in == out ? success()
                                  : op->emitOpError("result dtype ")
                                        << out << " differs from the operand's "
                                        << in;
}

LogicalResult DotGeneralOp::verify() {
  Type x = getX().getType().getElementType();
  Type y = getY().getType().getElementType();
  Type result = getType().getElementType();
  auto isF8 = [](Type type) {
    return isa<Float8E4M3FNType, Float8E5M2Type>(type);
  };
  if (isF8(x) && isF8(y)) {
    if (!result.isF32())
      return emitOpError("a product of f8 is f32, not ") << result;
    return verifyShape(*this);
  }
  if (x != y)
    return emitOpError("dtypes differ: ") << x << " and " << y;
  // Sums of f16 and bf16 are computed in f32, and the result may have this
  // dtype.
  if (result != x && !(result.isF32() && (x.isF16() || x.isBF16())))
    return emitOpError("result dtype ")
           << result << " differs from the operands' " << x;
  return verifyShape(*this);
}

} // namespace tensorc::tx
