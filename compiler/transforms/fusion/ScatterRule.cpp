//===- ScatterRule.cpp - Fusions of scatters ------------------------------===//
//
// A kernel of this kind updates its operand in place, and therefore has no
// epilogue.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
class ScatterKind : public FusionKind {
public:
  ScatterKind() : FusionKind(tx::kinds::scatter) {}

  Refusal check(const Group &, Operation *, RuleContext &) const override {
    return "a scatter's result is complete when all updates are done";
  }
  bool join(Group &group, Operation *op, RuleContext &context) const override;
  /// Returns true for x and for the updates: each is computed once, in its own
  /// loop.
  bool computesOnce(const Group &group, const Index &index) const override {
    return group.usesDims(index, 0, group.resultRank) ||
           group.usesDims(index, group.resultRank, group.shape.size());
  }
  bool mayStore(const Group &, Value, const Index &,
                tx::DimSpace &) const override {
    return false;
  }
  bool mayMerge(const Group &, const Group &) const override { return false; }
};
} // namespace

const FusionKind &scatterKind() {
  static const ScatterKind kind;
  return kind;
}

/// The iteration space consists of the result's dims followed by the updates'
/// dims.
bool ScatterKind::join(Group &group, Operation *op,
                       RuleContext &context) const {
  auto scatter = cast<tx::ScatterOp>(op);
  group.kind = this;
  group.resultRank = group.shape.size();
  llvm::append_range(group.shape,
                     context.names.dims(scatter.getUpdates().getType()));
  analysis::IterationSpace space = group.space(context.names);
  Index all = space.identity();
  Index update(ArrayRef(all).drop_front(group.resultRank));
  group.addRead(scatter.getX(),
                Index(ArrayRef(all).take_front(group.resultRank)));
  group.addRead(scatter.getUpdates(), update);
  for (int64_t k = 0; k < std::max<int64_t>(scatter.getVectorSize(), 1); ++k)
    group.addRead(scatter.getIndices(),
                  analysis::indexVectorIndex(scatter, update, k, space));
  return true;
}

} // namespace tensorc::compiler
