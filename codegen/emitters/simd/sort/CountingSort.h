//===- CountingSort.h - Sorts rows of small integers ------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_COUNTINGSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_COUNTINGSORT_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/SortBuffers.h"

namespace tensorc::codegen::simd {

/// Counting sort of integers of 8 or 16 bits without positions: counts how
/// often each value occurs, and writes the values in their order.
class CountingSort : IndexCode {
public:
  /// The counters begin at byte `firstByte` of scratch memory, a multiple of 8.
  CountingSort(KernelBuilder &kernel, SortOrder &order, SortBuffers &row,
               mlir::Value firstByte);

  static bool supports(const SortOrder &order);
  static int64_t counterBytes(const SortOrder &order);
  /// Returns the minimum length of rows: the number of values. The loop over
  /// the values then takes at most as long as one over the keys.
  static int64_t shortestRow(const SortOrder &order);

  /// Sorts the row in the first half of the buffers, of at least `shortestRow`
  /// keys. Returns the index at which the sorted keys begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);

private:
  SortOrder &order;
  SortBuffers &row;
  mlir::Value counters;

  mlir::LogicalResult clear();
  mlir::LogicalResult count(mlir::Value length);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_COUNTINGSORT_H
