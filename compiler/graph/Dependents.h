//===- Dependents.h - The nodes that depend on arguments ------------------===//
#ifndef TENSORC_COMPILER_GRAPH_DEPENDENTS_H
#define TENSORC_COMPILER_GRAPH_DEPENDENTS_H

#include "compiler/graph/Recorder.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tensorc::graph {

struct Dependents {
  /// The collected nodes, operands before users.
  std::vector<Node *> order;
  /// The arguments, followed by values that do not depend on them.
  llvm::SetVector<Node *> inputs;
};

/// Collects the nodes that the results need and that depend on the arguments.
/// If such a node reads a scalar (OpKind::Full) as operand `operand`, the
/// scalar is collected, too, if `isInside` returns true. Otherwise it becomes
/// an input. Returns false after an error. The caller must hold graphMutex().
bool collectDependents(
    Recorder &r, llvm::ArrayRef<NodeRef> arguments,
    llvm::ArrayRef<NodeRef> results,
    llvm::function_ref<bool(const Node &user, unsigned operand)> isInside,
    Dependents &out);

/// Returns the indices of those values that the results depend on. Acquires
/// graphMutex().
llvm::SmallVector<unsigned> indicesRead(llvm::ArrayRef<NodeRef> values,
                                        llvm::ArrayRef<NodeRef> results);

llvm::SmallVector<Node *> pointers(llvm::ArrayRef<NodeRef> refs);

/// `f32[2,3]`
std::string typeOf(const Node &node);

/// Returns the source line that recorded the node, such as `app.cpp:41`.
std::string lineOf(const Node &node);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_DEPENDENTS_H
