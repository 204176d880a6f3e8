//===- Function.cpp - A traced function, compiled -------------------------===//

#include "compiler/jit/Function.h"

#include "compiler/jit/CustomOps.h"
#include "compiler/jit/NumberChecks.h"
#include "compiler/placement/GraphCopies.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::jit {

using graph::Node;
using graph::NodeRef;

static int indexOf(llvm::ArrayRef<Node *> nodes, Node *node) {
  auto it = llvm::find(nodes, node);
  return it == nodes.end() ? -1 : it - nodes.begin();
}

static int indexOf(llvm::ArrayRef<NodeRef> nodes, Node *node) {
  auto it = llvm::find_if(
      nodes, [&](const NodeRef &ref) { return ref.get() == node; });
  return it == nodes.end() ? -1 : it - nodes.begin();
}

//===----------------------------------------------------------------------===//
// Tracing and compiling
//===----------------------------------------------------------------------===//

Function::Function(llvm::ArrayRef<Node *> placeholders,
                   llvm::ArrayRef<Node *> results, Status &status) {
  arguments.assign(placeholders.begin(), placeholders.end());
  bool isAuto = false;
  tensorc_rt_device *device = nullptr;
  for (Node *result : results) {
    isAuto |= result->isAuto();
    if (!device)
      device = result->device();
    if (result->device() && result->device() != device) {
      status = makeStatus(TENSORC_RT_UNSUPPORTED,
                          "jit: the results are on different devices");
      return;
    }
  }
  if (!results.empty())
    location = results[0]->location();
  if ((status = Session::get().evaluateTransfers(results)))
    return;
  if (isAuto && !device) {
    status = prepareAuto(results);
    return;
  }
  only = std::make_unique<Variant>(device);
  graph::Trace trace;
  if (!(status = build(*only, results, trace)))
    fillSlots(trace, results);
}

Status Function::record(graph::Trace &trace, llvm::ArrayRef<Node *> results,
                        std::vector<NodeRef> &constants) const {
  constants.clear();
  trace.record(results,
               checksNumbers() ? graph::Stored::All : graph::Stored::Roots);
  for (Node *node : trace.arguments) {
    if (node->isEvaluated())
      constants.push_back(node);
    else if (indexOf(arguments, node) < 0)
      return makeStatus(TENSORC_RT_FAILED_PRECONDITION,
                        "jit: a result depends on an argument of another "
                        "function that is being traced");
  }
  return nullptr;
}

Status Function::build(Variant &variant, llvm::ArrayRef<Node *> results,
                       graph::Trace &trace) const {
  Status status;
  variant.executable = Session::get().executableFor(
      variant.device, trace,
      [&](graph::Trace &trace) {
        Status status = record(trace, results, variant.constants);
        variant.lines = linesOf(trace);
        return status;
      },
      status);
  if (status)
    return status;
  TransferredInputs inputs(variant.device);
  for (Node *node : trace.arguments) {
    variant.prepared.push_back(argumentOf(*node));
    if (node->isEvaluated()) {
      tensorc_rt_buffer *buffer = inputs.find(*node, status);
      if (!buffer)
        return status;
      variant.prepared.back().buffer = buffer;
    } else {
      variant.holes.push_back(
          {static_cast<unsigned>(variant.prepared.size() - 1),
           static_cast<unsigned>(indexOf(arguments, node))});
    }
  }
  inputs.keep();
  if (variant.executable)
    appendArguments(trace, *variant.executable, variant.prepared);
  return nullptr;
}

void Function::fillSlots(const graph::Trace &trace,
                         llvm::ArrayRef<Node *> results) {
  numOutputs = trace.outputs.size();
  if (checksNumbers())
    checked.assign(trace.outputs.begin(), trace.outputs.end());
  customCalls = trace.customCalls;
  for (Node *node : trace.order) {
    if (node->isEvaluated())
      captured.push_back({node, node->dtype(), 0, node->location()});
    else if (node->op() == graph::OpKind::Full)
      captured.push_back({nullptr, node->dtype(),
                          node->attributes<graph::FullAttributes>().bits,
                          node->location()});
  }
  for (Node *result : results) {
    Slot slot;
    int output = indexOf(trace.outputs, result);
    int argument = indexOf(arguments, result);
    slot.kind = output >= 0     ? Slot::Output
                : argument >= 0 ? Slot::Argument
                                : Slot::Constant;
    slot.index = output >= 0 ? output : std::max(argument, 0);
    slot.isAuto = result->isAuto();
    if (slot.kind == Slot::Constant)
      slot.constant = result;
    slots.push_back(std::move(slot));
  }
}

