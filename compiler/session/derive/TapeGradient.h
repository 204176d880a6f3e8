//===- TapeGradient.h - Gradients of recorded tapes -----------------------===//
//
// The ops between the sources and the target become a function of their
// operands and of values that host code has read. That function is
// differentiated once. When the same structure is recorded again, the
// gradient's nodes are instantiated from the result.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_TAPEGRADIENT_H
#define TENSORC_COMPILER_SESSION_DERIVE_TAPEGRADIENT_H

#include "compiler/graph/Recorder.h"
#include "compiler/graph/Tapes.h"

namespace tensorc::derive {

/// Returns the derivatives of `target`, a float of one element, with respect to
/// the sources: one node per source, or none after an error.
llvm::SmallVector<graph::NodeRef>
tapeGradient(graph::Recorder &r, const graph::Tapes &tapes,
             const graph::NodeRef &target,
             llvm::ArrayRef<graph::NodeRef> sources);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_TAPEGRADIENT_H
