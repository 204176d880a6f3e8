//===- RadixSort.h - Rows sorted digit by digit ---------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RADIXSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RADIXSORT_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/SortBuffers.h"

namespace tensorc::codegen::simd {

/// Distributes a row by the digits of 8 bits of its keys' ordinals, the lowest
/// first. Each pass keeps the order of equal digits, so the sort is stable. All
/// digits are counted before the first pass; one that is the same in all keys
/// costs no pass.
class RadixSort : IndexCode {
public:
  /// The counters begin at a byte of the scratch that is a multiple of 8.
  RadixSort(KernelBuilder &kernel, SortOrder &order, SortBuffers &row,
            mlir::Value firstByte);

  static int64_t counterBytes(const SortOrder &order);
  /// Rows from this length on are sorted faster than by merging.
  static int64_t shortestRow(const SortOrder &order);

  /// Sorts a row of at least one element, which is in the first half. Returns
  /// where it begins when it is sorted.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// The same for floats without places, of which no two are equal with
  /// different bits: the row holds ordinals meanwhile.
  mlir::FailureOr<mlir::Value> sortAsOrdinals(mlir::Value length);

private:
  SortOrder &order;
  SortBuffers &row;
  mlir::Value counters;
  /// True while the row holds ordinals, in the bits of its keys.
  bool holdsOrdinals = false;

  mlir::LogicalResult clear();
  void count(mlir::Value key);
  mlir::FailureOr<mlir::Value> distributeAll(mlir::Value length);
  mlir::LogicalResult convert(mlir::Value from, mlir::Value length,
                              bool isBack);
  mlir::Value ordinalOf(mlir::Value key);
  mlir::Value digitOf(mlir::Value ordinal, mlir::Value number);
  mlir::Value digitAt(mlir::Value place, mlir::Value number);
  mlir::Value counterOf(mlir::Value number, mlir::Value digit);
  mlir::LogicalResult distribute(mlir::Value length, mlir::Value number,
                                 mlir::Value from, mlir::Value to);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RADIXSORT_H
