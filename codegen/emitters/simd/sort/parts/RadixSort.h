//===- RadixSort.h - Radix sort of long rows ------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RADIXSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RADIXSORT_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/SortBuffers.h"

namespace tensorc::codegen::simd {

/// LSD radix sort by the 8-bit digits of the keys' ordinals (see
/// SortOrder::ordinal). The sort is stable. All digits are counted before the
/// first pass, and digits that are the same in all keys are skipped.
class RadixSort : IndexCode {
public:
  /// The counters begin at byte `firstByte` of scratch memory, a multiple of 8.
  RadixSort(KernelBuilder &kernel, SortOrder &order, SortBuffers &row,
            mlir::Value firstByte);

  static int64_t counterBytes(const SortOrder &order);
  /// Returns the minimum length of rows for which this sort is faster than
  /// merging.
  static int64_t shortestRow(const SortOrder &order);

  /// Sorts a row in the first half of the buffers, with at least one element.
  /// Returns the index at which the sorted elements begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// Sorts floats without positions, by converting the row to ordinals once, in
  /// place. Requires that no equal keys have different bits.
  mlir::FailureOr<mlir::Value> sortAsOrdinals(mlir::Value length);

private:
  SortOrder &order;
  SortBuffers &row;
  mlir::Value counters;
  /// True while the buffers hold ordinals, bitcast to the type of the keys.
  bool holdsOrdinals = false;

  mlir::LogicalResult clear();
  void count(mlir::Value key);
  mlir::FailureOr<mlir::Value> distributeAll(mlir::Value length);
  mlir::LogicalResult convert(mlir::Value from, mlir::Value length,
                              bool isBack);
  mlir::Value ordinalOf(mlir::Value key);
  mlir::Value digitOf(mlir::Value ordinal, mlir::Value number);
  mlir::Value digitAt(mlir::Value position, mlir::Value number);
  mlir::Value counterOf(mlir::Value number, mlir::Value digit);
  mlir::LogicalResult distribute(mlir::Value length, mlir::Value number,
                                 mlir::Value from, mlir::Value to);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RADIXSORT_H
