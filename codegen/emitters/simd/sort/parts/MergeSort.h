//===- MergeSort.h - Short rows merged run by run ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGESORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGESORT_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/SortBuffers.h"

namespace tensorc::codegen::simd {

/// Merges of ever longer runs, from one half of the buffers to the other.
class MergeSort {
public:
  MergeSort(KernelBuilder &kernel, SortOrder &order, SortBuffers &buffers)
      : kernel(kernel), b(kernel.b), order(order), buffers(buffers) {}

  /// Returns where the elements begin when they are sorted.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  SortOrder &order;
  SortBuffers &buffers;

  /// A pass, from one half to the other.
  struct Merge {
    mlir::Value length, from, to;
  };
  mlir::Value index(int64_t v) { return indexConstant(kernel, v); }
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value smaller(mlir::Value x, mlir::Value y);
  mlir::LogicalResult mergeRuns(const Merge &pass, mlir::Value width);
  mlir::FailureOr<Values> mergeStep(const Merge &pass, mlir::Value middle,
                                    mlir::Value end, mlir::Value at,
                                    mlir::ValueRange heads);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_MERGESORT_H
