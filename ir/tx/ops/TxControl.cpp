//===- TxControl.cpp - Ops that choose what is computed -------------------===//

#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"
#include "ir/tx/IsolatedBody.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tensorc::tx {

void registerControlOps(TxDialect &dialect) {
  RegisteredOperationName::insert<IfOp>(dialect);
  RegisteredOperationName::insert<ReturnOp>(dialect);
}

bool isByValue(Value v) {
  auto argument = dyn_cast<BlockArgument>(v);
  if (!argument)
    return false;
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned i = argument.getArgNumber();
  if (auto branch = dyn_cast<IfOp>(parent))
    return isByValue(branch.getInputs()[i]);
  auto function = dyn_cast<FunctionOpInterface>(parent);
  return function &&
         (v.getType().isIndex() || function.getArgAttr(i, scalarAttr));
}

LogicalResult IfOp::verify() {
  RankedTensorType type = getPredicate().getType();
  if (!type.hasStaticShape() || type.getNumElements() != 1)
    return emitOpError("the predicate has shape ")
           << shapeString(type) << ", not one element";
  for (Region *body : {&getThenBody(), &getElseBody()}) {
    Block &block = body->front();
    if (TypeRange(block.getArgumentTypes()) != getInputs().getTypes())
      return emitOpError("a block's arguments differ from the inputs");
    auto results = dyn_cast<ReturnOp>(block.getTerminator());
    if (!results || results.getOperandTypes() != getResultTypes())
      return emitOpError("both blocks must return the results' types");
  }
  return success();
}

} // namespace tensorc::tx

using namespace tensorc::tx;
#define GET_OP_CLASSES
#include "ir/tx/TxControl.cpp.inc"
