//===- TapeGradient.h - Gradients of what a tape recorded -----------------===//
//
// What lies between the sources and the target becomes a function of its
// operands, and of those of its values that host code has read. That function
// is differentiated once; the next time that the same structure was recorded,
// the gradient's nodes are made of what was found then.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_TAPEGRADIENT_H
#define TENSORC_COMPILER_SESSION_DERIVE_TAPEGRADIENT_H

#include "compiler/graph/Recorder.h"
#include "compiler/graph/Tapes.h"

namespace tensorc::derive {

/// The derivatives of a float of one element by the sources, one node for each;
/// none after an error.
llvm::SmallVector<graph::NodeRef>
tapeGradient(graph::Recorder &r, const graph::Tapes &tapes,
             const graph::NodeRef &target,
             llvm::ArrayRef<graph::NodeRef> sources);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_TAPEGRADIENT_H
