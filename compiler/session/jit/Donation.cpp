//===- Donation.cpp - Buffers that an evaluation may overwrite ------------===//
//
// A donated value can be reached only through the nodes of the evaluation. All
// users of these nodes hold graphMutex(), so they see that the value is taken.
//
//===----------------------------------------------------------------------===//

#include "compiler/session/jit/Donation.h"

#include "compiler/graph/LiveHandles.h"
#include "compiler/session/jit/Streams.h"

#include "llvm/ADT/STLExtras.h"

#include <condition_variable>

namespace tensorc::jit {

using graph::Node;

/// Notified when an evaluation ends and returns the values it has taken.
static std::condition_variable &givenBack() {
  // Never destroyed, because evaluations may run while the process exits.
  static auto *variable = new std::condition_variable;
  return *variable;
}

/// Number of evaluations that are overwriting donated values; guarded by
/// graphMutex().
static unsigned underWay = 0;

bool hasMemoryOfItsOwn(const Node &value) {
  return value.isEvaluated() && !value.isAuto() && !value.hasCopies() &&
         tensorc_rt_buffer_is_exclusive(value.buffer(),
                                        currentStream(value.device()));
}

void Donation::find(const graph::Trace &trace,
                    llvm::ArrayRef<graph::NodeRef> held) {
  candidates.clear();
  auto isFree = [](Node *node) {
    return !node->hasHandle() && hasMemoryOfItsOwn(*node);
  };
  if (llvm::none_of(trace.arguments, isFree))
    return;
  // For each node, the number of references that end with the evaluation. These
  // are references held by outputs, which will drop their operands, and by
  // nodes that only such nodes use.
  llvm::SmallVector<uint32_t> going(trace.order.size(), 0);
  for (Node *node : llvm::reverse(trace.order)) {
    bool goes = node->isOutput || (!node->hasHandle() &&
                                   node->references() == going[node->ordinal]);
    if (goes)
      for (Node *operand : graph::operandsOf(*node))
        ++going[operand->ordinal];
  }
  for (auto [i, node] : llvm::enumerate(trace.arguments)) {
    if (!isFree(node))
      continue;
    auto own = llvm::count_if(
        held, [node = node](auto &ref) { return ref.get() == node; });
    uint32_t references = going[node->ordinal] + static_cast<uint32_t>(own);
    if (node->references() == references)
      candidates.push_back({static_cast<unsigned>(i), references});
  }
}

llvm::ArrayRef<uint8_t> Donation::take(const graph::Trace &trace) {
  if (candidates.empty())
    return {};
  std::scoped_lock lock(graph::graphMutex());
  // Another thread has already evaluated an output.
  if (llvm::any_of(trace.outputs, [](Node *n) { return n->isEvaluated(); }))
    return {};
  for (auto [argument, references] : candidates) {
    Node *node = trace.arguments[argument];
    if (node->references() != references || !hasMemoryOfItsOwn(*node))
      continue;
    taken.resize(trace.arguments.size());
    taken[argument] = TENSORC_RT_DONATED_ON_SUCCESS;
    node->isTaken = true;
    nodes.push_back(node);
  }
  underWay += !nodes.empty();
  return taken;
}

Donation::~Donation() {
  if (nodes.empty())
    return;
  {
    std::scoped_lock lock(graph::graphMutex());
    for (graph::NodeRef &node : nodes)
      node->isTaken = false;
    --underWay;
  }
  givenBack().notify_all();
}

bool Donation::waitFor(const graph::Trace &trace,
                       std::unique_lock<std::mutex> &lock) {
  if (llvm::none_of(trace.arguments, [](Node *n) { return n->isTaken; }))
    return false;
  givenBack().wait(lock);
  return true;
}

void Donation::waitForAll(std::unique_lock<std::mutex> &lock) {
  givenBack().wait(lock, [] { return underWay == 0; });
}

} // namespace tensorc::jit
