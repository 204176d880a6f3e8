//===- LiveHandles.h - Which intermediate values are stored ---------------===//
//
// An evaluation reaches nodes that the user's program still holds by name. To
// store each of them would make `Tensor a = x * 2; Tensor b = tanh(a);` write
// every line's value to memory. To store none would compute a value again at
// each use, and keep whatever it was made of.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_LIVEHANDLES_H
#define TENSORC_COMPILER_GRAPH_LIVEHANDLES_H

#include "compiler/graph/Node.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tensorc::graph {

/// A value from outside, as an evaluation sees it.
inline bool isArgument(const Node &node) {
  return node.isEvaluated() || node.op() == OpKind::Placeholder ||
         node.op() == OpKind::Transfer;
}

/// Operands as an evaluation sees them: a value has none.
inline llvm::ArrayRef<Node *> operandsOf(const Node &node) {
  return isArgument(node) ? llvm::ArrayRef<Node *>() : node.inputs();
}

/// The node of which the given one is another shape.
inline const Node &unreshaped(const Node &node) {
  const Node *of = &node;
  while (!isArgument(*of) && of->op() == OpKind::Reshape)
    of = of->inputs()[0];
  return *of;
}

/// Constants, and views of values: computed again wherever they are used.
bool isTrivial(const Node *node);

/// Whether each element of the result is computed from one of each operand, at
/// its place; constants are, too.
bool isElementwise(const Node &node);

/// Whether a live node may stay without a value: everything that it is made of,
/// back to values for which `isStored` holds, is at most 16 element-wise or
/// shape ops, and the values they read have at most as many bytes as it. A node
/// stays without a value in one evaluation; the next one that needs it, or
/// what it has become in the next iteration of a loop, stores it. Needs
/// graphMutex().
bool mayStayUnstored(const Node &node,
                     llvm::function_ref<bool(const Node &)> isStored);

/// Whether every live node that costs something is stored. Begins as
/// TENSORC_STORE_INTERMEDIATES says; off without it.
bool storesIntermediates();
void setStoreIntermediates(bool on);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_LIVEHANDLES_H
