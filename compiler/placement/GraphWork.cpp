//===- GraphWork.cpp - What a recorded expression has to do ---------------===//

#include "compiler/placement/GraphWork.h"

#include "compiler/graph/Builders.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::placement {

using graph::Node;
using graph::OpKind;

OperandWork operandOf(const Node &value) {
  OperandWork operand{static_cast<double>(value.byteSize()), {}};
  value.forEachBuffer([&](tensorc_rt_buffer *buffer) {
    operand.places.push_back(tensorc_rt_buffer_device(buffer));
  });
  return operand;
}

static double elementsOf(const Node &node) {
  return static_cast<double>(node.numElements());
}

static void add(const Node &node, double count, KernelWork &work) {
  bool isContraction = node.op() == OpKind::DotGeneral;
  auto rate = static_cast<unsigned>(rateClassOf(node.dtype(), isContraction));
  work.operations[rate] += count;
}

/// As `tensorc explain` counts: one per element, of a reduction or scan per
/// element read, of a contraction two.
static void addOperations(const Node &node, KernelWork &work) {
  switch (graph::traits(node.op()).category) {
  case graph::Category::Elementwise:
    return add(node, elementsOf(node), work);
  case graph::Category::Reduction:
  case graph::Category::Scan:
    return add(*node.inputs()[0], elementsOf(*node.inputs()[0]), work);
  case graph::Category::Contraction: {
    auto attributes = node.attributes();
    size_t count = (attributes.size() - 1) / 2;
    double inner = 2;
    for (int64_t dim :
         attributes.slice(1, count).drop_front(attributes.front()))
      inner *= static_cast<double>(node.inputs()[0]->shape()[dim]);
    return add(node, elementsOf(node) * inner, work);
  }
  default:
    break;
  }
  if (node.op() == OpKind::Composite)
    for (Node *inner : graph::compositeBodyOrder(node))
      addOperations(*inner, work);
}

/// What a kernel is built around; element-wise ops join it.
static bool isAnchor(const Node &node) {
  switch (node.op()) {
  case OpKind::Composite:
  case OpKind::CustomCall:
  case OpKind::Gather:
  case OpKind::Scatter:
  case OpKind::DynamicUpdateSlice:
    return true;
  default:
    break;
  }
  graph::Category category = graph::traits(node.op()).category;
  return category == graph::Category::Reduction ||
         category == graph::Category::Scan ||
         category == graph::Category::Contraction;
}

namespace {
/// Ops that will probably be one kernel. Joined groups stand for one another.
class Groups {
public:
  static constexpr unsigned none = ~0u;

  explicit Groups(const graph::Trace &trace) : trace(trace) {}
  void assign();
  /// Bytes and operations of each group that is left.
  std::vector<KernelWork> kernels(llvm::ArrayRef<Node *> roots);

private:
  struct Group {
    unsigned parent;
    bool hasAnchor;
    KernelWork work;
  };
  unsigned make(bool hasAnchor) {
    groups.push_back({static_cast<unsigned>(groups.size()), hasAnchor, {}});
    return groups.size() - 1;
  }
  unsigned find(unsigned group) {
    while (groups[group].parent != group)
      group = groups[group].parent = groups[groups[group].parent].parent;
    return group;
  }
  unsigned groupOf(const Node &node) {
    unsigned group = assigned[node.ordinal];
    return group == none ? none : find(group);
  }
  unsigned join(const Node &node);
  void addReads(const Node &node, unsigned group);

  const graph::Trace &trace;
  std::vector<unsigned> assigned;
  std::vector<Group> groups;
  std::vector<bool> isWritten;
  std::vector<unsigned> lastReader;
};
} // namespace

/// An op goes to the latest kernel among its operands', and takes those that
/// are element-wise with it. Two kernels with something to be built around
/// stay two.
unsigned Groups::join(const Node &node) {
  bool anchor = isAnchor(node);
  unsigned target = anchor ? make(true) : none;
  auto operands =
      node.op() == OpKind::Composite ? node.compositeInputs() : node.inputs();
  for (Node *operand : operands) {
    unsigned group = groupOf(*operand);
    if (group == none || group == target || (anchor && groups[group].hasAnchor))
      continue;
    if (target == none) {
      target = group;
    } else if (!groups[group].hasAnchor) {
      groups[group].parent = target;
    } else if (!groups[target].hasAnchor) {
      groups[target].parent = group;
      target = group;
    } else {
      target = std::max(target, group);
    }
  }
  return target == none ? make(false) : target;
}

void Groups::assign() {
  assigned.assign(trace.order.size(), none);
  for (Node *node : trace.order) {
    bool isFree = graph::isArgument(*node) || node->op() == OpKind::Full ||
                  node->op() == OpKind::Iota;
    if (!isFree)
      assigned[node->ordinal] = join(*node);
  }
}

/// Of what is picked out of an operand, as much as is picked.
static double bytesRead(const Node &operand, const Node &user) {
  auto bytes = static_cast<double>(operand.byteSize());
  switch (user.op()) {
  case OpKind::Slice:
  case OpKind::DynamicSlice:
  case OpKind::Gather:
    return std::min(bytes, static_cast<double>(user.byteSize()));
  default:
    return bytes;
  }
}

void Groups::addReads(const Node &node, unsigned group) {
  auto operands =
      node.op() == OpKind::Composite ? node.compositeInputs() : node.inputs();
  for (Node *operand : operands) {
    unsigned source = groupOf(*operand);
    bool isValue = graph::isArgument(*operand);
    if (source == group || (source == none && !isValue) ||
        lastReader[operand->ordinal] == group)
      continue;
    lastReader[operand->ordinal] = group;
    groups[group].work.bytes += bytesRead(*operand, node);
    isWritten[operand->ordinal] = !isValue;
  }
}

std::vector<KernelWork> Groups::kernels(llvm::ArrayRef<Node *> roots) {
  isWritten.assign(trace.order.size(), false);
  lastReader.assign(trace.order.size(), none);
  for (Node *node : trace.order)
    if (unsigned group = groupOf(*node); group != none) {
      addOperations(*node, groups[group].work);
      addReads(*node, group);
    }
  for (Node *root : roots)
    if (!graph::isArgument(*root)) {
      isWritten[root->ordinal] = true;
      // A constant is a kernel of its own.
      if (assigned[root->ordinal] == none)
        assigned[root->ordinal] = make(false);
    }
  for (Node *node : trace.order)
    if (isWritten[node->ordinal] && node->op() != OpKind::CustomCall)
      groups[groupOf(*node)].work.bytes +=
          static_cast<double>(node->byteSize());
  std::vector<KernelWork> result;
  for (auto [i, group] : llvm::enumerate(groups))
    if (group.parent == i)
      result.push_back(group.work);
  return result;
}

Work workOf(const graph::Trace &trace, llvm::ArrayRef<Node *> roots) {
  Work work;
  Groups groups(trace);
  groups.assign();
  work.kernels = groups.kernels(roots);
  for (Node *node : trace.order)
    if (graph::isArgument(*node))
      work.operands.push_back(operandOf(*node));
  for (Node *root : roots)
    if (!graph::isArgument(*root))
      work.results.push_back(static_cast<double>(root->byteSize()));
  return work;
}

} // namespace tensorc::placement
