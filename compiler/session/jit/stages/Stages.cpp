//===- Stages.cpp - A traced function on several devices ------------------===//

#include "compiler/session/jit/stages/Stages.h"

#include "compiler/graph/Dependents.h"
#include "compiler/graph/Placement.h"
#include "compiler/graph/Trace.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>

namespace tensorc::jit {

using graph::Node;
using graph::NodeRef;

/// Makes the transfers of captured values. Returns those of values that depend
/// on the placeholders, operands first.
static std::vector<NodeRef> tracedTransfers(llvm::ArrayRef<Node *> results,
                                            Status &status) {
  std::vector<NodeRef> pending, traced;
  {
    std::scoped_lock lock(graph::graphMutex());
    pending = graph::pendingTransfers(results);
  }
  for (NodeRef &transfer : pending) {
    if (transfer->isTraced())
      traced.push_back(std::move(transfer));
    else if (!status)
      status = Session::get().evaluateTransfers(transfer.get());
  }
  return traced;
}

std::unique_ptr<Function> compileFunction(llvm::ArrayRef<Node *> placeholders,
                                          llvm::ArrayRef<Node *> results,
                                          Status &status) {
  std::vector<NodeRef> transfers = tracedTransfers(results, status);
  if (status)
    return nullptr;
  tensorc_rt_device *device = nullptr;
  bool isOnOne = llvm::all_of(results, [&](Node *result) {
    if (!device)
      device = result->device();
    return !result->device() || result->device() == device;
  });
  if (transfers.empty() && isOnOne)
    return std::make_unique<Function>(placeholders, results, status);
  return std::make_unique<Stages>(placeholders, results, transfers, status);
}

Stages::Stages(llvm::ArrayRef<Node *> placeholders,
               llvm::ArrayRef<Node *> results,
               llvm::ArrayRef<NodeRef> transfers, Status &status) {
  arguments.assign(placeholders.begin(), placeholders.end());
  known.assign(arguments.begin(), arguments.end());
  known.insert(known.end(), transfers.begin(), transfers.end());
  addStages(results);
  if ((status = checkPlaces()))
    return;
  for (Stage &stage : stages) {
    stage.inputs = graph::indicesRead(known, stage.results);
    auto inputs = llvm::map_to_vector(
        stage.inputs, [&](unsigned i) { return known[i].get(); });
    auto made = llvm::map_to_vector(
        stage.results, [](const NodeRef &result) { return result.get(); });
    stage.function = std::make_unique<Function>(inputs, made, status);
    if (status)
      return;
  }
  describe(results);
}

/// Refuses values whose device the cost model chooses.
Status Stages::checkPlaces() const {
  auto refuse = [](const Node &node) {
    graph::Recorder r(node.location(), "to");
    r.fail("to", "a traced function that moves values names its devices; auto "
                 "is none");
    return makeStatus(TENSORC_RT_UNSUPPORTED, r.error);
  };
  for (const NodeRef &node : known)
    if (node->isAuto())
      return refuse(*node.get());
  for (const Stage &stage : stages)
    for (const NodeRef &result : stage.results)
      if (result->isAuto())
        return refuse(*result.get());
  return nullptr;
}

/// Describes results and captured values. A tensor that several stages capture
/// is there once.
void Stages::describe(llvm::ArrayRef<Node *> results) {
  for (Node *result : results) {
    Slot slot;
    slot.kind = Slot::Output;
    slot.type = {result->dtype(), llvm::to_vector<4>(result->shape())};
    slots.push_back(std::move(slot));
  }
  llvm::SmallPtrSet<const Node *, 8> seen;
  for (const Stage &stage : stages)
    for (const Capture &capture : stage.function->captures())
      if (!capture.tensor || seen.insert(capture.tensor.get()).second)
        captured.push_back(capture);
}

/// Groups the operands of transfers by their device and by the number of
/// transfers before them, and the results by their device.
void Stages::addStages(llvm::ArrayRef<Node *> results) {
  std::map<unsigned, llvm::MapVector<tensorc_rt_device *, Stage>> grouped;
  llvm::SmallVector<unsigned> depths(known.size());
  for (size_t i = arguments.size(); i < known.size(); ++i) {
    NodeRef operand;
    {
      std::scoped_lock lock(graph::graphMutex());
      operand = known[i]->inputs()[0];
    }
    for (unsigned input : graph::indicesRead(known, operand))
      depths[i] =
          std::max(depths[i], depths[input] + (input >= arguments.size()));
    Stage &stage = grouped[depths[i]][operand->device()];
    stage.hasTransfers = true;
    stage.targets.push_back(i);
    stage.results.push_back(std::move(operand));
  }
  for (auto [i, result] : llvm::enumerate(results)) {
    Stage &stage = grouped[UINT32_MAX][result->device()];
    stage.targets.push_back(i);
    stage.results.push_back(result);
  }
  for (auto &[depth, byDevice] : grouped)
    for (auto &[device, stage] : byDevice)
      stages.push_back(std::move(stage));
}

/// Moves a value as a transfer of the traced function does.
static Status moveLike(const Node &transfer, NodeRef &value) {
  value = NodeRef::take(Node::createTransfer(value.get(), transfer.device(),
                                             transfer.location()));
  return Session::get().evaluateTransfers(value.get());
}

/// Runs a stage. Adds the values of its transfers to the known ones, or sets its
/// results, which have handles.
Status Stages::run(const Stage &stage, llvm::MutableArrayRef<NodeRef> values,
                   llvm::ArrayRef<tensorc_rt_buffer *> outputs,
                   llvm::MutableArrayRef<Node *> results) const {
  auto inputs = llvm::map_to_vector(
      stage.inputs, [&](unsigned i) { return values[i].get(); });
  llvm::SmallVector<Node *> made(stage.targets.size());
  llvm::SmallVector<tensorc_rt_buffer *> buffers;
  RunMemory memory;
  if (!stage.hasTransfers && !outputs.empty()) {
    for (unsigned target : stage.targets)
      buffers.push_back(outputs[target]);
    memory.outputs = buffers;
  }
  bool areNeeded = stage.hasTransfers || !results.empty();
  Status status =
      stage.function->call(inputs, memory, areNeeded ? made.data() : nullptr);
  for (auto [target, node] : llvm::zip_equal(stage.targets, made)) {
    if (!stage.hasTransfers && !results.empty())
      results[target] = node;
    if (!stage.hasTransfers || !node)
      continue;
    values[target] = node;
    node->releaseHandle();
    if (!status)
      status = moveLike(*known[target].get(), values[target]);
  }
  return status;
}

Status Stages::call(llvm::ArrayRef<Node *> given, const RunMemory &memory,
                    Node **results) const {
  llvm::MutableArrayRef<Node *> made(results, results ? numResults() : 0);
  llvm::fill(made, nullptr);
  std::vector<NodeRef> values(given.begin(), given.end());
  values.resize(known.size());
  for (const Stage &stage : stages)
    if (Status status = run(stage, values, memory.outputs, made)) {
      for (Node *&node : made)
        if (Node *done = std::exchange(node, nullptr))
          done->releaseHandle();
      return status;
    }
  return nullptr;
}

Status Stages::rebind(unsigned capture, Node *value) {
  if (capture >= captured.size() || !captured[capture].tensor)
    return Function::rebind(capture, value); // which refuses it
  for (Stage &stage : stages)
    for (auto [i, own] : llvm::enumerate(stage.function->captures()))
      if (own.tensor.get() == captured[capture].tensor.get())
        if (Status status = stage.function->rebind(i, value))
          return status;
  return nullptr;
}

Status Stages::measure(tensorc_rt_memory_plan &plan) const {
  plan = {};
  return makeStatus(TENSORC_RT_UNSUPPORTED,
                    "jit: the function runs on several devices, each of which "
                    "has memory of its own");
}

} // namespace tensorc::jit
