//===- ShapeRules.cpp - The shape rules of tx ops -------------------------===//

#include "ir/tx/ops/ShapeRules.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::tx {

using shape::InferredShape;

std::optional<InferredShape> inferShape(Operation *op,
                                        ArrayRef<shape::Dims> operands) {
  using Rule = std::optional<InferredShape>;
  auto x = [&] { return operands[0]; };
  return llvm::TypeSwitch<Operation *, Rule>(op)
      .Case([&](TransposeOp op) {
        return shape::inferTranspose(x(), op.getPermutation());
      })
      .Case([&](PadOp op) {
        return shape::inferPad(x(),
                               {op.getLow(), op.getHigh(), op.getInterior()});
      })
      .Case([&](ConcatenateOp op) {
        return shape::inferConcatenate(operands, op.getDim());
      })
      .Case([&](WindowsOp op) {
        return shape::inferWindows(x(), {op.getDims(), op.getSizes(),
                                         op.getStrides(), op.getDilations()});
      })
      .Case([&](DotGeneralOp op) {
        return shape::inferDot(x(), operands[1],
                               {op.getXBatch(), op.getYBatch(),
                                op.getXContracting(), op.getYContracting()});
      })
      .Case([&](GatherOp op) {
        return shape::inferGather(
            x(), operands[1],
            {op.getOffsetDims(), op.getCollapsedSliceDims(),
             op.getStartIndexMap(),
             static_cast<int64_t>(op.getIndexVectorDim())},
            op.getSliceSizes());
      })
      .Case([&](ScatterOp op) {
        return shape::inferScatter(
            x(), operands[1], operands[2],
            {op.getUpdateWindowDims(), op.getInsertedWindowDims(),
             op.getScatterDimsToOperandDims(),
             static_cast<int64_t>(op.getIndexVectorDim())});
      })
      .Case([&](DynamicSliceOp op) {
        return shape::inferDynamicSlice(x(), op.getSliceSizes());
      })
      .Case([&](DynamicUpdateSliceOp) {
        return shape::inferDynamicUpdateSlice(x(), operands[1]);
      })
      .Default([&](Operation *op) -> Rule {
        if (!op->hasTrait<Reduction>())
          return std::nullopt;
        auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
        return shape::inferReduction(x(), dims, isa<ArgmaxOp, ArgminOp>(op));
      });
}

std::optional<InferredShape> inferShape(Operation *op) {
  SmallVector<shape::Dims> operands;
  for (Type type : op->getOperandTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    operands.push_back(tensor ? dimsOf(tensor) : shape::Dims());
  }
  return inferShape(op, operands);
}

LogicalResult verifyShape(Operation *op) {
  return verifyInferred(op, *inferShape(op));
}

LogicalResult verifyInferred(Operation *op, const InferredShape &rule) {
  if (rule.isRefused())
    return op->emitOpError(rule.refusal);
  for (const shape::Condition &condition : rule.conditions)
    if (condition.relation == shape::Condition::Equal)
      return op->emitOpError(condition.text);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (type.getRank() != static_cast<int64_t>(rule.dims.size()))
    return op->emitOpError("result has rank ")
           << type.getRank() << ", not " << rule.dims.size();
  for (auto [i, is, dim] : llvm::enumerate(dimsOf(type), rule.dims))
    if (is != dim)
      return op->emitOpError("dimension ")
             << i << " of the result is " << toString(is) << " but must be "
             << toString(dim);
  if (!type.hasStaticShape() && !type.getEncoding())
    return op->emitOpError("dynamic dimensions must be named: write "
                           "tensor<?xf32, #tx.dims<[n]>>");
  return success();
}

} // namespace tensorc::tx
