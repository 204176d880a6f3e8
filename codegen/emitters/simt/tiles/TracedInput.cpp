//===- TracedInput.cpp - The input that an operand moves ------------------===//

#include "codegen/emitters/simt/tiles/TracedInput.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;

static bool isZeroConstant(Value value) {
  auto constant = value.getDefiningOp<tx::ConstantOp>();
  auto elements =
      constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
  if (!elements)
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().isPosZero();
  return isa<IntegerType>(elements.getElementType()) &&
         elements.getSplatValue<APInt>().isZero();
}

/// True if the op widens the elements of a tile. Tiles hold the narrow ones.
static bool widensTileElement(Operation *op, Type element) {
  auto convert = dyn_cast<tx::ConvertOp>(op);
  return convert && convert.getX().getType().getElementType() == element;
}

TracedInput traceInput(KernelBuilder &kernel, Value operand, const Index &index,
                       Type element, const analysis::IterationSpace &space) {
  TracedInput traced{{}, index, {}};
  Value value = operand;
  while (Operation *op = value.getDefiningOp()) {
    auto pad = dyn_cast<tx::PadOp>(op);
    if (!isa<tx::WindowsOp, tx::SliceOp, tx::ReshapeOp, tx::TransposeOp,
             tx::BroadcastOp>(op) &&
        !(pad && isZeroConstant(pad.getValue())) &&
        !widensTileElement(op, element))
      return traced;
    auto operands = analysis::operandIndexing(
        op, traced.from, space, [&](Value s) { return kernel.symbolOf(s); });
    traced.from = operands.front().index;
    llvm::append_range(traced.guards, operands.front().guards);
    value = op->getOperand(0);
  }
  auto input = cast<BlockArgument>(value);
  Type inMemory = getElementTypeOrSelf(input.getType());
  bool isTileElement =
      inMemory == element || (inMemory.isF32() && element.isTF32());
  if (!kernel.isScalar(input) && isTileElement)
    traced.input = input;
  return traced;
}

} // namespace tensorc::codegen::simt
