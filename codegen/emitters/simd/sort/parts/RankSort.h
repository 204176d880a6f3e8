//===- RankSort.h - Sorts few elements by their ranks -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RANKSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RANKSORT_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/SortBuffers.h"

namespace tensorc::codegen::simd {

/// Stable sort in quadratic time, for short rows: stores each element at its
/// rank.
class RankSort : IndexCode {
public:
  RankSort(KernelBuilder &kernel, SortOrder &order, SortBuffers &buffers,
           int64_t lanes)
      : IndexCode(kernel), order(order), buffers(buffers), lanes(lanes) {}

  /// Sorts the first `length` elements to index `target`. Both halves of the
  /// buffers must have room for one more vector.
  mlir::LogicalResult sort(mlir::Value length, mlir::Value target);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  SortOrder &order;
  SortBuffers &buffers;
  int64_t lanes;

  mlir::FailureOr<mlir::Value> ranksAt(mlir::Value first, mlir::Value length);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_RANKSORT_H
