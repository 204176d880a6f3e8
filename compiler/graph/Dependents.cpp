//===- Dependents.cpp - The nodes that depend on arguments ----------------===//

#include "compiler/graph/Dependents.h"

#include "compiler/graph/LiveHandles.h"
#include "compiler/graph/Tapes.h"
#include "compiler/graph/Trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensorc::graph {

llvm::SmallVector<Node *> pointers(llvm::ArrayRef<NodeRef> refs) {
  llvm::SmallVector<Node *> nodes;
  for (const NodeRef &ref : refs)
    nodes.push_back(ref.get());
  return nodes;
}

llvm::SmallVector<unsigned> indicesRead(llvm::ArrayRef<NodeRef> values,
                                        llvm::ArrayRef<NodeRef> results) {
  std::scoped_lock lock(graphMutex());
  Trace trace;
  trace.collect(pointers(results));
  llvm::SmallPtrSet<const Node *, 32> read(trace.order.begin(),
                                           trace.order.end());
  llvm::SmallVector<unsigned> indices;
  for (auto [i, value] : llvm::enumerate(values))
    if (read.contains(value.get()))
      indices.push_back(i);
  return indices;
}

std::string typeOf(const Node &node) {
  return dtypeName(node.dtype()) + shapeString(node.shape());
}

std::string lineOf(const Node &node) {
  SourceLocation at = node.location();
  if (!at.file)
    return "an unknown line";
  return (llvm::Twine(at.file) + ":" + llvm::Twine(at.line)).str();
}

bool collectDependents(
    Recorder &r, llvm::ArrayRef<NodeRef> arguments,
    llvm::ArrayRef<NodeRef> results,
    llvm::function_ref<bool(const Node &user, unsigned operand)> isInside,
    Dependents &out) {
  Trace trace;
  trace.collect(pointers(results));
  for (const NodeRef &argument : arguments)
    out.inputs.insert(argument.get());
  llvm::SmallVector<bool> depends(trace.order.size());
  std::vector<Node *> dependent;
  for (Node *node : trace.order) {
    bool isInput = out.inputs.contains(node);
    // The walk stopped at this transfer, because a transfer without a value has
    // no operands here (LiveHandles.h).
    if (!isInput && node->op() == OpKind::Transfer && !node->isEvaluated() &&
        node->isTraced()) {
      r.location = node->location();
      r.fail("to", "a recorded function runs on one device; move its "
                   "arguments before the call");
      return false;
    }
    depends[node->ordinal] =
        isInput || llvm::any_of(operandsOf(*node), [&](Node *operand) {
          return depends[operand->ordinal];
        });
    if (depends[node->ordinal] && !isInput)
      dependent.push_back(node);
  }
  for (Node *node : dependent) {
    for (auto [i, operand] : llvm::enumerate(operandsOf(*node))) {
      if (depends[operand->ordinal])
        continue;
      if (isNumber(*operand) && isInside(*node, i))
        out.order.push_back(operand);
      else
        out.inputs.insert(operand);
    }
    out.order.push_back(node);
  }
  for (const NodeRef &result : results)
    if (!depends[result->ordinal])
      out.inputs.insert(result.get());
  return true;
}

} // namespace tensorc::graph
