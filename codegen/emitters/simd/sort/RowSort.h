//===- RowSort.h - Sort rows in a thread's scratch --------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/MergedRuns.h"
#include "codegen/emitters/simd/sort/parts/Partition.h"
#include "codegen/emitters/simd/sort/parts/RadixSort.h"

namespace tensorc::codegen::simd {

/// Sorts the rows of a fusion in a double buffer in scratch, with the original
/// positions for an argsort. Long rows take a radix sort and short rows a merge
/// sort. In between, keys without positions take a sorting network of vectors
/// or a vectorized quicksort. The fusion's schedule says at which lengths each
/// begins.
class RowSort : IndexCode {
public:
  /// Lays out the scratch for rows of at most `capacity` elements. Another
  /// `spare` keys may be stored after both halves of the buffer while no sort
  /// is running.
  RowSort(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order,
          mlir::AffineExpr capacity, int64_t spare = 0);

  /// Returns the thresholds that a schedule may choose from, the default first.
  static Offers offers(KernelBuilder &fusion, const AxisNest &nest);

  /// Number of elements of a row that are loaded and stored as one vector.
  int64_t getLanes() const { return elements.lanes; }
  SortBuffers &getBuffers() { return buffers; }
  /// Size of the scratch in bytes.
  mlir::AffineExpr scratchBytes() const { return size; }

  /// Loads all elements of the row at `dims` to scratch.
  mlir::LogicalResult load(llvm::SmallVector<mlir::Value> dims);
  /// Stores the fusion's outputs of the row at `dims`. Its sorted elements
  /// begin at `from`.
  mlir::LogicalResult store(llvm::SmallVector<mlir::Value> dims,
                            mlir::Value from);

  /// Sorts the first `length` elements. Returns the index in the buffer at
  /// which the sorted elements begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// Sorts as `sort` does, but never by the network, which is not stable.
  mlir::FailureOr<mlir::Value> sortStably(mlir::Value length);
  /// Sorts to `target` in quadratic time, for short rows. Requires keys that
  /// are loaded as vectors, and room for one more vector at the end of both
  /// halves of the buffer.
  mlir::LogicalResult sortByRanks(mlir::Value length, mlir::Value target);

  /// Emits the loop over the kernel's rows: calls `sortRow` with the indices of
  /// each row that is not stored directly (OrderedRows.h).
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

/// Finishes a kernel whose work items are rows of `nest`. A thread takes at
/// least `grain` elements.
KernelSpec finishRows(KernelBuilder &kernel, const AxisNest &nest,
                      int64_t grain, mlir::AffineExpr scratchBytes);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
