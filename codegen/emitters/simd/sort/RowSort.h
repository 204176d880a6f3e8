//===- RowSort.h - Elements sorted in a thread's scratch --------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/simd/sort/Partition.h"
#include "codegen/emitters/simd/sort/RadixSort.h"

namespace tensorc::codegen::simd {

/// Sorts keys, with places for an argsort, in a double buffer in scratch. Long
/// rows take a radix sort, short ones merges of ever longer runs, and keys
/// without places, between these lengths, a network of vectors. The fusion's
/// schedule has the lengths.
class RowSort {
public:
  /// Prepares for at most `capacity` elements. While nothing is sorted, `spare`
  /// more keys fit after key 2 * capacity.
  RowSort(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order,
          mlir::AffineExpr capacity, int64_t spare = 0);

  /// Its numbers in schedules, its choice first.
  static Offers offers(KernelBuilder &fusion, const AxisNest &nest);

  /// Elements of a row that are read and stored at once.
  int64_t getLanes() const { return lanes; }

  mlir::Value key(mlir::Value at);
  mlir::Value place(mlir::Value at);
  void put(mlir::Value at, mlir::Value key, mlir::Value place);
  /// Keys alone.
  void putLanes(mlir::Value at, mlir::Value keys);
  /// Stores the keys of contiguous places that the mask selects. May overwrite
  /// as many places as there are lanes. Returns the number of keys stored.
  mlir::Value putPacked(mlir::Value at, mlir::Value keys, mlir::Value place,
                        mlir::Value mask);
  /// Moves elements from `from` on to the front. The ranges do not overlap.
  mlir::LogicalResult moveToFront(mlir::Value from, mlir::Value count);

  /// All elements of a row.
  mlir::LogicalResult load(llvm::SmallVector<mlir::Value> dims);
  /// Sorts the first `length` elements. Returns where they begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// Sorts to `target` in quadratic time, for short rows. Both buffers have
  /// room for one more vector at their end. Requires lanes.
  mlir::LogicalResult sortByRanks(mlir::Value length, mlir::Value target);
  /// The fusion's outputs in a row, of the sorted elements from `from` on.
  mlir::LogicalResult store(llvm::SmallVector<mlir::Value> dims,
                            mlir::Value from);

  /// The same without the network.
  mlir::FailureOr<mlir::Value> sortStably(mlir::Value length);

  /// All of the kernel's rows: `sortRow` for each, given its indices, unless it
  /// comes in order, or in strictly descending order.
  mlir::LogicalResult sortRows(llvm::function_ref<mlir::LogicalResult(
                                   llvm::SmallVector<mlir::Value> dims)>
                                   sortRow);
  /// Bytes of the scratch.
  mlir::AffineExpr scratchBytes() const { return size; }

private:
  using Values = llvm::SmallVector<mlir::Value>;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  const AxisNest &nest;
  SortOrder &order;
  analysis::IterationSpace space;
  int64_t digitsFrom, networkFrom, partitionFrom, lanes;
  SortBuffers buffers;
  std::optional<RadixSort> radix;
  std::optional<SortNetwork> network;
  std::optional<Partition> partition;
  mlir::AffineExpr size;

  mlir::Value index(int64_t v) { return indexConstant(kernel, v); }
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value smaller(mlir::Value x, mlir::Value y);
  /// `body` for the elements of a row by lanes, and for the last ones alone.
  mlir::LogicalResult
  forRow(llvm::SmallVector<mlir::Value> dims, mlir::AffineExpr length,
         llvm::function_ref<mlir::LogicalResult(ExpressionEmitter &elements,
                                                mlir::Value i, int64_t width)>
             body);
  using Way = llvm::function_ref<mlir::FailureOr<mlir::Value>()>;
  mlir::FailureOr<mlir::Value> choose(mlir::Value condition, Way then,
                                      Way otherwise);
  /// Two i1: whether the row holds one order, and whether this is the strictly
  /// descending one.
  struct Ordered {
    mlir::Value holds, descends;
    /// The step from which on it does not hold, unless it descends.
    mlir::Value until;
  };
  mlir::FailureOr<mlir::Value> loadAt(Values dims, mlir::Value i,
                                      int64_t width);
  mlir::FailureOr<mlir::Value> isBreak(const Values &dims, mlir::Value at);
  mlir::FailureOr<mlir::Value> agree(const Values &dims, mlir::Value at,
                                     mlir::Value descends);
  mlir::FailureOr<Ordered> findOrder(const Values &dims);
  mlir::LogicalResult storeOrdered(const Values &dims, bool isMirrored);
  mlir::LogicalResult sortUnlessOrdered(
      const Values &dims,
      llvm::function_ref<mlir::LogicalResult(Values dims)> sortRow);
  /// Number of vector reads whose comparisons are combined before a branch.
  static constexpr int64_t readsPerStep = 4;
  /// Ascending runs in a row: where each begins, and what is left of it.
  mlir::Value runs, heads;
  /// Runs whose heads come first and second, and the second one's key.
  struct Heads {
    mlir::Value first, second, key, isAlone;
  };
  bool mayMergeRuns() const;
  int64_t runBytes() const;
  mlir::FailureOr<mlir::Value> countBreaks(const Values &dims, mlir::Value at);
  mlir::FailureOr<mlir::Value> recordRuns(const Values &dims, mlir::Value at,
                                          mlir::Value end, mlir::Value count);
  mlir::FailureOr<mlir::Value> findRuns(const Values &dims, mlir::Value from);
  mlir::FailureOr<Heads> firstHeads(const Values &dims, mlir::Value count);
  mlir::FailureOr<mlir::Value> endOfPiece(const Values &dims, const Heads &at,
                                          mlir::Value head);
  mlir::LogicalResult storePiece(const Values &dims, mlir::Value from,
                                 mlir::Value to, mlir::Value count);
  mlir::FailureOr<mlir::Value> mergeFew(const Values &dims, mlir::Value count);
  /// Returns an i1: whether the row had few runs, and has been stored.
  mlir::FailureOr<mlir::Value> storeRuns(const Values &dims, mlir::Value from);
  mlir::FailureOr<mlir::Value> ranksAt(mlir::Value first, mlir::Value length);
  mlir::FailureOr<mlir::Value> usesNetwork(mlir::Value length);
  mlir::FailureOr<mlir::Value> sortByDigits(mlir::Value length);
  mlir::FailureOr<mlir::Value> distribute(mlir::Value length);
  mlir::LogicalResult turn(mlir::Value from, mlir::Value length, bool isBack);
  /// A pass, from one half to the other.
  struct Merge {
    mlir::Value length, from, to;
  };
  mlir::LogicalResult mergeRuns(const Merge &pass, mlir::Value width);
  mlir::FailureOr<Values> mergeStep(const Merge &pass, mlir::Value middle,
                                    mlir::Value end, mlir::Value at,
                                    mlir::ValueRange heads);
};

/// The kernel has rows of this nest; `grain` elements are worth a thread.
KernelSpec finishRows(KernelBuilder &kernel, const AxisNest &nest,
                      int64_t grain, mlir::AffineExpr scratchBytes);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
