//===- MergeSort.h - Merge sort of short rows -------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGESORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGESORT_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/SortBuffers.h"

namespace tensorc::codegen::simd {

/// Bottom-up merge sort. Each pass merges runs from one half of the buffers to
/// the other, and doubles their length.
class MergeSort : IndexCode {
public:
  MergeSort(KernelBuilder &kernel, SortOrder &order, SortBuffers &buffers)
      : IndexCode(kernel), order(order), buffers(buffers) {}

  /// Sorts the first `length` elements. Returns the index at which the sorted
  /// elements begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  SortOrder &order;
  SortBuffers &buffers;

  /// A pass over the row, from the half at `from` to the half at `to`.
  struct Merge {
    mlir::Value length, from, to;
  };
  mlir::LogicalResult mergeRuns(const Merge &pass, mlir::Value width);
  mlir::FailureOr<Values> mergeStep(const Merge &pass, mlir::Value middle,
                                    mlir::Value end, mlir::Value at,
                                    mlir::ValueRange heads);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGESORT_H
