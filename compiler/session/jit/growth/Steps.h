//===- Steps.h - The steps of a loop in an expression ---------------------===//
//
// A loop of the user's language that does not evaluate each iteration records an
// expression of several equal steps. If their number varies, the expression is
// evaluated step by step, and all numbers share a program.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_GROWTH_STEPS_H
#define TENSORC_COMPILER_SESSION_JIT_GROWTH_STEPS_H

#include "compiler/graph/Trace.h"

#include <vector>

namespace tensorc::jit {

/// Returns a number for each op of the trace, constants excluded. Ops have the
/// same number if they are of one kind and from one source line.
std::vector<uint64_t> locatedOps(const graph::Trace &trace);
/// Returns a hash of the set of these numbers, which does not depend on the
/// number of steps.
uint64_t hashOfOps(std::vector<uint64_t> ops);

/// What the steps of a loop have in common.
struct StepShape {
  size_t length = 0; // number of ops, 0 if the expression has no steps
  uint64_t last = 0; // the last op, as in locatedOps()
  /// The ops that a step computes for others, counted back from the last one.
  std::vector<size_t> state;
};

/// Cuts a trace that collectBySteps() made of the roots between the steps of a
/// loop, and returns the nodes that each piece must compute. Finds the shape of
/// the steps if it is not known. Adds the constants with which the first step
/// begins to `trace.early`. Returns nothing if there are no steps. The caller
/// must hold graphMutex().
std::vector<std::vector<graph::NodeRef>>
cutIntoSteps(graph::Trace &trace, llvm::ArrayRef<graph::Node *> roots,
             StepShape &shape);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_GROWTH_STEPS_H
