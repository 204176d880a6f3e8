//===- ReductionUnrolled.h - Column reductions with a short last dim ------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONUNROLLED_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONUNROLLED_H

#include "codegen/emitters/plans/ReductionPlan.h"

namespace tensorc::codegen::simd {

/// The copies of a loop body that unrolling a kept loop makes. Each copy has
/// its own states and results.
struct ReductionCopies {
  ReductionPlan &plan;
  /// The unrolled loop, or nullopt if there is only one copy.
  std::optional<unsigned> loop;
  int64_t count = 1;
  llvm::SmallVector<llvm::DenseMap<mlir::Value, mlir::Value>> results;
  /// An element that is loaded before the reduced loops.
  struct KnownRead {
    mlir::Value value;
    analysis::Index index;
    mlir::Value element;
  };
  llvm::SmallVector<llvm::SmallVector<KnownRead>> reads; // known reads, by copy

  explicit ReductionCopies(ReductionPlan &plan) : plan(plan) {}
  /// Returns the index with the unrolled loop's dim replaced by the constant
  /// `copy`.
  analysis::Index indexOf(int64_t copy) const;
  mlir::LogicalResult readOnce(const llvm::SmallVector<mlir::Value> &dims,
                               mlir::Value mask);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONUNROLLED_H
