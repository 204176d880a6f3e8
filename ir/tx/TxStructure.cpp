//===- TxStructure.cpp - Verifiers of composites and fusions --------------===//

#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::tx {

static LogicalResult verifyBody(Operation *op, Block &body) {
  if (body.getArgumentTypes() != op->getOperandTypes())
    return op->emitOpError("body arguments differ from the operands");
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getOperandTypes() != op->getResultTypes())
    return op->emitOpError("body must yield the results' types");
  return success();
}

LogicalResult CompositeOp::verify() {
  return verifyBody(*this, getBody().front());
}

LogicalResult FusionOp::verify() {
  return verifyBody(*this, getBody().front());
}

LogicalResult CustomCallOp::verify() {
  if (getName().empty())
    return emitOpError("has no name");
  if (getOutputs().empty())
    return emitOpError("has no output");
  return success();
}

} // namespace tensorc::tx
