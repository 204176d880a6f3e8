//===- TxRandom.cpp - Verifier of random ops ------------------------------===//

#include "ir/tx/Dims.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::tx {

LogicalResult RandomBitsOp::verify() {
  if (getKey().getType().getShape() != ArrayRef<int64_t>(2))
    return emitOpError("a key is of shape [2], not ")
           << shapeString(getKey().getType());
  if (Value counter = getCounter()) {
    auto type = cast<RankedTensorType>(counter.getType());
    if (type.getShape() != ArrayRef<int64_t>(getBlockSize()))
      return emitOpError("the counter of ")
             << stringifyRandomAlgorithm(getAlgorithm()) << " is of shape ["
             << getBlockSize() << "], not " << shapeString(type);
  }
  RankedTensorType result = getType();
  if (!result.hasStaticShape() && !result.getEncoding())
    return emitOpError("dynamic dimensions must be named: write "
                       "tensor<?xui32, #tx.dims<[n]>>");
  return success();
}

} // namespace tensorc::tx
