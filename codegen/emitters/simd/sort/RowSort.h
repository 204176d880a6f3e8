//===- RowSort.h - Sorts rows in a thread's scratch memory ------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/simd/sort/CountingSort.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/MergedRuns.h"
#include "codegen/emitters/simd/sort/parts/Partition.h"
#include "codegen/emitters/simd/sort/parts/RadixSort.h"

namespace tensorc::codegen::simd {

/// Sorts the rows of a fusion in a double buffer in scratch memory, with the
/// original positions for an argsort. Short rows use a merge sort and long rows
/// a radix sort, or a counting sort for small integers. In between, keys without positions use a sorting network over
/// vectors or a vectorized quicksort. The fusion's schedule has the minimum
/// length for each algorithm.
class RowSort : IndexCode {
public:
  /// Lays out scratch memory for rows of at most `capacity` elements. Each half
  /// of the double buffer has room for `spare` more keys, which may be used
  /// while no sort is running.
  RowSort(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order,
          mlir::AffineExpr capacity, int64_t spare = 0);

  /// Returns the possible thresholds between the algorithms, the default first.
  static Offers offers(KernelBuilder &fusion, const AxisNest &nest);

  /// Returns the number of elements of a row that are loaded and stored as one
  /// vector.
  int64_t getLanes() const { return elements.lanes; }
  SortBuffers &getBuffers() { return buffers; }
  /// Returns the size of the scratch memory in bytes.
  mlir::AffineExpr scratchBytes() const { return size; }

  /// Loads all elements of the row at `dims` to scratch memory.
  mlir::LogicalResult load(llvm::SmallVector<mlir::Value> dims);
  /// Stores the fusion's outputs for the row at `dims`, whose sorted elements
  /// begin at index `from` of the buffers.
  mlir::LogicalResult store(llvm::SmallVector<mlir::Value> dims,
                            mlir::Value from);

  /// Sorts the first `length` elements. Returns the index in the buffers at
  /// which the sorted elements begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// Like `sort`, but stable: never uses the network or the partition.
  mlir::FailureOr<mlir::Value> sortStably(mlir::Value length);
  /// Sorts to index `target` in quadratic time; for short rows. Requires that
  /// keys are loaded as vectors, and that both halves of the buffers have room
  /// for one more vector.
  mlir::LogicalResult sortByRanks(mlir::Value length, mlir::Value target);

  /// Emits the kernel's loop over rows. Rows that are not in order already
  /// (OrderedRows.h) are passed to `sortRow`.
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
  std::optional<CountingSort> counting;
  std::optional<SortNetwork> network;
  std::optional<Partition> partition;
  std::optional<MergedRuns> runs;
  mlir::AffineExpr size;

  mlir::FailureOr<mlir::Value> usesNetwork(mlir::Value length);
  mlir::FailureOr<mlir::Value> sortByDigits(mlir::Value length);
};

/// Finishes a kernel whose work items are rows of `nest`. A task has at least
/// `grain` elements.
KernelSpec finishRows(KernelBuilder &kernel, const AxisNest &nest,
                      int64_t grain, mlir::AffineExpr scratchBytes);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
