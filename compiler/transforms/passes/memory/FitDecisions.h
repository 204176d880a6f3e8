//===- FitDecisions.h - Ways to need less memory --------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FITDECISIONS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FITDECISIONS_H

#include "compiler/transforms/passes/memory/RunPlan.h"

namespace tensorc::compiler {

/// Reorders the steps such that the peak of the temporaries is smaller. Leaves
/// the plan alone if no order is found that does so. Returns the number of steps
/// that moved.
unsigned orderByPeak(RunPlan &plan);

/// Makes the decision that saves most bytes at the peak per second it costs.
/// `original` is the plan in which every buffer is computed once. Returns false
/// if no decision makes the peak smaller.
bool repeatLaunches(RunPlan &plan, const RunPlan &original);

/// Moves and repeats the program's ops as planned, and annotates the decisions.
void applyPlan(txp::FuncOp program, const RunPlan &plan);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FITDECISIONS_H
