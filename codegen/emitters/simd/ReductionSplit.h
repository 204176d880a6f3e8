//===- ReductionSplit.h - Split a reduction in two kernels ------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSPLIT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSPLIT_H

#include "codegen/emitters/simd/ReductionSkeleton.h"

namespace tensorc::codegen::simd {

/// Splits a reduction in two kernels, to occupy all threads when there are few
/// results. Work items of the first one are blocks of the reduced space; the
/// second one combines their partial results in order. Results are the same
/// bits.
class SplitReduction {
public:
  explicit SplitReduction(ReductionSkeleton &whole)
      : whole(whole), kernel(whole.kernel), b(whole.b) {}

  /// True if the kept dims have too few indices to occupy all threads.
  bool paysOff();
  /// Returns the temporaries that hold partial results, of shape [block, item,
  /// lane].
  llvm::SmallVector<KernelSpec::Temporary> temporaries();
  mlir::FailureOr<KernelSpec> emitPartial();
  mlir::FailureOr<KernelSpec> emitFinish();

private:
  using Values = llvm::SmallVector<mlir::Value>;
  ReductionSkeleton &whole;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;

  mlir::LogicalResult storeBlock(const Values &dims, mlir::Value mask,
                                 mlir::Value lower, mlir::Value upper);
  int64_t blocksOfItem();
  int64_t bytesOfItem();
  mlir::LogicalResult oneBlock(const Values &dims, mlir::Value mask,
                               mlir::Value block, mlir::Value place);
  mlir::LogicalResult
  blocksInTurns(const Values &dims, mlir::Value mask, mlir::Value block,
                llvm::function_ref<mlir::Value(mlir::Value)> placeOf);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_REDUCTIONSPLIT_H
