//===- TxComplex.cpp - Complex numbers and their parts --------------------===//

#include "ir/tx/Complex.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::tx {

void registerComplexOps(TxDialect &dialect) {
  RegisteredOperationName::insert<ComplexOp>(dialect);
  RegisteredOperationName::insert<RealOp>(dialect);
  RegisteredOperationName::insert<ImagOp>(dialect);
}

/// Checks that the dtype of the parts is that of the complex number's parts.
static LogicalResult verifyParts(Operation *op, Value complex, Value part) {
  auto dtype = cast<ComplexType>(getElementTypeOrSelf(complex));
  if (dtype.getElementType() != getElementTypeOrSelf(part))
    return op->emitOpError("the parts of ")
           << dtype << " are " << dtype.getElementType() << ", not "
           << getElementTypeOrSelf(part);
  return verifyElementwise(op);
}

LogicalResult ComplexOp::verify() {
  return verifyParts(*this, getResult(), getRe());
}
LogicalResult RealOp::verify() {
  return verifyParts(*this, getX(), getResult());
}
LogicalResult ImagOp::verify() {
  return verifyParts(*this, getX(), getResult());
}

} // namespace tensorc::tx

#define GET_OP_CLASSES
#include "ir/tx/TxComplex.cpp.inc"
