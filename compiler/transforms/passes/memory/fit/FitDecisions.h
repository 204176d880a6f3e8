//===- FitDecisions.h - Decisions that reduce the memory use of a run -----===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FIT_FITDECISIONS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FIT_FITDECISIONS_H

#include "compiler/transforms/passes/memory/fit/RunPlan.h"

namespace tensorc::compiler {

/// Reorders the steps to make the peak of the temporaries smaller. Leaves the
/// plan unchanged if no such order is found. Returns the number of steps that
/// moved.
unsigned orderByPeak(RunPlan &plan);

/// A plan with one more decision, and the bytes that it saves at the peak per
/// second of added run time.
struct ChangedPlan {
  RunPlan plan;
  double savedPerSecond = 0;
};

/// Returns the plan in which a value is computed again instead of being kept,
/// for the value that saves the most bytes per second. `original` is the plan
/// in which every buffer is computed once. Returns nullopt if no value makes the
/// peak smaller.
std::optional<ChangedPlan> repeatLaunches(const RunPlan &plan,
                                          const RunPlan &original);

/// Removes repeated launches without which the plan still fits, those that take
/// longest first.
void keepRepeated(RunPlan &plan, int64_t limit);

/// Returns the plan in which a buffer is moved to the host during the peak, for
/// the buffer that saves the most bytes per second, or nullopt.
std::optional<ChangedPlan> spillBuffer(const RunPlan &plan,
                                       const RunRates &rates);

/// Returns the plan in which a launch in the loop of the peak is repeated, or a
/// buffer of it moved to the host, or nullopt.
std::optional<ChangedPlan> changeBody(const RunPlan &plan,
                                      const RunRates &rates);

/// Maximum number of buffers or constants that are tried for one decision about
/// copies from or to the host, largest first.
inline constexpr size_t maxTriedMoves = 24;

/// Returns the plan in which a constant is uploaded when it is used, for the
/// constant that saves the most bytes per second, or nullopt. Otherwise a
/// constant is taken that saves nothing alone, because all uses of it are at the
/// peak: others may have the memory after it.
std::optional<ChangedPlan> streamConstant(const RunPlan &plan,
                                          const RunRates &rates);

/// Starts uploads of constants before earlier steps, so that launches cover
/// them, as far as the limit has room.
void prefetchConstants(RunPlan &plan, int64_t limit);

/// Moves and repeats the program's ops as planned, and adds attributes that
/// describe the decisions.
void applyPlan(txp::FuncOp program, const RunPlan &plan);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FIT_FITDECISIONS_H
