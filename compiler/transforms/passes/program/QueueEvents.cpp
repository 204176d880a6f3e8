//===- QueueEvents.cpp - Order between the queues of a program ------------===//

#include "compiler/transforms/passes/program/QueueEvents.h"

#include "compiler/transforms/passes/TensorProgram.h"
#include "ir/program/Txp.h"

using namespace mlir;

namespace tensorc::compiler {

void QueueEvents::run(int32_t queue, ValueRange written,
                      function_ref<void()> emitWork) {
  auto event = txp::EventType::get(b.getContext());
  Value before = txp::RecordOp::create(b, event, 0);
  txp::WaitOp::create(b, before, queue);
  emitWork();
  Value after = txp::RecordOp::create(b, event, queue);
  for (Value buffer : written)
    pending.push_back({buffer, after});
}

/// Returns the buffer of which the value is a view.
static Value viewedBuffer(Value buffer) {
  while (auto view = buffer.getDefiningOp<txp::ViewOp>())
    buffer = view.getSource();
  return buffer;
}

void QueueEvents::waitFor(Operation *user,
                          const DenseMap<Value, Value> &buffers) {
  // A view needs no data.
  if (pending.empty() || user->hasAttr(splitAttr) ||
      isa<tx::ReshapeOp, tx::ReinterpretOp>(user))
    return;
  DenseSet<Value> used;
  user->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Value buffer = buffers.lookup(operand))
        used.insert(viewedBuffer(buffer));
  });
  llvm::erase_if(pending, [&](Pending &each) {
    bool isUsed = used.contains(each.buffer);
    if (isUsed)
      txp::WaitOp::create(b, each.event, 0);
    return isUsed;
  });
}

void QueueEvents::waitForAll() {
  for (Pending &each : pending)
    txp::WaitOp::create(b, each.event, 0);
  pending.clear();
}

} // namespace tensorc::compiler
