//===- RadixSort.h - Radix sort of long rows ------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RADIXSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RADIXSORT_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/SortBuffers.h"

namespace tensorc::codegen::simd {

/// LSD radix sort by the 8-bit digits of the keys' ordinals (unsigned integers
/// in the order of the keys). It is stable. All digits are counted before the
/// first pass, and a digit that is the same in all keys is skipped.
class RadixSort : IndexCode {
public:
  /// The counters begin at `firstByte` of the scratch, a multiple of 8.
  RadixSort(KernelBuilder &kernel, SortOrder &order, SortBuffers &row,
            mlir::Value firstByte);

  static int64_t counterBytes(const SortOrder &order);
  /// Returns the length from which on it is faster than merging.
  static int64_t shortestRow(const SortOrder &order);

  /// Sorts a row of at least one element that lies in the first half of the
  /// buffers. Returns the index at which the sorted elements begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// Sorts floats without positions: converts the row to ordinals once, in
  /// place. Requires that no equal keys have different bits.
  mlir::FailureOr<mlir::Value> sortAsOrdinals(mlir::Value length);

private:
  SortOrder &order;
  SortBuffers &row;
  mlir::Value counters;
  /// True while the buffers hold ordinals, as bits of the keys' type.
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
