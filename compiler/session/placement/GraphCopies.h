//===- GraphCopies.h - What an evaluation has to move ---------------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_GRAPHCOPIES_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_GRAPHCOPIES_H

#include "compiler/graph/Trace.h"
#include "compiler/session/placement/CostModel.h"

namespace tensorc::placement {

/// Operands, in the order of the trace, and results of computing the roots; no
/// kernels. `trace` has walked the roots; needs graphMutex().
Work copiesOf(const graph::Trace &trace, llvm::ArrayRef<graph::Node *> roots);

/// The devices that have the value.
OperandWork operandOf(const graph::Node &value);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_GRAPHCOPIES_H
