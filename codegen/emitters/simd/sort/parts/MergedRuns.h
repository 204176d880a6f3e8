//===- MergedRuns.h - Merge rows of few ascending runs ----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGEDRUNS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGEDRUNS_H

#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/RowElements.h"

namespace tensorc::codegen::simd {

/// Stores a row that consists of few ascending runs: merges them directly from
/// the input to the outputs, without scratch for elements.
class MergedRuns : IndexCode {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// True if rows are stored whole and may be long enough for merging their
  /// runs to pay off.
  static bool takes(KernelBuilder &kernel, const AxisNest &nest);
  static int64_t scratchBytes(KernelBuilder &kernel);
  /// The lists of runs begin at byte `firstByte` of the scratch.
  MergedRuns(RowElements &elements, int64_t firstByte);

  /// Merges and stores a row that is in order up to the step at `from`. Returns
  /// an i1: false if it had too many runs and is still to be sorted.
  mlir::FailureOr<mlir::Value> storeRuns(const Values &dims, mlir::Value from);

private:
  RowElements &elements;
  const AxisNest &nest;
  SortOrder &order;
  analysis::IterationSpace space;
  /// Per run: `runs` holds where it begins, `heads` its first element that is
  /// not stored yet.
  mlir::Value runs, heads;

  /// `first` and `second`: runs whose heads come first and second. `key`: head
  /// of the second run. `isAlone`: i1, true if there is no second run.
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
