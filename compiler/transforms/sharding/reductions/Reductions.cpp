//===- Reductions.cpp - Calls of reductions over the ranks ----------------===//

#include "compiler/transforms/sharding/reductions/Reductions.h"

using namespace mlir;

namespace tensorc::compiler::sharding {

static StringRef configOf(Operation *op) {
  auto call = dyn_cast<tx::CustomCallOp>(op);
  return call && call.getName() == "collective" ? call.getConfig().value_or("")
                                                : StringRef();
}

bool communicates(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        bool isCall = isa<tx::CustomCallOp, CallOpInterface>(inner) &&
                      !configOf(inner).starts_with("partition_id ");
        return isCall ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isAllReduce(Operation *op) {
  return configOf(op).starts_with("all_reduce ");
}

bool isReduction(Operation *op) {
  return isAllReduce(op) || configOf(op).starts_with("reduce_scatter ");
}

void forEachOperand(Operation *op, function_ref<void(Value)> function) {
  op->walk([&](Operation *inner) {
    llvm::for_each(inner->getOperands(), function);
  });
}

} // namespace tensorc::compiler::sharding
