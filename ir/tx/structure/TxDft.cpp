//===- TxDft.cpp - Fourier transforms that become kernels -----------------===//

#include "ir/fourier/Plan.h"
#include "ir/tx/Dft.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::tx {

void registerDftOp(TxDialect &dialect) {
  RegisteredOperationName::insert<DftOp>(dialect);
}

/// Checks everything that the kernel of the op relies on.
LogicalResult DftOp::verify() {
  auto x = cast<RankedTensorType>(getX().getType());
  auto table = cast<RankedTensorType>(getTable().getType());
  int64_t last = x.getRank() - 1;
  if (last < 1 || x.getDimSize(0) != 2 || x.isDynamicDim(last))
    return emitOpError("needs two parts of rows of a known length");
  int64_t length = x.getDimSize(last);
  if (length < 2 || !fourier::isSmooth(length))
    return emitOpError("has no kernel for rows of ") << length;
  int64_t size = fourier::Plan(length).tableSize();
  if (table.getShape() != ArrayRef(size) ||
      table.getElementType() != x.getElementType())
    return emitOpError("needs a table of ")
           << size << " " << x.getElementType();
  return success();
}

} // namespace tensorc::tx

#define GET_OP_CLASSES
#include "ir/tx/TxDft.cpp.inc"
