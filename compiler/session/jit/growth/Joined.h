//===- Joined.h - Concatenations that grow in a loop ----------------------===//
//
// A loop that appends to a list and concatenates it evaluates a concatenation
// of more operands each time. A kernel is compiled for a fixed number of
// operands, so evaluated operands are joined by copies.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_GROWTH_JOINED_H
#define TENSORC_COMPILER_SESSION_JIT_GROWTH_JOINED_H

#include "compiler/graph/Trace.h"
#include "compiler/session/jit/Executable.h"

#include <optional>
#include <vector>

namespace tensorc::jit {

/// True if a node concatenates or stacks a list of one value along its first dim,
/// which is nearly always the first iteration of a loop that appends to the list.
/// The caller must hold graphMutex().
bool beginsList(llvm::ArrayRef<graph::Node *> nodes);

/// Returns the operands of growing concatenations that have no value yet. They
/// are evaluated first, because their number varies and a kernel is compiled
/// for a fixed number. Fusing the last one into the rest of the expression would
/// save a launch, but a list of one value would need a program of its own.
std::vector<graph::NodeRef>
appendedOperands(llvm::ArrayRef<graph::Node *> roots);

/// Returns the node, and those that it depends on and that the program holds or
/// ops outside of its expression read. If all of them are stored, the operands of
/// all iterations are computed by the same program.
std::vector<graph::NodeRef> withNeededLater(graph::Node &node);

/// Gives each root the value of the node that was evaluated in its place.
void publishReplaced(llvm::ArrayRef<graph::Node *> roots,
                     llvm::ArrayRef<graph::Node *> replaced);

/// Evaluates a concatenation of values by copies. Does nothing for other nodes.
Status joinValues(tensorc_rt_device *device, graph::Node &node);

/// Evaluates the roots after joining runs of concatenated values. Returns
/// nullopt if there is nothing to join, or if the joined expression still
/// grows.
std::optional<Status> evaluateJoined(
    tensorc_rt_device *device, llvm::ArrayRef<graph::Node *> roots,
    llvm::function_ref<bool(size_t)> isSteady,
    llvm::function_ref<Status(llvm::ArrayRef<graph::Node *>)> evaluate);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_GROWTH_JOINED_H
