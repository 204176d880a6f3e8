//===- Placement.cpp - One device per expression --------------------------===//

#include "compiler/graph/Placement.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tensorc::graph {

const char *deviceName(const tensorc_rt_device *device) {
  if (!device)
    return "auto";
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  return properties.name;
}

/// Returns the tensor that the user passed for an operand, which the builder
/// may have converted or broadcast: the nearest node with a handle on the
/// operand's device.
static const Node *userOperand(const Node *operand) {
  const tensorc_rt_device *device = operand->device();
  while (!operand->hasHandle()) {
    const Node *next = nullptr;
    for (const Node *input : operand->inputs())
      if (input->device() == device)
        next = input;
    if (!next)
      break;
    operand = next;
  }
  return operand;
}

/// `f32[3] on cpu:0 (app.cpp:10)`
static std::string describe(const Node *operand) {
  const Node &node = *userOperand(operand);
  std::string text = dtypeName(node.dtype()) + shapeString(node.shape()) +
                     " on " + deviceName(node.device());
  if (node.location().file)
    text +=
        llvm::formatv(" ({0}:{1})", node.location().file, node.location().line);
  return text;
}

void refuseMixture(Recorder &r, const Node &node) {
  std::scoped_lock lock(graphMutex());
  const Node *culprit = &node;
  // Descends to the node that mixes devices itself, whose own operands are not
  // mixed.
  while (true) {
    auto next = llvm::find_if(culprit->inputs(),
                              [](Node *input) { return input->isMixed(); });
    if (next == culprit->inputs().end())
      break;
    culprit = *next;
  }
  const Node *first = nullptr, *second = nullptr;
  for (const Node *input : culprit->inputs()) {
    if (!first && input->device())
      first = input;
    if (first && input->device() && input->device() != first->device())
      second = input;
  }
  std::string operands =
      second ? ": " + describe(first) + " and " + describe(second) : "";
  r.fail(traits(culprit->op()).apiName,
         "the operands are on different devices" + operands +
             "; move one with to()");
}

NodeRef moveTo(Recorder &r, const NodeRef &x, tensorc_rt_device *device) {
  if (!x)
    return r.fail("to", "the operand is an undefined tensor");
  if (!device)
    return r.fail("to", "the device is NULL");
  if (x->device() == device)
    return x;
  return NodeRef::take(Node::createTransfer(x.get(), device, r.location));
}

NodeRef moveToAuto(Recorder &r, const NodeRef &x) {
  if (!x)
    return r.fail("to", "the operand is an undefined tensor");
  if (x->isAuto())
    return x;
  return NodeRef::take(Node::createTransfer(x.get(), nullptr, r.location));
}

NodeRef placedLike(const NodeRef &x, const Node &like) {
  if (!x || x->device() || x->isAuto() || x->isTraced() ||
      !(like.device() || like.isAuto()))
    return x;
  NodeRef made = NodeRef::take(Node::createLike(*x.get(), x->inputs()));
  if (like.isAuto())
    made->makeAuto();
  else
    made->bind(like.device());
  return made;
}

std::vector<NodeRef> pendingTransfers(llvm::ArrayRef<Node *> roots) {
  std::vector<NodeRef> found;
  llvm::DenseSet<Node *> seen;
  llvm::SmallVector<std::pair<Node *, unsigned>, 16> stack;
  auto enter = [&](Node *node) {
    if (!node->isEvaluated() && node->needsTransfers() &&
        seen.insert(node).second)
      stack.push_back({node, 0});
  };
  for (Node *root : roots) {
    enter(root);
    while (!stack.empty()) {
      auto &[node, next] = stack.back();
      if (next < node->inputs().size()) {
        enter(node->inputs()[next++]);
        continue;
      }
      if (node->op() == OpKind::Transfer)
        found.push_back(node);
      stack.pop_back();
    }
  }
  return found;
}

} // namespace tensorc::graph
