//===- RowSort.h - Elements sorted in a thread's scratch --------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/MergedRuns.h"
#include "codegen/emitters/simd/sort/parts/Partition.h"
#include "codegen/emitters/simd/sort/parts/RadixSort.h"

namespace tensorc::codegen::simd {

/// Sorts keys, with places for an argsort, in a double buffer in scratch. Long
/// rows take a radix sort, short ones merges of ever longer runs, and keys
/// without places, between these lengths, a network of vectors. The fusion's
/// schedule has the lengths.
class RowSort : IndexCode {
public:
  /// Prepares for at most `capacity` elements. While nothing is sorted, `spare`
  /// more keys fit after key 2 * capacity.
  RowSort(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order,
          mlir::AffineExpr capacity, int64_t spare = 0);

  /// Its numbers in schedules, its choice first.
  static Offers offers(KernelBuilder &fusion, const AxisNest &nest);

  /// Elements of a row that are read and stored at once.
  int64_t getLanes() const { return elements.lanes; }
  SortBuffers &getBuffers() { return buffers; }
  /// Bytes of the scratch.
  mlir::AffineExpr scratchBytes() const { return size; }

  /// All elements of a row.
  mlir::LogicalResult load(llvm::SmallVector<mlir::Value> dims);
  /// The fusion's outputs in a row, of the sorted elements from `from` on.
  mlir::LogicalResult store(llvm::SmallVector<mlir::Value> dims,
                            mlir::Value from);

  /// Sorts the first `length` elements. Returns where they begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// The same without the network.
  mlir::FailureOr<mlir::Value> sortStably(mlir::Value length);
  /// Sorts to `target` in quadratic time, for short rows. Both buffers have
  /// room for one more vector at their end. Requires lanes.
  mlir::LogicalResult sortByRanks(mlir::Value length, mlir::Value target);

  /// All of the kernel's rows: `sortRow` for each, given its indices, unless it
  /// comes in order, or in strictly descending order.
  mlir::LogicalResult sortRows(llvm::function_ref<mlir::LogicalResult(
                                   llvm::SmallVector<mlir::Value> dims)>
                                   sortRow);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  SortOrder &order;
  RowElements elements;
  SortBuffers buffers;
  int64_t digitsFrom, networkFrom;
  std::optional<RadixSort> radix;
  std::optional<SortNetwork> network;
  std::optional<Partition> partition;
  std::optional<MergedRuns> runs;
  mlir::AffineExpr size;

  mlir::FailureOr<mlir::Value> usesNetwork(mlir::Value length);
  mlir::FailureOr<mlir::Value> sortByDigits(mlir::Value length);
};

/// The kernel has rows of this nest; `grain` elements are worth a thread.
KernelSpec finishRows(KernelBuilder &kernel, const AxisNest &nest,
                      int64_t grain, mlir::AffineExpr scratchBytes);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
