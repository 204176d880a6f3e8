//===- QueueEvents.cpp - Order between the queues of a program ------------===//

#include "compiler/transforms/passes/program/QueueEvents.h"

#include "compiler/transforms/passes/TensorProgram.h"
#include "ir/program/Txp.h"

using namespace mlir;

namespace tensorc::compiler {

/// Maximum number of calls of another queue that are in flight. Their buffers
/// live until queue 0 has waited for them. With two, the other queue has work
/// while queue 0 waits.
static constexpr size_t maxInFlight = 2;

void QueueEvents::run(int32_t queue, ValueRange written,
                      function_ref<void()> emitWork) {
  if (inFlight.size() == maxInFlight)
    waitFor(inFlight.front());
  auto event = txp::EventType::get(b.getContext());
  Value before = txp::RecordOp::create(b, event, 0);
  txp::WaitOp::create(b, before, queue);
  emitWork();
  Value after = txp::RecordOp::create(b, event, queue);
  inFlight.push_back(after);
  for (Value buffer : written)
    pending.push_back({buffer, after});
}

void QueueEvents::waitFor(Value event) {
  txp::WaitOp::create(b, event, 0);
  llvm::erase(inFlight, event);
  llvm::erase_if(pending,
                 [&](const Pending &each) { return each.event == event; });
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
  SmallVector<Value> events;
  for (const Pending &each : pending)
    if (used.contains(each.buffer) && !llvm::is_contained(events, each.event))
      events.push_back(each.event);
  for (Value event : events)
    waitFor(event);
}

void QueueEvents::waitForAll() {
  while (!inFlight.empty())
    waitFor(inFlight.front());
}

} // namespace tensorc::compiler
