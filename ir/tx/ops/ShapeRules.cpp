//===- ShapeRules.cpp - Shape rules of tx ops -----------------------------===//

#include "ir/tx/ops/ShapeRules.h"
#include "ir/tx/Combining.h"
#include "ir/tx/OpShapes.h"
#include "ir/tx/Tx.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::tx {

using shape::InferredShape;

std::optional<InferredShape>
inferShape(Operation *op, ArrayRef<shape::Dims> operands, shape::Dims result) {
  using Rule = std::optional<InferredShape>;
  return llvm::TypeSwitch<Operation *, Rule>(op)
#define CASE(Name, Attributes)                                                 \
  .Case([&](Name##Op op) {                                                     \
    return infer##Name(operands, attributesOf<Attributes>(op), result);        \
  })
      TENSORC_SHAPED_OPS(CASE)
#undef CASE
          .Default([](Operation *) -> Rule { return std::nullopt; });
}

std::optional<Combining> combiningOf(Operation *op) {
#include "ir/tx/Combining.inc"
}

static shape::Dims dimsOfType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dimsOf(tensor) : shape::Dims();
}

std::optional<InferredShape> inferShape(Operation *op) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  SmallVector<shape::Dims> operands;
  for (Type type : op->getOperandTypes())
    operands.push_back(dimsOfType(type));
  return inferShape(op, operands, dimsOfType(op->getResultTypes()[0]));
}

LogicalResult verifyShape(Operation *op) {
  for (Type type : op->getResultTypes())
    if (llvm::any_of(dimsOfType(type), [](Dim dim) { return dim.isNone(); }))
      return op->emitOpError("dynamic dimensions must be named: write "
                             "tensor<?xf32, #tx.dims<[n]>>");
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
  return success();
}

} // namespace tensorc::tx
