//===- ReductionSplit.h - Splits a reduction into two kernels ---*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSPLIT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSPLIT_H

#include "codegen/emitters/simd/ReductionSkeleton.h"

namespace tensorc::codegen::simd {

/// Splits a reduction into two kernels, to occupy all threads if there are few
/// results. The work items of the first kernel are blocks of the reduced space.
/// The second one combines the partial results in order. The results are the
/// same bits as those of one kernel.
class SplitReduction {
public:
  explicit SplitReduction(ReductionSkeleton &reduction)
      : reduction(reduction), kernel(reduction.kernel), b(reduction.b) {}

  /// True if a single kernel would have few but long work items, so that most
  /// threads would be idle.
  bool isProfitable();
  /// Returns temporaries of shape [block, item, lane] for the partial results.
  llvm::SmallVector<KernelSpec::Temporary> temporaries();
  mlir::FailureOr<KernelSpec> emitPartial();
  mlir::FailureOr<KernelSpec> emitFinish();

private:
  using Values = llvm::SmallVector<mlir::Value>;
  ReductionSkeleton &reduction;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;

  mlir::LogicalResult storeBlock(const Values &dims, mlir::Value mask,
                                 mlir::Value lower, mlir::Value upper);
  int64_t blocksOfItem();
  int64_t bytesOfItem();
  mlir::LogicalResult oneBlock(const Values &dims, mlir::Value mask,
                               mlir::Value block, mlir::Value position);
  mlir::LogicalResult
  reduceInterleaved(const Values &dims, mlir::Value mask, mlir::Value block,
                    llvm::function_ref<mlir::Value(mlir::Value)> offsetOf);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSPLIT_H
