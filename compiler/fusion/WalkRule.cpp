//===- WalkRule.cpp - One scan, or a sort and an argsort of one tensor ----===//

#include "compiler/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

/// The order that sorts one tensor serves another op.
static bool sortAlike(Operation *a, Operation *b) {
  return a->hasTrait<tx::Sort>() && b->hasTrait<tx::Sort>() &&
         a->getOperand(0) == b->getOperand(0) &&
         a->getAttr("dim") == b->getAttr("dim") &&
         a->hasAttr("descending") == b->hasAttr("descending");
}

static Operation *walkIn(const Group &group) {
  for (Operation *op : group.ops)
    if (op->hasTrait<tx::Scan>() || op->hasTrait<tx::Sort>())
      return op;
  return nullptr;
}

bool walkAlike(const Group &a, const Group &b) {
  Operation *x = walkIn(a), *y = walkIn(b);
  return x && y && sortAlike(x, y);
}

Refusal checkWalk(const Group &group, Operation *op, RuleContext &context) {
  if (group.kind == FusionKind::Sort && sortAlike(walkIn(group), op)) {
    // One more result of the same kernel.
  } else if (group.kind != FusionKind::Loop) {
    return "this kernel has a reduction, contraction, scan or sort already";
  }
  return checkReadElementwise(group, op->getResult(0), context);
}

void joinWalk(Group &group, Operation *op, RuleContext &context) {
  group.kind = op->hasTrait<tx::Scan>() ? FusionKind::Scan : FusionKind::Sort;
  group.addRead(op->getOperand(0), group.space(context.names).identity());
}

} // namespace tensorc::compiler
