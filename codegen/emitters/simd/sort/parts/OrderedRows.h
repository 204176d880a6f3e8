//===- OrderedRows.h - Rows that come in order ------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ORDEREDROWS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ORDEREDROWS_H

#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/MergedRuns.h"

namespace tensorc::codegen::simd {

/// Stores rows that come in order, or nearly so, without a sort.
class OrderedRows : IndexCode {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// `runs` may be null: then rows of few runs are sorted.
  OrderedRows(RowElements &elements, MergedRuns *runs)
      : IndexCode(elements.kernel), elements(elements), nest(elements.nest),
        order(elements.order), runs(runs) {}

  /// Emits `sortRow` for the row, unless it comes in order, in strictly
  /// descending order, or in few runs.
  mlir::LogicalResult sortUnlessOrdered(
      const Values &dims,
      llvm::function_ref<mlir::LogicalResult(Values dims)> sortRow);

private:
  RowElements &elements;
  const AxisNest &nest;
  SortOrder &order;
  MergedRuns *runs;

  /// Two i1: whether the row holds one order, and whether this is the strictly
  /// descending one.
  struct Ordered {
    mlir::Value holds, descends;
    /// The step from which on it does not hold, unless it descends.
    mlir::Value until;
  };
  mlir::FailureOr<Ordered> findOrder(const Values &dims);
  mlir::LogicalResult storeOrdered(const Values &dims, bool isMirrored);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ORDEREDROWS_H
