//===- ReductionUnrolled.h - Columns reduced side by side -------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONUNROLLED_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONUNROLLED_H

#include "codegen/emitters/plans/ReductionPlan.h"

namespace tensorc::codegen::simd {

/// The steps of an unrolled kept loop, each a copy of the states and of the
/// results.
struct ReductionCopies {
  ReductionPlan &plan;
  /// Nullopt: there is one copy.
  std::optional<unsigned> loop;
  int64_t count = 1;
  llvm::SmallVector<llvm::DenseMap<mlir::Value, mlir::Value>> results;
  /// A read that is done before the reduced loops.
  struct KnownRead {
    mlir::Value value;
    analysis::Index index;
    mlir::Value element;
  };
  llvm::SmallVector<llvm::SmallVector<KnownRead>> reads; // by copy

  explicit ReductionCopies(ReductionPlan &plan) : plan(plan) {}
  /// The loops' index in a copy.
  analysis::Index indexOf(int64_t copy) const;
  mlir::LogicalResult readOnce(const llvm::SmallVector<mlir::Value> &dims,
                               mlir::Value mask);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONUNROLLED_H
