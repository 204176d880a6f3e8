//===- ReductionGroups.h - Finishes short rows in lanes ---------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONGROUPS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONGROUPS_H

#include "codegen/emitters/simd/ReductionSkeleton.h"

namespace tensorc::codegen::simd {

/// Reduces a group of short rows, and then computes the costly ops on their
/// results in lanes, one per row. The bits are those of rows that are finished
/// one by one.
class GroupedRows {
public:
  explicit GroupedRows(ReductionSkeleton &reduction)
      : reduction(reduction), kernel(reduction.kernel), b(reduction.b) {}

  /// True if rows are short and an op on their results is costly.
  bool isProfitable();
  /// Emits the kernel's loop over all groups.
  mlir::LogicalResult emit();

private:
  using Values = llvm::SmallVector<mlir::Value>;
  ReductionSkeleton &reduction;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  /// The results of the reductions, then the costly values computed from them,
  /// and the memory for those of a group.
  Values values, memory;

  std::optional<analysis::Index> indexOfRow(mlir::Value v);
  Values costlyResults();
  mlir::LogicalResult
  forRows(mlir::Value first, mlir::Value count,
          llvm::function_ref<mlir::LogicalResult(mlir::Value row,
                                                 const Values &dims)>
              body);
  mlir::LogicalResult reduceRows(mlir::Value first, mlir::Value count);
  mlir::LogicalResult finishInLanes(mlir::Value first, mlir::Value count);
  mlir::LogicalResult storeRows(mlir::Value first, mlir::Value count);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONGROUPS_H
