//===- RowSort.h - Elements sorted in a thread's scratch --------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H

#include "codegen/emitters/simd/sort/RadixSort.h"

namespace tensorc::codegen::simd {

/// Keys, and places if an argsort wants them, in the scratch: twice as many as
/// are sorted at most, two halves of which take turns. Many are distributed
/// digit by digit, few are merged in ever longer runs.
class RowSort {
public:
  /// At most `capacity` elements, of which `longFrom` and more are many. There
  /// is room for `spare` keys more, from key 2 * capacity on.
  RowSort(KernelBuilder &kernel, SortOrder &order, mlir::AffineExpr capacity,
          int64_t longFrom, int64_t spare = 0);

  /// Of the scratch.
  mlir::AffineExpr bytes() const { return size; }

  mlir::Value key(mlir::Value at);
  mlir::Value place(mlir::Value at);
  void put(mlir::Value at, mlir::Value key, mlir::Value place);
  /// Keys alone.
  void putLanes(mlir::Value at, mlir::Value keys);
  /// The fusion's outputs in a row, of the sorted elements from `from` on.
  mlir::LogicalResult store(const AxisNest &nest,
                            const analysis::IterationSpace &space,
                            llvm::SmallVector<mlir::Value> dims,
                            mlir::Value from);
  /// From `from` on to the begin: the ranges do not overlap.
  mlir::LogicalResult moveToFront(mlir::Value from, mlir::Value count);

  /// Whether all, or none, of the lengths up to the capacity are long; null:
  /// neither is known.
  std::optional<bool> isLong(mlir::AffineExpr length) const;
  mlir::Value isLong(mlir::Value length);

  /// Before the first key is put and counted: long rows only.
  mlir::LogicalResult startCounting() { return radix->clear(); }
  void count(mlir::Value key) { radix->count(key); }
  /// Sorts the first `length` elements, of which there is one at least if they
  /// are long; then all are counted. Returns where they begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length, bool byDigits);
  /// Counts them itself, and chooses the way when it runs.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  SortOrder &order;
  SortBuffers buffers;
  std::optional<RadixSort> radix;
  mlir::AffineExpr size;
  int64_t longFrom;

  mlir::Value index(int64_t v) { return indexConstant(kernel, v); }
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value smaller(mlir::Value x, mlir::Value y);
  /// A pass, from one half to the other.
  struct Merge {
    mlir::Value length, from, to;
  };
  mlir::LogicalResult mergeRuns(const Merge &pass, mlir::Value width);
  mlir::FailureOr<Values> mergeStep(const Merge &pass, mlir::Value middle,
                                    mlir::Value end, mlir::Value at,
                                    mlir::ValueRange heads);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
