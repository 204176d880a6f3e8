//===- OrderedRows.h - Rows that are already in order -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ORDEREDROWS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ORDEREDROWS_H

#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/MergedRuns.h"

namespace tensorc::codegen::simd {

/// Stores rows without sorting them if they are in order, or nearly so.
class OrderedRows : IndexCode {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// `runs` merges rows that consist of few runs. If it is null, such rows are
  /// sorted.
  OrderedRows(RowElements &elements, MergedRuns *runs)
      : IndexCode(elements.kernel), elements(elements), nest(elements.nest),
        order(elements.order), runs(runs) {}

  /// Emits code that checks whether the row at `dims` is in order, strictly
  /// descending, or a few runs, and stores it without sorting. `sortRow` emits
  /// the branch for other rows.
  mlir::LogicalResult sortUnlessOrdered(
      const Values &dims,
      llvm::function_ref<mlir::LogicalResult(Values dims)> sortRow);

private:
  RowElements &elements;
  const AxisNest &nest;
  SortOrder &order;
  MergedRuns *runs;

  /// Result of scanning a row. `holds`: an i1 that is true if all pairs have
  /// the same order as the first pair. `descends`: an i1 that is true if the
  /// first pair is strictly descending.
  struct Ordered {
    mlir::Value holds, descends;
    /// The index at which the first step of the scan begins that has a pair not
    /// in ascending order. 0 if the first pair descends.
    mlir::Value until;
  };
  mlir::FailureOr<Ordered> findOrder(const Values &dims);
  mlir::LogicalResult storeOrdered(const Values &dims, bool isMirrored);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ORDEREDROWS_H
