//===- ControlFlow.h - Branches and loops of recorded functions -----------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_CONTROLFLOW_H
#define TENSORC_COMPILER_SESSION_DERIVE_CONTROLFLOW_H

#include "compiler/graph/module/RegionCalls.h"

namespace tensorc::derive {

using graph::Body;

// Each of these functions returns one node per result, and none after an error.
// Captured values are computed before the op and become its inputs; captured
// scalars become constants in its blocks.

/// Both bodies take the inputs.
llvm::SmallVector<graph::NodeRef> branch(graph::Recorder &r,
                                         const graph::NodeRef &predicate,
                                         llvm::ArrayRef<graph::NodeRef> inputs,
                                         const Body &then,
                                         const Body &otherwise);

/// All bodies take the inputs. The index is one integer, clamped to [0, number
/// of bodies - 1].
llvm::SmallVector<graph::NodeRef> choose(graph::Recorder &r,
                                         const graph::NodeRef &index,
                                         llvm::ArrayRef<graph::NodeRef> inputs,
                                         llvm::ArrayRef<Body> bodies);

/// Both bodies take the carried values; the condition returns one i1. `most` is
/// the maximum number of iterations; 0 for no limit.
llvm::SmallVector<graph::NodeRef>
repeatWhile(graph::Recorder &r, llvm::ArrayRef<graph::NodeRef> carried,
            const Body &condition, const Body &body, int64_t most);

/// The body takes the iteration number (an i64), the carried values, and slices
/// of the scanned ones. It returns the next carried values and slices of the
/// other results.
llvm::SmallVector<graph::NodeRef> scan(graph::Recorder &r,
                                       llvm::ArrayRef<graph::NodeRef> carried,
                                       llvm::ArrayRef<graph::NodeRef> scanned,
                                       int64_t length, bool reverse,
                                       const Body &body);

/// The first body returns `returned` results, followed by values that it keeps
/// for the second body. The second body takes these values and a cotangent per
/// result, and returns a gradient per argument. Returns the nodes of the
/// results.
llvm::SmallVector<graph::NodeRef>
customVjp(graph::Recorder &r, llvm::ArrayRef<graph::NodeRef> arguments,
          size_t returned, const Body &forward, const Body &backward);

/// Applies the body to the arguments. For the gradient only the body's inputs,
/// that is, the arguments and captured values, are kept; the gradient
/// recomputes everything else.
llvm::SmallVector<graph::NodeRef>
checkpoint(graph::Recorder &r, llvm::ArrayRef<graph::NodeRef> arguments,
           const Body &body);

/// Returns x. Gradients with respect to the result do not reach x.
graph::NodeRef stopGradient(graph::Recorder &r, const graph::NodeRef &x);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_CONTROLFLOW_H
