//===- Function.cpp - A traced function, compiled -------------------------===//

#include "compiler/jit/Function.h"

#include "compiler/jit/CustomOps.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::jit {

using graph::Node;
using graph::NodeRef;

static int indexOf(llvm::ArrayRef<Node *> nodes, Node *node) {
  auto it = llvm::find(nodes, node);
  return it == nodes.end() ? -1 : it - nodes.begin();
}

Function::Function(llvm::ArrayRef<Node *> placeholders,
                   llvm::ArrayRef<Node *> results, Status &status) {
  arguments.assign(placeholders.begin(), placeholders.end());
  graph::Trace trace;
  auto record = [&](graph::Trace &trace) -> Status {
    constants.clear();
    trace.record(results, /*withLive=*/false);
    for (Node *node : trace.arguments) {
      if (node->isEvaluated())
        constants.push_back(node);
      else if (indexOf(placeholders, node) < 0)
        return makeStatus(TENSORC_RT_FAILED_PRECONDITION,
                          "jit: a result depends on an argument of another "
                          "function that is being traced");
    }
    return nullptr;
  };
  tensorc_rt_device *device = nullptr;
  for (Node *result : results) {
    if (!device)
      device = result->device();
    if (result->device() && result->device() != device) {
      status = makeStatus(TENSORC_RT_UNSUPPORTED,
                          "jit: the results are on different devices");
      return;
    }
  }
  if ((status = Session::get().evaluateTransfers(results)))
    return;
  executable = Session::get().executableFor(device, trace, record, status);
  if (status)
    return;
  numOutputs = trace.outputs.size();
  customCalls = trace.customCalls;
  if (!results.empty())
    location = results[0]->location();
  for (Node *node : trace.arguments) {
    if (!node->isEvaluated())
      holes.push_back({static_cast<unsigned>(prepared.size()),
                       static_cast<unsigned>(indexOf(placeholders, node))});
    prepared.push_back(argumentOf(*node));
  }
  if (executable)
    appendArguments(trace, *executable, prepared);
  for (Node *result : results) {
    Slot slot;
    int output = indexOf(trace.outputs, result);
    int argument = indexOf(placeholders, result);
    slot.kind = output >= 0     ? Slot::Output
                : argument >= 0 ? Slot::Argument
                                : Slot::Constant;
    slot.index = output >= 0 ? output : std::max(argument, 0);
    if (slot.kind == Slot::Constant)
      slot.constant = result;
    slots.push_back(std::move(slot));
  }
}

bool Function::accepts(llvm::ArrayRef<Node *> values) const {
  if (values.size() != arguments.size())
    return false;
  for (auto [value, argument] : llvm::zip(values, arguments))
    if (!value || value->dtype() != argument->dtype() ||
        value->shape() != argument->shape() ||
        value->device() != argument->device())
      return false;
  return true;
}

Status Function::measure(tensorc_rt_memory_plan &plan) const {
  plan = {};
  if (!executable)
    return nullptr;
  Status status = executable->measure(prepared, plan);
  return status ? located(std::move(status), customCalls, location) : nullptr;
}

Status Function::call(llvm::ArrayRef<Node *> values, Node **results) const {
  std::fill_n(results, slots.size(), nullptr);
  for (Node *value : values)
    if (!value->isEvaluated())
      if (Status status = Session::get().evaluate(values))
        return status;
  llvm::SmallVector<tensorc_rt_output, 2> outputs;
  if (executable) {
    llvm::SmallVector<tensorc_rt_arg, 8> call(prepared);
    for (auto [position, argument] : holes)
      call[position].buffer = values[argument]->buffer();
    outputs.resize_for_overwrite(numOutputs);
    if (Status status = executable->run(call, outputs))
      return located(std::move(status), customCalls, location);
    Session::get().noteRun(executable);
  }
  llvm::SmallVector<bool> taken(outputs.size(), false);
  for (auto [i, slot] : llvm::enumerate(slots)) {
    if (slot.kind != Slot::Output) {
      Node *node = slot.kind == Slot::Argument ? values[slot.index]
                                               : slot.constant.get();
      node->retainHandle();
      results[i] = node;
      continue;
    }
    const tensorc_rt_output &output = outputs[slot.index];
    if (std::exchange(taken[slot.index], true))
      tensorc_rt_buffer_retain(output.buffer);
    Node *node =
        Node::createData(static_cast<graph::DType>(output.dtype),
                         {output.dims, static_cast<size_t>(output.rank)},
                         output.buffer, location);
    node->becomeHandle();
    results[i] = node;
  }
  return nullptr;
}

} // namespace tensorc::jit
