//===- MergedRuns.h - Rows of few runs --------------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGEDRUNS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGEDRUNS_H

#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/RowElements.h"

namespace tensorc::codegen::simd {

/// Stores a row of few ascending runs by merging them where they lie.
class MergedRuns : IndexCode {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// True if some of the rows may be long enough, and all of a row is stored.
  static bool takes(KernelBuilder &kernel, const AxisNest &nest);
  static int64_t scratchBytes(KernelBuilder &kernel);
  /// Its lists begin at this byte of the scratch.
  MergedRuns(RowElements &elements, int64_t firstByte);

  /// Returns an i1: whether the row, in order up to the step at `from`, had few
  /// runs and has been stored.
  mlir::FailureOr<mlir::Value> storeRuns(const Values &dims, mlir::Value from);

private:
  RowElements &elements;
  const AxisNest &nest;
  SortOrder &order;
  analysis::IterationSpace space;
  /// Where each run begins, and what is left of it.
  mlir::Value runs, heads;

  /// Runs whose heads come first and second, and the second one's key.
  struct Heads {
    mlir::Value first, second, key, isAlone;
  };
  mlir::FailureOr<mlir::Value> recordRuns(const Values &dims, mlir::Value at,
                                          mlir::Value end, mlir::Value count);
  mlir::FailureOr<mlir::Value> findRuns(const Values &dims, mlir::Value from);
  mlir::FailureOr<Heads> firstHeads(const Values &dims, mlir::Value count);
  mlir::FailureOr<mlir::Value> endOfPiece(const Values &dims, const Heads &at,
                                          mlir::Value head);
  mlir::LogicalResult storePiece(const Values &dims, mlir::Value from,
                                 mlir::Value to, mlir::Value count);
  mlir::FailureOr<mlir::Value> mergeFew(const Values &dims, mlir::Value count);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGEDRUNS_H
