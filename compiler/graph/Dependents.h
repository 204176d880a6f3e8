//===- Dependents.h - What of an expression depends on arguments ----------===//
#ifndef TENSORC_COMPILER_GRAPH_DEPENDENTS_H
#define TENSORC_COMPILER_GRAPH_DEPENDENTS_H

#include "compiler/graph/Recorder.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tensorc::graph {

struct Dependents {
  /// Operands first.
  std::vector<Node *> order;
  /// The arguments, and behind them what is computed without them.
  llvm::SetVector<Node *> inputs;
};

/// Collects the nodes that the results need and that depend on the arguments. A
/// number that such a node reads is one of them if `isInside` says so, else an
/// input. False after an error. Needs graphMutex().
bool collectDependents(
    Recorder &r, llvm::ArrayRef<NodeRef> arguments,
    llvm::ArrayRef<NodeRef> results,
    llvm::function_ref<bool(const Node &user, unsigned operand)> isInside,
    Dependents &out);

llvm::SmallVector<Node *> pointers(llvm::ArrayRef<NodeRef> refs);

/// `f32[2,3]`
std::string typeOf(const Node &node);

/// The line that made it: `app.cpp:41`.
std::string lineOf(const Node &node);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_DEPENDENTS_H
