//===- HostCopies.cpp - Ops for buffers that are kept on the host ---------===//
#include "ir/program/HostCopies.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tensorc::txp;

namespace tensorc::txp {
void registerHostCopyOps(TxpDialect &dialect) {
  RegisteredOperationName::insert<SpillOp>(dialect);
  RegisteredOperationName::insert<RestoreOp>(dialect);
}
} // namespace tensorc::txp

LogicalResult SpillOp::verify() {
  for (OpOperand &use : getHost().getUses()) {
    auto restore = dyn_cast<RestoreOp>(use.getOwner());
    if (!restore || use.get() == restore.getTarget())
      return emitOpError("is memory of the host, which ")
             << use.getOwner()->getName() << " cannot use";
  }
  return success();
}

LogicalResult RestoreOp::verify() {
  if (!isa_and_nonnull<SpillOp, ConstantBufferOp>(getHost().getDefiningOp()))
    return emitOpError("restores what is neither the result of a txp.spill nor "
                       "a constant");
  if (getTarget().getDefiningOp<ConstantBufferOp>())
    return emitOpError("restores into a constant");
  return success();
}

#define GET_OP_CLASSES
#include "ir/program/TxpHostCopies.cpp.inc"
