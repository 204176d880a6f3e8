//===- TxStructure.cpp - Verifiers of fusions and calls -------------------===//

#include "ir/tx/DType.h"
#include "ir/tx/Dims.h"
#include "ir/tx/IsolatedBody.h"
#include "ir/tx/structure/TxFusion.h"

using namespace mlir;

namespace tensorc::tx {

void registerStructureOps(TxDialect &dialect) {
  RegisteredOperationName::insert<CustomCallOp>(dialect);
  RegisteredOperationName::insert<FusionOp>(dialect);
  RegisteredOperationName::insert<ReinterpretOp>(dialect);
  RegisteredOperationName::insert<YieldOp>(dialect);
}

static LogicalResult verifyBody(Operation *op, Block &body) {
  if (body.getArgumentTypes() != op->getOperandTypes())
    return op->emitOpError("body arguments differ from the operands");
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getOperandTypes() != op->getResultTypes())
    return op->emitOpError("body must yield the results' types");
  return success();
}

LogicalResult FusionOp::verify() {
  if (failed(verifyBody(*this, getBody().front())))
    return failure();
  return verifyFusionOutputs(*this);
}

/// Checks that both types have the same number of bytes in memory, if both are
/// static.
LogicalResult ReinterpretOp::verify() {
  for (Type type : {getX().getType(), getType()})
    if (auto t = cast<RankedTensorType>(type);
        !t.hasStaticShape() && !t.getEncoding())
      return emitOpError("dynamic dimensions must be named: write "
                         "tensor<?xi8, #tx.dims<[n]>>");
  auto from = staticBytes(getX().getType()), to = staticBytes(getType());
  if (!from || !to || *from == *to)
    return success();
  return emitOpError("operand has ") << *from << " bytes, the result " << *to;
}

LogicalResult CustomCallOp::verify() {
  if (getName().empty())
    return emitOpError("has no name");
  if (getOutputs().empty())
    return emitOpError("has no output");
  return success();
}

} // namespace tensorc::tx

using namespace tensorc::tx;
#define GET_OP_CLASSES
#include "ir/tx/TxStructure.cpp.inc"
