//===- ScanSortRule.cpp - Fusions of scans and sorts ----------------------===//
//
// A kernel computes either one scan, or a sort and an argsort of the same
// tensor, along a dim. Ops that are fused with it read its results element by
// element.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/fusion/Group.h"
#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
class ScanKind : public FusionKind {
public:
  ScanKind() : FusionKind(tx::kinds::scan) {}

  Refusal check(const Group &group, Operation *op,
                RuleContext &context) const override {
    return checkReadElementwise(group, op->getResult(0), context);
  }
  bool join(Group &group, Operation *op, RuleContext &context) const override {
    group.kind = this;
    group.addRead(op->getOperand(0), group.space(context.names).identity());
    return true;
  }
  bool mayMerge(const Group &, const Group &) const override { return false; }
};

/// Sorts and argsorts of the same tensor in the same order. If only the first
/// elements of each row are read, the kernel selects these (top-k) instead of
/// sorting.
class SortKind : public FusionKind {
public:
  SortKind() : FusionKind(tx::kinds::sort) {}

  /// Accepts another result of the same sort order.
  Refusal checkRoom(const Group &group, Operation *op) const override {
    return sortsAlike(sortIn(group), tx::sortOf(op))
               ? Refusal()
               : FusionKind::checkRoom(group, op);
  }
  /// All outputs have the same shape. It is the group's shape until a sort
  /// joins, because the sort's operand may be longer.
  Refusal check(const Group &group, Operation *op,
                RuleContext &context) const override {
    Value result = op->getResult(0);
    auto first = llvm::find_if(group.ops, [&](Operation *other) {
      return other != op && tx::sortOf(other) == op;
    });
    Value stored = first == group.ops.end() ? result : (*first)->getResult(0);
    if (tx::dimsOf(typeOf(stored)) != tx::dimsOf(typeOf(group.roots[0])))
      return "this kernel has another shape";
    auto reads = group.reads.find(result);
    if (reads == group.reads.end() || reads->second.size() != 1 ||
        reads->second[0] != group.space(context.names).identity())
      return "it is not read element by element";
    return {};
  }
  bool join(Group &group, Operation *op, RuleContext &context) const override {
    group.kind = this;
    Value operand = op->getOperand(0);
    if (tx::sortOf(op) == op)
      group.shape = context.names.dims(typeOf(operand));
    group.addRead(operand, group.space(context.names).identity());
    return true;
  }
  /// The operand cannot be an output, because it is computed into scratch
  /// memory in another order.
  bool mayStore(const Group &, Value, const Index &,
                tx::DimSpace &) const override {
    return false;
  }
  bool mayMerge(const Group &a, const Group &b) const override {
    return sortsAlike(sortIn(a), sortIn(b)) &&
           tx::dimsOf(typeOf(a.roots[0])) == tx::dimsOf(typeOf(b.roots[0]));
  }

private:
  static RankedTensorType typeOf(Value v) {
    return cast<RankedTensorType>(v.getType());
  }
  Operation *sortIn(const Group &group) const {
    return tx::sortOf(
        *llvm::find_if(group.ops, [&](Operation *op) { return isAbout(op); }));
  }
  /// Returns true if both ops use the same sort order.
  bool sortsAlike(Operation *a, Operation *b) const {
    return a && b && a->getOperand(0) == b->getOperand(0) &&
           a->getAttr("dim") == b->getAttr("dim") &&
           a->hasAttr("descending") == b->hasAttr("descending");
  }
};
} // namespace

const FusionKind &scanKind() {
  static const ScanKind kind;
  return kind;
}

const FusionKind &sortKind() {
  static const SortKind kind;
  return kind;
}

} // namespace tensorc::compiler
