//===- RankLocal.cpp - Values that differ between ranks -------------------===//
//
//   %0 = tx.local_part %a ...        differs
//   %1 = tx.add %0, %w               differs, so that w is used as a whole
//   %2 = tx.join_parts %1 ...        the same on all ranks, as is any tx.shard
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/sharding/RankLocal.h"

using namespace mlir;

namespace tensorc::compiler::sharding {

static bool isCollective(Operation *op) {
  return isa<tx::AllReduceOp, tx::AllGatherOp, tx::ReduceScatterOp,
             tx::AllToAllOp, tx::CollectiveBroadcastOp,
             tx::CollectivePermuteOp>(op);
}

static bool isGlobal(Operation *op) {
  return isa<tx::ShardOp, tx::JoinPartsOp>(op);
}

/// True if an op, or an op in its regions, satisfies the predicate.
static bool hasOp(Operation *op, function_ref<bool(Operation *)> isWanted) {
  auto found = op->walk([&](Operation *nested) {
    return isWanted(nested) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// True if the results differ between ranks whatever the operands are.
/// Reductions over all ranks give equal results, but are not distinguished
/// here.
static bool makesDiffering(Operation *op) {
  return hasOp(op, [](Operation *nested) {
    return isCollective(nested) ||
           isa<tx::PartitionIdOp, tx::LocalPartOp>(nested);
  });
}

bool RankLocal::hasParts(Operation *op) {
  return makesDiffering(op) || hasOp(op, [](Operation *nested) {
           return isa<tx::JoinPartsOp>(nested);
         });
}

RankLocal::RankLocal(Block &block) {
  for (auto join : block.getOps<tx::JoinPartsOp>())
    if (isa<BlockArgument>(join.getX()))
      differing.insert(join.getX());
  for (Operation &op : block.without_terminator()) {
    if (hasOp(&op, [](Operation *nested) {
          return isCollective(nested) || isa<tx::JoinPartsOp>(nested);
        }))
      collect(&op);
    auto differs = [&](Value value) { return differing.contains(value); };
    if (!isGlobal(&op) &&
        (makesDiffering(&op) || llvm::any_of(op.getOperands(), differs)))
      differing.insert(op.result_begin(), op.result_end());
  }
}

void RankLocal::collect(Operation *user) {
  SmallVector<Value> pending(user->getOperands());
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if ((op && isGlobal(op)) || !collected.insert(value).second)
      continue;
    if (op && !isa<tx::LocalPartOp>(op))
      llvm::append_range(pending, op->getOperands());
  }
}

bool RankLocal::computes(Operation *op) const {
  return llvm::any_of(op->getOperands(),
                      [&](Value x) { return differing.contains(x); }) ||
         llvm::any_of(op->getResults(), [&](Value y) { return contains(y); });
}

} // namespace tensorc::compiler::sharding
