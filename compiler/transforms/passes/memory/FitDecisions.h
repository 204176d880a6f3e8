//===- FitDecisions.h - Decisions that reduce the memory use of a run -----===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FITDECISIONS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FITDECISIONS_H

#include "compiler/transforms/passes/memory/RunPlan.h"

namespace tensorc::compiler {

/// Reorders the steps to make the peak of the temporaries smaller. Leaves the
/// plan unchanged if no such order is found. Returns the number of steps that
/// moved.
unsigned orderByPeak(RunPlan &plan);

/// Makes the decision that saves the most bytes at the peak per second of added
/// run time. `original` is the plan in which every buffer is computed once.
/// Returns false if no decision makes the peak smaller.
bool repeatLaunches(RunPlan &plan, const RunPlan &original);

/// Moves and repeats the program's ops as planned, and adds attributes that
/// describe the decisions.
void applyPlan(txp::FuncOp program, const RunPlan &plan);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FITDECISIONS_H
