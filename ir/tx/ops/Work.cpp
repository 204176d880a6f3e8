//===- Work.cpp - The arithmetic of an op ---------------------------------===//

#include "ir/tx/ops/Work.h"

#include "ir/tx/Dims.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::tx {

static shape::Dim numElementsOf(Value v) {
  return shape::product(dimsOf(cast<RankedTensorType>(v.getType())));
}

shape::Dim flopsOf(Operation *op) {
  if (op->hasTrait<Elementwise>())
    return numElementsOf(op->getResult(0));
  if (op->hasTrait<Reduction>() || op->hasTrait<Scan>())
    return numElementsOf(op->getOperand(0));
  if (auto dot = dyn_cast<DotGeneralOp>(op)) {
    ArrayRef<shape::Dim> dims = dimsOf(dot.getX().getType());
    shape::Dim flops = numElementsOf(dot) * 2;
    for (int64_t k : dot.getXContracting())
      flops = flops * dims[k];
    return flops;
  }
  return 0;
}

} // namespace tensorc::tx
