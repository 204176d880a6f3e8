//===- MergedRuns.h - Merges rows of few ascending runs ---------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGEDRUNS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGEDRUNS_H

#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/RowElements.h"

namespace tensorc::codegen::simd {

/// Sorts a row that consists of few ascending runs by merging them directly
/// from the input to the outputs, without copying elements to scratch memory.
class MergedRuns : IndexCode {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// True if rows are stored whole, and may be so long that merging their runs
  /// pays off.
  static bool supports(KernelBuilder &kernel, const AxisNest &nest);
  static int64_t scratchBytes(KernelBuilder &kernel);
  /// The lists of runs begin at byte `firstByte` of scratch memory.
  MergedRuns(RowElements &elements, int64_t firstByte);

  /// Merges and stores a row that is in order up to the step at `from`. Returns
  /// an i1 that is false if the row has too many runs and must still be sorted.
  mlir::FailureOr<mlir::Value> storeRuns(const Values &dims, mlir::Value from);

private:
  RowElements &elements;
  const AxisNest &nest;
  SortOrder &order;
  analysis::IterationSpace space;
  /// For each run, `runs` has the index at which it begins, and `heads` the
  /// index of its first element that is not stored yet.
  mlir::Value runs, heads;

  /// `first` and `second`: the runs whose heads come first and second. `key`:
  /// head of the second run. `isLastRun`: an i1 that is true if there is no
  /// second run.
  struct Heads {
    mlir::Value first, second, key, isLastRun;
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
