//===- Group.cpp - Sets of ops that will become one kernel ----------------===//

#include "compiler/transforms/fusion/Group.h"
#include "ir/tx/Size.h"

using namespace mlir;

namespace tensorc::compiler {

/// Cost of a function such as exp, which takes tens of instructions, or of a
/// reduction, which adds a loop. The unit is a cheap op.
static constexpr size_t workOfCostlyOp = 8;

size_t Group::work() const {
  return ops.size() + costlyOps * (workOfCostlyOp - 1);
}

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

bool dependsOn(const Index &index, unsigned dim) {
  return llvm::any_of(index,
                      [&](AffineExpr e) { return e.isFunctionOfDim(dim); });
}

bool Group::usesDims(const Index &index, unsigned begin, unsigned end) const {
  auto isOne = [&](unsigned d) {
    auto c = dyn_cast<AffineConstantExpr>(shape[d]);
    return c && c.getValue() == 1;
  };
  return llvm::all_of(llvm::seq(begin, end), [&](unsigned d) {
    return isOne(d) || dependsOn(index, d);
  });
}

bool Group::usesPairs(const Index &index) const {
  unsigned rank = shape.size();
  auto last = rank > 0 ? dyn_cast<AffineConstantExpr>(shape.back())
                       : AffineConstantExpr();
  bool arePairs = last && last.getValue() == 2;
  return usesDims(index, 0, arePairs ? rank - 1 : rank);
}

bool isLate(Operation *op) { return op->hasAttr(lateAttr); }

bool isLate(const Group &group) { return isLate(group.ops.front()); }

bool isExpensive(Operation *op) {
  return op->hasTrait<tx::Costly>() || &kindFor(op) != &loopKind();
}

bool isFree(Operation *op) {
  return isa<tx::ConstantOp, tx::IotaOp, tx::SizeOp, tx::BroadcastOp,
             tx::ReshapeOp, tx::TransposeOp, tx::SliceOp, tx::DynamicSliceOp,
             tx::WindowsOp, tx::ConvertOp, tx::BitcastOp>(op);
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
  const FusionKind &kind = kindFor(op);
  if (&kind != &loopKind())
    if (Refusal refusal = group.kind->checkRoom(group, op); !refusal.empty())
      return refusal;
  return kind.check(group, op, context);
}

void join(Group &group, Operation *op, RuleContext &context) {
  auto takes = [&](const FusionKind *kind) {
    return kind->isAbout(op) && kind->join(group, op, context);
  };
  if (llvm::none_of(allKinds(), takes))
    loopKind().join(group, op, context);
  group.ops.insert(op);
  group.costlyOps += isExpensive(op);
}

void start(Group &group, Operation *op, RuleContext &context) {
  Value result = op->getResult(0);
  group.roots.insert(result);
  group.shape = context.names.dims(cast<RankedTensorType>(result.getType()));
  group.addRead(result, group.space(context.names).identity());
  join(group, op, context);
}

} // namespace tensorc::compiler
