//===- QueueRanges.cpp - When work of other queues may run ----------------===//
//
//   launch @f outs(%a)
//   %e = record                  <- the spill may begin
//   wait %e queue(1)
//   %h = spill %a queue(1)
//   %d = record queue(1)
//   launch @g
//   wait %d                      <- the spill is done
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/QueueRanges.h"
#include "ir/program/Txp.h"

using namespace mlir;

namespace tensorc::compiler {

static unsigned queueOf(Operation *op) {
  auto queue = op->getAttrOfType<IntegerAttr>("queue");
  return queue ? queue.getValue().getZExtValue() : 0;
}

bool isOnOtherQueue(Operation *op) { return queueOf(op) != 0; }

std::pair<Operation *, Operation *> queueRange(Operation *op) {
  unsigned queue = queueOf(op);
  Operation *begin = nullptr, *end = nullptr;
  for (Operation *at = op->getPrevNode(); at && !begin;
       at = at->getPrevNode()) {
    auto wait = dyn_cast<txp::WaitOp>(at);
    if (!wait || wait.getQueue() != queue)
      continue;
    auto record = wait.getEvent().getDefiningOp<txp::RecordOp>();
    if (record && record.getQueue() == 0 &&
        record->getBlock() == at->getBlock())
      begin = record;
  }
  for (Operation *at = op->getNextNode(); at && !end; at = at->getNextNode()) {
    auto wait = dyn_cast<txp::WaitOp>(at);
    if (!wait || wait.getQueue() != 0)
      continue;
    auto record = wait.getEvent().getDefiningOp<txp::RecordOp>();
    if (record && record.getQueue() == queue &&
        record->getBlock() == op->getBlock() && op->isBeforeInBlock(record))
      end = wait;
  }
  return {begin, end};
}

} // namespace tensorc::compiler
