//===- WindowSums.h - Sums of large windows in logical lanes ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_WINDOWS_WINDOWSUMS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_WINDOWS_WINDOWSUMS_H

#include "codegen/emitters/plans/ReductionPlan.h"

namespace tensorc::codegen::simd {

/// The states of the logical lanes of an order, in stack memory. A window with
/// too many positions to unroll is reduced by a loop, and the logical lane of a
/// position is known only at run time.
class WindowSums {
public:
  WindowSums(ReductionPlan &plan, int64_t numLanes)
      : plan(plan), numLanes(numLanes) {}

  /// Allocates the states of `count` vectors of outputs.
  void allocate(int64_t count);
  /// Sets all states to the neutral state.
  mlir::LogicalResult clear();
  /// Combines the state of vector `output` in `lane`, an index, with `other`.
  mlir::LogicalResult combine(mlir::Value lane, int64_t output,
                              const Combiner::State &other);
  /// Combines the lanes by halves. Returns the states of all vectors.
  mlir::FailureOr<llvm::SmallVector<Combiner::State, 4>> combineLanes();

private:
  ReductionPlan &plan;
  int64_t numLanes;
  int64_t count = 0;
  /// For each value of a state, the vectors as [lane][output].
  llvm::SmallVector<mlir::Value, 2> memory;

  Combiner &combiner() { return plan.reductions.front().combiner; }
  mlir::VectorType vectorType(mlir::Value of) const;
  Combiner::State load(mlir::Value at);
  void store(const Combiner::State &state, mlir::Value at);
  mlir::Value position(mlir::Value lane, int64_t output);
  mlir::LogicalResult combine(mlir::Value at, const Combiner::State &other);
  /// Emits a loop over the positions in memory of the first `numVectors`
  /// vectors.
  mlir::LogicalResult
  forVectors(int64_t numVectors,
             llvm::function_ref<mlir::LogicalResult(mlir::Value)> body);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_WINDOWS_WINDOWSUMS_H
