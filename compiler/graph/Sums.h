//===- Sums.h - Sums of lists ---------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_SUMS_H
#define TENSORC_COMPILER_GRAPH_SUMS_H

#include "compiler/graph/LiveHandles.h"

namespace tensorc::graph {

/// True if the node adds a value that the program holds to the constant 0, with
/// which sum() of Python begins. The caller must hold graphMutex().
inline bool beginsSum(const Node &node) {
  if (isArgument(node) || node.op() != OpKind::Add ||
      !node.inputs()[1]->hasHandle())
    return false;
  const Node *first = node.inputs()[0];
  while (!isArgument(*first) && first->op() == OpKind::Broadcast)
    first = first->inputs()[0];
  return !isArgument(*first) && first->op() == OpKind::Full &&
         first->attributes<FullAttributes>().bits == 0;
}

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_SUMS_H
