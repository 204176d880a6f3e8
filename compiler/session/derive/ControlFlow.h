//===- ControlFlow.h - Branches and loops of recorded functions -----------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_CONTROLFLOW_H
#define TENSORC_COMPILER_SESSION_DERIVE_CONTROLFLOW_H

#include "compiler/graph/RegionCalls.h"

namespace tensorc::derive {

using graph::Body;

/// One node per result; none after an error. What a body reads beside its
/// arguments is computed before, and numbers are part of it.

/// Both bodies take the inputs.
llvm::SmallVector<graph::NodeRef> branch(graph::Recorder &r,
                                         const graph::NodeRef &predicate,
                                         llvm::ArrayRef<graph::NodeRef> inputs,
                                         const Body &then,
                                         const Body &otherwise);

/// All bodies take the inputs. The index is one integer; below the first body
/// is the first, beyond the last the last.
llvm::SmallVector<graph::NodeRef> choose(graph::Recorder &r,
                                         const graph::NodeRef &index,
                                         llvm::ArrayRef<graph::NodeRef> inputs,
                                         llvm::ArrayRef<Body> bodies);

/// Both bodies take what is carried; the condition gives one i1. There are at
/// most so many iterations; 0: as many as it takes.
llvm::SmallVector<graph::NodeRef>
repeatWhile(graph::Recorder &r, llvm::ArrayRef<graph::NodeRef> carried,
            const Body &condition, const Body &body, int64_t most);

/// The body takes the number of the iteration, an i64, what is carried, and
/// parts of what is scanned; it gives what is carried next and parts of the
/// other results.
llvm::SmallVector<graph::NodeRef> scan(graph::Recorder &r,
                                       llvm::ArrayRef<graph::NodeRef> carried,
                                       llvm::ArrayRef<graph::NodeRef> scanned,
                                       int64_t length, bool reverse,
                                       const Body &body);

/// The first body gives `returned` results and then what the second needs. That
/// one takes the latter and a cotangent per result, and gives one per argument.
/// The nodes of the results.
llvm::SmallVector<graph::NodeRef>
customVjp(graph::Recorder &r, llvm::ArrayRef<graph::NodeRef> arguments,
          size_t returned, const Body &forward, const Body &backward);

/// The body of the arguments, of which a gradient keeps what goes in alone and
/// computes the rest again. That is the arguments and what the body captures.
llvm::SmallVector<graph::NodeRef>
checkpoint(graph::Recorder &r, llvm::ArrayRef<graph::NodeRef> arguments,
           const Body &body);

/// x, through which no gradient goes.
graph::NodeRef stopGradient(graph::Recorder &r, const graph::NodeRef &x);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_CONTROLFLOW_H
