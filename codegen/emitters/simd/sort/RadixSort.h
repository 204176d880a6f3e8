//===- RadixSort.h - Rows sorted digit by digit ---------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_RADIXSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_RADIXSORT_H

#include "codegen/emitters/SortOrder.h"

namespace tensorc::codegen::simd {

/// The buffers of a row: a double buffer, each half as long as the row. Without
/// an argsort, places are null.
struct SortBuffers {
  mlir::Value keys, places;
};

/// Distributes a row by the digits of 8 bits of its keys' ordinals, the lowest
/// first. Each pass keeps the order of equal digits, so the sort is stable. All
/// digits are counted before the first pass; one that is the same in all keys
/// costs no pass.
class RadixSort {
public:
  /// The counters begin at a byte of the scratch that is a multiple of 8.
  RadixSort(KernelBuilder &kernel, SortOrder &order, const SortBuffers &row,
            mlir::Value firstByte);

  static int64_t counterBytes(const SortOrder &order);
  /// Rows from this length on are sorted faster than by merging.
  static int64_t shortestRow(const SortOrder &order);

  /// Before the first key of a row.
  mlir::LogicalResult clear();
  void count(mlir::Value key);
  /// A row of at least one element, which is in the first half. Returns where
  /// it begins when it is sorted.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// Whether the row holds ordinals, in the bits of its keys.
  bool holdsOrdinals = false;

private:
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  SortOrder &order;
  SortBuffers row;
  mlir::Value counters;

  mlir::Value ordinalOf(mlir::Value key);
  mlir::Value digitOf(mlir::Value ordinal, mlir::Value number);
  mlir::Value digitAt(mlir::Value place, mlir::Value number);
  mlir::Value counterOf(mlir::Value number, mlir::Value digit);
  mlir::LogicalResult distribute(mlir::Value length, mlir::Value number,
                                 mlir::Value from, mlir::Value to);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_RADIXSORT_H
