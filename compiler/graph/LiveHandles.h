//===- LiveHandles.h - Which intermediate values are stored ---------------===//
//
// An evaluation computes intermediate nodes to which the user's program still
// has handles. To store all of them would write every line's value to memory in
// `Tensor a = x * 2; Tensor b = tanh(a);`. To store none would recompute a
// value at each later use, and would keep its inputs in memory.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_LIVEHANDLES_H
#define TENSORC_COMPILER_GRAPH_LIVEHANDLES_H

#include "compiler/graph/Node.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tensorc::graph {

/// True if the node is an input of an evaluation, not computed by it.
inline bool isArgument(const Node &node) {
  return node.isEvaluated() || node.op() == OpKind::Placeholder ||
         node.op() == OpKind::Transfer;
}

/// Returns the node's operands, or none if it is an input of the evaluation.
inline llvm::ArrayRef<Node *> operandsOf(const Node &node) {
  return isArgument(node) ? llvm::ArrayRef<Node *>() : node.inputs();
}

/// Returns the node at the start of a chain of reshapes, or `node` itself if it
/// is not a reshape.
inline const Node &unreshaped(const Node &node) {
  const Node *of = &node;
  while (!isArgument(*of) && of->op() == OpKind::Reshape)
    of = of->inputs()[0];
  return *of;
}

/// True for constants and views of values. Each user recomputes them.
bool isTrivial(const Node *node);

/// True for a Full and for a vector concatenated of them, such as the key of a
/// random generator.
bool isOfScalars(const Node &node);
/// Returns the bytes of such a node's value.
llvm::SmallVector<char, 64> bytesOfScalars(const Node &node);

/// True if the node adds a value that the program holds to the constant 0, with
/// which sum() of Python begins. The caller must hold graphMutex().
bool beginsSum(const Node &node);

/// A row of a value: an element along its first dim.
struct Row {
  Node *value;
  int64_t offset; // in bytes
};
/// Returns the row of a value that the node is, reshaped; nullopt if it is
/// something else. The caller must hold graphMutex().
std::optional<Row> rowOf(const Node &node);

/// True if each element of the result depends only on the element of each
/// operand at the same index. Also true for constants.
bool isElementwise(const Node &node);

/// True if an evaluation may leave a live node without a value. The node must
/// be computed by at most 16 element-wise or shape ops from values for which
/// `isStored` holds, and these values must not have more bytes than the node. A
/// node of at most 1 MiB that is computed from constants alone is stored: it does
/// not change, and each program that reads it would need another one later.
/// This happens only once per node: the next evaluation that needs the node, or
/// its successor in the next iteration of a loop, stores it. The caller must
/// hold graphMutex().
bool mayStayUnstored(const Node &node,
                     llvm::function_ref<bool(const Node &)> isStored);

/// True if evaluations store every live node except trivial ones. The initial
/// value comes from TENSORC_STORE_INTERMEDIATES and is false without it.
bool storesIntermediates();
void setStoreIntermediates(bool on);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_LIVEHANDLES_H
