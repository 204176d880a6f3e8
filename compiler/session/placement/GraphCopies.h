//===- GraphCopies.h - Values that an evaluation copies -------------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_GRAPHCOPIES_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_GRAPHCOPIES_H

#include "compiler/graph/Trace.h"
#include "compiler/session/placement/CostModel.h"

namespace tensorc::placement {

/// Returns the operands, in the order of the trace, and the results of
/// computing the roots, but no kernels. `trace` has collected the roots' nodes.
/// Requires graphMutex().
Work copiesOf(const graph::Trace &trace, llvm::ArrayRef<graph::Node *> roots);

/// Returns the value and the devices that hold it.
OperandWork operandOf(const graph::Node &value);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_GRAPHCOPIES_H
