//===- Dependents.h - What of an expression depends on arguments ----------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_DEPENDENTS_H
#define TENSORC_COMPILER_TRANSFORMS_DEPENDENTS_H

#include "compiler/graph/Recorder.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tensorc::transforms {

struct Dependents {
  /// Operands first.
  std::vector<graph::Node *> order;
  /// The arguments, and behind them what is computed without them.
  llvm::SetVector<graph::Node *> inputs;
};

/// Of what the results need, the nodes that depend on the arguments. A number
/// that such a node reads is one of them where `isInside` says so, else an
/// input. False after an error. Needs graphMutex().
bool collectDependents(
    graph::Recorder &r, llvm::ArrayRef<graph::NodeRef> arguments,
    llvm::ArrayRef<graph::NodeRef> results,
    llvm::function_ref<bool(const graph::Node &user, unsigned operand)>
        isInside,
    Dependents &out);

llvm::SmallVector<graph::Node *> pointers(llvm::ArrayRef<graph::NodeRef> refs);

/// `f32[2,3]`
std::string typeOf(const graph::Node &node);

} // namespace tensorc::transforms

#endif // TENSORC_COMPILER_TRANSFORMS_DEPENDENTS_H