/// Compiles nothing yet: where the arguments will be decides on the device.
Status Function::prepareAuto(llvm::ArrayRef<Node *> results) {
  Status status;
  const auto *candidates = Session::get().candidates(status);
  if (!candidates)
    return status;
  automatic = std::make_unique<Automatic>();
  automatic->results.assign(results.begin(), results.end());
  automatic->variants =
      std::vector<std::atomic<const Variant *>>(candidates->size());
  std::vector<NodeRef> constants;
  graph::Trace trace;
  auto recordAll = [&](graph::Trace &trace) {
    return record(trace, results, constants);
  };
  // With nothing to choose from, nothing needs to be planned.
  std::shared_ptr<const placement::KernelPlan> plan;
  if (candidates->size() > 1)
    plan = Session::get().planFor(trace, recordAll, status);
  if (status)
    return status;
  if (plan)
    automatic->sums = plan->sums(*candidates, trace);
  automatic->sums.resize(candidates->size());
  std::scoped_lock lock(graph::graphMutex());
  if ((status = recordAll(trace)))
    return status;
  fillSlots(trace, results);
  automatic->copies = placement::copiesOf(trace, results);
  for (Node *node : trace.order)
    if (graph::isArgument(*node))
      automatic->operandArguments.push_back(indexOf(arguments, node));
  return nullptr;
}

const Function::Variant *Function::variantOn(unsigned candidate,
                                             Status &status) const {
  std::atomic<const Variant *> &known = automatic->variants[candidate];
  if (const Variant *variant = known.load(std::memory_order_acquire))
    return variant;
  const auto *candidates = Session::get().candidates(status);
  auto variant = std::make_unique<Variant>((*candidates)[candidate].device);
  llvm::SmallVector<Node *> results;
  for (const NodeRef &result : automatic->results)
    results.push_back(result.get());
  graph::Trace trace;
  if ((status = build(*variant, results, trace)))
    return nullptr;
  const Variant *other = nullptr; // another thread's, made meanwhile
  return known.compare_exchange_strong(other, variant.get()) ? variant.release()
                                                             : other;
}

/// Without values the arguments are taken to be on the host.
std::vector<placement::Sum>
Function::sumsFor(llvm::ArrayRef<Node *> values) const {
  Status status;
  const auto *candidates = Session::get().candidates(status);
  placement::Work copies = automatic->copies;
  if (!values.empty())
    for (auto [operand, argument] :
         llvm::zip_equal(copies.operands, automatic->operandArguments))
      if (argument >= 0)
        operand = placement::operandOf(*values[argument]);
  std::vector<placement::Sum> sums = automatic->sums;
  for (auto [candidate, sum] : llvm::zip_equal(*candidates, sums))
    placement::addCopies(*candidates, candidate, copies, sum);
  return sums;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

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
  Status status;
  const Variant *variant = only.get();
  if (!variant &&
      !(variant = variantOn(placement::rank(sumsFor({})).front(), status)))
    return status;
  if (!variant->executable)
    return nullptr;
  status = variant->executable->measure(variant->prepared, plan);
  return status ? located(std::move(status), customCalls, location) : nullptr;
}

Status Function::run(const Variant &variant, llvm::ArrayRef<Node *> values,
                     llvm::MutableArrayRef<tensorc_rt_output> outputs) const {
  if (!variant.executable)
    return nullptr;
  llvm::SmallVector<tensorc_rt_arg, 8> call(variant.prepared);
  TransferredInputs inputs(variant.device);
  Status status;
  for (auto [position, argument] : variant.holes)
    if (!(call[position].buffer = inputs.find(*values[argument], status)))
      return status;
  nameLines(*variant.executable, variant.lines);
  if ((status = variant.executable->run(call, outputs)))
    return located(std::move(status), customCalls, location);
  if ((status = check(values, outputs)))
    return status;
  inputs.keep();
  Session::get().noteRun(variant.executable);
  return nullptr;
}

Status Function::check(llvm::ArrayRef<Node *> values,
                       llvm::ArrayRef<tensorc_rt_output> outputs) const {
  llvm::SmallVector<Node *> nodes;
  for (const NodeRef &node : checked)
    nodes.push_back(node.get());
  return checkNumbers(nodes, outputs, [&](const Node &argument) {
    int index = indexOf(arguments, const_cast<Node *>(&argument));
    return index < 0 ? argument.buffer() : values[index]->buffer();
  });
}

Status Function::call(llvm::ArrayRef<Node *> values, Node **results) const {
  std::fill_n(results, slots.size(), nullptr);
  if (Status status = checkOutsideCustomOp())
    return status;
  for (Node *value : values)
    if (!value->isEvaluated())
      if (Status status = Session::get().evaluate(values))
        return status;
  llvm::SmallVector<tensorc_rt_output, 2> outputs;
  outputs.resize_for_overwrite(numOutputs);
  Status status;
  if (only)
    status = run(*only, values, outputs);
  else
    status = tryInOrder(sumsFor(values), *Session::get().candidates(status),
                        [&](unsigned candidate) {
                          Status status;
                          const Variant *variant = variantOn(candidate, status);
                          return variant ? run(*variant, values, outputs)
                                         : std::move(status);
                        });
  if (status)
    return status;
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
    if (slot.isAuto)
      node->makeAuto();
    node->becomeHandle();
    results[i] = node;
  }
  // Those that were computed only to be checked.
  for (auto [output, isTaken] : llvm::zip(outputs, taken))
    if (!isTaken)
      tensorc_rt_buffer_release(output.buffer);
  return nullptr;
}

} // namespace tensorc::jit
