//===- ReductionRule.cpp - Reductions, and ops around them in one pass ----===//

#include "compiler/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
struct Shape {
  SmallVector<AffineExpr> whole, kept;
  SmallVector<bool> reduced;
};
} // namespace

static Shape shapeOf(Operation *op, RuleContext &context) {
  Shape shape;
  shape.whole =
      context.names.dims(cast<RankedTensorType>(op->getOperand(0).getType()));
  shape.reduced.assign(shape.whole.size(), false);
  for (int64_t d : cast<DenseI64ArrayAttr>(op->getAttr("dims")).asArrayRef())
    shape.reduced[d] = true;
  for (auto [size, reduced] : llvm::zip(shape.whole, shape.reduced))
    if (!reduced)
      shape.kept.push_back(size);
  return shape;
}

static bool readOnlyAt(const Group &group, Value v, const Index &index) {
  auto it = group.reads.find(v);
  return it != group.reads.end() && llvm::all_equal(it->second) &&
         it->second[0] == index;
}

/// The kept index if `group` iterated over the whole shape.
static Index keptIndex(const Shape &shape, RuleContext &context) {
  Group probe;
  probe.shape = shape.whole;
  probe.reduced = shape.reduced;
  return probe.keptIndex(context.names);
}

Refusal checkReduction(const Group &group, Operation *op,
                       RuleContext &context) {
  Shape shape = shapeOf(op, context);
  Value result = op->getResult(0);
  if (group.kind == FusionKind::Contraction)
    return "a contraction's kernel holds no reductions";
  if (group.kind == FusionKind::Attention)
    return "an attention's kernel holds no reductions but its own";
  if (group.kind == FusionKind::Scan || group.kind == FusionKind::Sort)
    return "a kernel that walks along a dim holds no reductions";
  if (group.kind == FusionKind::Scatter)
    return "a scatter's kernel holds no reductions";
  if (!group.reduced.empty()) {
    if (group.shape != shape.whole || group.reduced != shape.reduced)
      return "this kernel reduces other dims";
    return readOnlyAt(group, result, keptIndex(shape, context))
               ? Refusal()
               : "it is not read along the reduced dims";
  }
  // Elements of the whole shape that need their row's result, ...
  if (group.shape == shape.whole && !group.shape.empty())
    return readOnlyAt(group, result, keptIndex(shape, context))
               ? Refusal()
               : "it is not read along the reduced dims";
  // ... or only ops on the results.
  if (group.shape == shape.kept)
    return readOnlyAt(group, result, group.space(context.names).identity())
               ? Refusal()
               : "it is not read element by element";
  return "this kernel has another shape";
}

/// Reads over the kept dims become reads over the whole shape's.
static void widenSpace(Group &group, const Shape &shape, RuleContext &context) {
  group.shape = shape.whole;
  group.reduced = shape.reduced;
  Index kept = group.keptIndex(context.names);
  for (auto &[value, indices] : group.reads)
    for (Index &index : indices)
      for (AffineExpr &e : index)
        e = e.replaceDims(kept);
}

void joinReduction(Group &group, Operation *op, RuleContext &context) {
  Shape shape = shapeOf(op, context);
  if (group.reduced.empty()) {
    if (group.shape == shape.whole &&
        readOnlyAt(group, op->getResult(0), keptIndex(shape, context)))
      group.reduced = shape.reduced;
    else
      widenSpace(group, shape, context);
    // Lanes run along the last dim, whichever it is.
    group.kind = group.reduced.back() ? FusionKind::Row : FusionKind::Column;
    if (llvm::all_of(group.reduced, [](bool r) { return r; }))
      group.kind = FusionKind::Row;
  }
  group.addRead(op->getOperand(0), group.space(context.names).identity());
}

} // namespace tensorc::compiler
