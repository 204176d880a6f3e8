//===- Group.cpp - Ops that are going to be one kernel --------------------===//

#include "compiler/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

void Group::addRead(Value v, const Index &index) {
  auto &indices = reads[v];
  if (!llvm::is_contained(indices, index))
    indices.push_back(index);
}

Index Group::keptIndex(tx::DimSpace &names) const {
  Index index;
  for (auto [d, expr] : llvm::enumerate(space(names).identity()))
    if (reduced.empty() || !reduced[d])
      index.push_back(expr);
  return index;
}

SmallVector<AffineExpr> Group::keptShape() const {
  SmallVector<AffineExpr> kept;
  for (auto [d, size] : llvm::enumerate(shape))
    if (reduced.empty() || !reduced[d])
      kept.push_back(size);
  return kept;
}

static bool walks(Operation *op) {
  return op->hasTrait<tx::Scan>() || op->hasTrait<tx::Sort>();
}

bool isExpensive(Operation *op) {
  return op->hasTrait<tx::Costly>() || op->hasTrait<tx::Reduction>() ||
         isa<tx::DotGeneralOp, tx::ScatterOp>(op) || walks(op);
}

bool isFree(Operation *op) {
  return isa<tx::ConstantOp, tx::IotaOp, tx::BroadcastOp, tx::ReshapeOp,
             tx::TransposeOp, tx::SliceOp, tx::DynamicSliceOp, tx::WindowsOp,
             tx::ConvertOp, tx::BitcastOp>(op);
}

Refusal checkReadElementwise(const Group &group, Value value,
                             RuleContext &context) {
  if (group.shape !=
      context.names.dims(cast<RankedTensorType>(value.getType())))
    return "this kernel has another shape";
  auto it = group.reads.find(value);
  if (it == group.reads.end() || it->second.size() != 1 ||
      it->second[0] != group.space(context.names).identity())
    return "it is not read element by element";
  return {};
}

Refusal checkJoin(const Group &group, Operation *op, RuleContext &context) {
  if (group.readAnywhere.contains(op->getResult(0)))
    return "it is read at indices that are known when it runs";
  if (op->hasTrait<tx::Reduction>())
    return checkReduction(group, op, context);
  if (isa<tx::DotGeneralOp>(op))
    return checkContraction(group, op, context);
  if (walks(op))
    return checkWalk(group, op, context);
  if (isa<tx::ScatterOp>(op))
    return checkScatter(group, op, context);
  return checkLoop(group, op, context);
}

void join(Group &group, Operation *op, RuleContext &context) {
  if (op->hasTrait<tx::Reduction>())
    joinReduction(group, op, context);
  else if (isa<tx::DotGeneralOp>(op)) {
    if (!joinAttention(group, op, context))
      joinContraction(group, op, context);
  } else if (walks(op))
    joinWalk(group, op, context);
  else if (isa<tx::ScatterOp>(op))
    joinScatter(group, op, context);
  else
    joinLoop(group, op, context);
  group.ops.insert(op);
}

void start(Group &group, Operation *op, RuleContext &context) {
  Value result = op->getResult(0);
  group.roots.insert(result);
  group.shape = context.names.dims(cast<RankedTensorType>(result.getType()));
  group.addRead(result, group.space(context.names).identity());
  join(group, op, context);
}

} // namespace tensorc::compiler
