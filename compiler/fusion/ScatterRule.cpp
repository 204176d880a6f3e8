//===- ScatterRule.cpp - Updates at indices that are a tensor -------------===//

#include "compiler/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

Refusal checkScatter(const Group &, Operation *, RuleContext &) {
  return "a scatter's result is complete when all updates are done";
}

/// The dims behind those of the result are the updates'.
void joinScatter(Group &group, Operation *op, RuleContext &context) {
  auto scatter = cast<tx::ScatterOp>(op);
  group.kind = FusionKind::Scatter;
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
}

} // namespace tensorc::compiler
