//===- RowSort.h - Elements sorted in a thread's scratch --------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSORT_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/simd/sort/Partition.h"
#include "codegen/emitters/simd/sort/RadixSort.h"

namespace tensorc::codegen::simd {

/// Keys, and places if an argsort wants them, in the scratch: twice as many as
/// are sorted at most, two halves of which take turns. Many are distributed
/// digit by digit, few are merged in ever longer runs, and keys alone, between
/// these lengths, are compared in a network of vectors. The fusion's schedule
/// says from which length on.
class RowSort {
public:
  /// At most `capacity` elements. There is room for `spare` keys more, from key
  /// 2 * capacity on, while nothing is sorted.
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
  /// Of keys in consecutive places, those that the mask names. Room for all of
  /// them is overwritten. Returns how many they are.
  mlir::Value putPacked(mlir::Value at, mlir::Value keys, mlir::Value place,
                        mlir::Value mask);
  /// From `from` on to the begin: the ranges do not overlap.
  mlir::LogicalResult moveToFront(mlir::Value from, mlir::Value count);

  /// All elements of a row.
  mlir::LogicalResult load(llvm::SmallVector<mlir::Value> dims);
  /// Sorts the first `length` elements. Returns where they begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// The same, in time that is quadratic but short, to `target`: there is room
  /// for a vector more behind both. Only where there are lanes.
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
  /// Whose comparisons are joined before a branch.
  static constexpr int64_t readsOfStep = 4;
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
