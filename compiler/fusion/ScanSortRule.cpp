//===- ScanSortRule.cpp - One scan, or a sort and an argsort of one tensor ===//
//
// One op that walks along a dim, read element by element.
//
//===----------------------------------------------------------------------===//

#include "compiler/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
class AlongDimKind : public FusionKind {
public:
  using FusionKind::FusionKind;

  Refusal check(const Group &group, Operation *op,
                RuleContext &context) const override {
    return checkReadElementwise(group, op->getResult(0), context);
  }
  bool join(Group &group, Operation *op, RuleContext &context) const override {
    group.kind = this;
    group.addRead(op->getOperand(0), group.space(context.names).identity());
    return true;
  }
};

class ScanKind : public AlongDimKind {
public:
  ScanKind() : AlongDimKind("scan") {}

  bool mayMerge(const Group &, const Group &) const override { return false; }
};

class SortKind : public AlongDimKind {
public:
  SortKind() : AlongDimKind("sort") {}

  /// One more result of the same order.
  Refusal checkRoom(const Group &group, Operation *op) const override {
    return sortsAlike(sortIn(group), op) ? Refusal()
                                         : FusionKind::checkRoom(group, op);
  }
  /// Its operand is computed into scratch, out of order.
  bool mayStore(const Group &, Value, const Index &,
                tx::DimSpace &) const override {
    return false;
  }
  bool mayMerge(const Group &a, const Group &b) const override {
    return sortsAlike(sortIn(a), sortIn(b));
  }

private:
  Operation *sortIn(const Group &group) const {
    return *llvm::find_if(group.ops,
                          [&](Operation *op) { return isAbout(op); });
  }
  /// The order that sorts one tensor serves another op.
  bool sortsAlike(Operation *a, Operation *b) const {
    return isAbout(a) && isAbout(b) && a->getOperand(0) == b->getOperand(0) &&
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
