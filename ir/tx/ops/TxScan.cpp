//===- TxScan.cpp - Verifiers of scans and sorting ------------------------===//

#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::tx {

LogicalResult verifyAlongDim(Operation *op, int64_t dim) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  if (dim < 0 || dim >= type.getRank())
    return op->emitOpError("dim ")
           << dim << " is outside rank " << type.getRank();
  if (!type.hasStaticShape() && !type.getEncoding())
    return op->emitOpError("dynamic dimensions must be named: write "
                           "tensor<?xf32, #tx.dims<[n]>>");
  return success();
}

} // namespace tensorc::tx
