//===- ContractionRule.cpp - A dot_general with prologue and epilogue -----===//

#include "compiler/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

/// Per dim of the value the group's dim that runs through it, if that is all
/// that the group reads of it.
static std::optional<SmallVector<unsigned>>
findOrder(const Group &group, Value value, RuleContext &context) {
  auto it = group.reads.find(value);
  if (it == group.reads.end() || it->second.size() != 1 ||
      it->second[0].size() != group.shape.size())
    return std::nullopt;
  SmallVector<AffineExpr> sizes =
      context.names.dims(cast<RankedTensorType>(value.getType()));
  SmallVector<unsigned> order;
  for (auto [e, size] : llvm::zip(it->second[0], sizes)) {
    auto dim = dyn_cast<AffineDimExpr>(e);
    if (!dim || llvm::is_contained(order, dim.getPosition()) ||
        group.shape[dim.getPosition()] != size)
      return std::nullopt;
    order.push_back(dim.getPosition());
  }
  return order;
}

/// Whether stores in this order are consecutive along rows or columns.
static Refusal checkOrder(const Group &group, tx::DotGeneralOp dot,
                          ArrayRef<unsigned> order, RuleContext &context) {
  AffineExpr one = context.names.constant(1);
  for (unsigned d = group.shape.size(); d-- > 0;) {
    if (group.shape[d] == one)
      continue;
    size_t i = llvm::find(order, d) - order.begin();
    return i < dot.getXBatch().size() ? "its batches are stored innermost" : "";
  }
  return {};
}

Refusal checkContraction(const Group &group, Operation *op,
                         RuleContext &context) {
  if (group.kind != FusionKind::Loop)
    return "this kernel has a reduction or contraction already";
  Value result = op->getResult(0);
  Refusal refusal = checkReadElementwise(group, result, context);
  if (refusal.empty() || !context.onGrid())
    return refusal;
  auto order = findOrder(group, result, context);
  return order ? checkOrder(group, cast<tx::DotGeneralOp>(op), *order, context)
               : refusal;
}

void reorder(Group &group, Value result, RuleContext &context) {
  std::optional<SmallVector<unsigned>> order =
      findOrder(group, result, context);
  if (!order)
    return;
  Index dims = group.space(context.names).identity(), moved(dims.size());
  for (auto [i, d] : llvm::enumerate(*order))
    moved[d] = dims[i];
  for (auto &[value, indices] : group.reads)
    for (Index &index : indices)
      for (AffineExpr &e : index)
        e = e.replaceDims(moved);
  group.shape = context.names.dims(cast<RankedTensorType>(result.getType()));
}

void joinContraction(Group &group, Operation *op, RuleContext &context) {
  auto dot = cast<tx::DotGeneralOp>(op);
  reorder(group, dot.getResult(), context);
  group.kind = FusionKind::Contraction;
  group.resultRank = group.shape.size();
  SmallVector<AffineExpr> x = context.names.dims(dot.getX().getType());
  for (int64_t d : dot.getXContracting())
    group.shape.push_back(x[d]);
  Index all = group.space(context.names).identity();
  unsigned batch = dot.getXBatch().size();
  unsigned nextFree = batch;
  auto read = [&](Value operand, ArrayRef<int64_t> batchDims,
                  ArrayRef<int64_t> sumDims) {
    Index index(cast<RankedTensorType>(operand.getType()).getRank());
    for (auto [i, d] : llvm::enumerate(batchDims))
      index[d] = all[i];
    for (auto [i, d] : llvm::enumerate(sumDims))
      index[d] = all[group.resultRank + i];
    for (AffineExpr &e : index)
      if (!e)
        e = all[nextFree++];
    group.addRead(operand, index);
  };
  read(dot.getX(), dot.getXBatch(), dot.getXContracting());
  read(dot.getY(), dot.getYBatch(), dot.getYContracting());
}

} // namespace tensorc::compiler
