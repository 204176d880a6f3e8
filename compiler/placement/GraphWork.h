//===- GraphWork.h - What a recorded expression has to do -----------------===//
#ifndef TENSORC_COMPILER_PLACEMENT_GRAPHWORK_H
#define TENSORC_COMPILER_PLACEMENT_GRAPHWORK_H

#include "compiler/graph/Trace.h"
#include "compiler/placement/CostModel.h"

namespace tensorc::placement {

/// What computing the roots takes. Nothing is compiled yet: which ops will be
/// one kernel is guessed, as the planner would in the plain cases. Operands are
/// in the order of the trace. `trace` has collected the roots; needs
/// graphMutex().
Work workOf(const graph::Trace &trace, llvm::ArrayRef<graph::Node *> roots);

/// The devices that have the value.
OperandWork operandOf(const graph::Node &value);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_PLACEMENT_GRAPHWORK_H
