//===- Kernels.cpp - Ops for kernels written by the user ------------------===//
#include "ir/program/Kernels.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tensorc::txp;

namespace tensorc::txp {
void registerKernelOps(TxpDialect &dialect) {
  RegisteredOperationName::insert<KernelSourceOp>(dialect);
  RegisteredOperationName::insert<ImageOp>(dialect);
  RegisteredOperationName::insert<LaunchGridOp>(dialect);
}
} // namespace tensorc::txp

LogicalResult LaunchGridOp::verify() {
  size_t dims = getGrid().size();
  if (dims < 1 || dims > 3 || getBlock().empty() || getBlock().size() > 3)
    return emitOpError("has a grid or a block of no dims, or of more than 3");
  for (int32_t size : getBlock())
    if (size < 1 || size > 1024)
      return emitOpError() << "has a block with a dim of " << size;
  return success();
}

LogicalResult LaunchGridOp::verifySymbolUses(SymbolTableCollection &tables) {
  Operation *kernel = tables.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (!isa_and_nonnull<KernelSourceOp, ImageOp>(kernel))
    return emitOpError() << "launches " << getKernelAttr()
                         << ", which is not a txp.kernel_source or txp.image";
  return success();
}

#define GET_OP_CLASSES
#include "ir/program/TxpKernels.cpp.inc"
