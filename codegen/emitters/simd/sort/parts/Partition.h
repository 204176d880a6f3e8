//===- Partition.h - Vectorized quicksort -----------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PARTITION_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PARTITION_H

#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/SortNetwork.h"

namespace tensorc::codegen::simd {

/// Vectorized quicksort. The keys below the pivot and the other keys are
/// compressed to both ends of the partition without branches. Short partitions are sorted by
/// the network. Like the network, this sort is not stable.
class Partition : IndexCode {
public:
  /// True if the network supports the keys and the target has an instruction
  /// that compresses lanes.
  static bool supports(KernelBuilder &kernel, SortOrder &order);
  /// Returns the maximum length of partitions that the network sorts.
  static int64_t longestPart(KernelBuilder &kernel, SortOrder &order);
  /// Returns the size in bytes of the stack and of the buffer in which
  /// partitions are sorted.
  static int64_t roomBytes(KernelBuilder &kernel, SortOrder &order);
  /// Returns the number of keys that may be accessed past the second half of
  /// the buffer.
  static int64_t spareKeys(KernelBuilder &kernel, SortOrder &order);

  /// Stack and buffer begin at byte `firstByte` of scratch memory, and keys at
  /// `firstKey`, with room for `count` keys. Both must be multiples of a
  /// vector's size.
  Partition(KernelBuilder &kernel, SortOrder &order, SortNetwork &network,
            int64_t firstByte, mlir::Value firstKey, mlir::Value count);

  /// Sorts the first `length` keys. Returns the index at which the sorted keys
  /// begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  /// A partition: the keys at [begin, end), whose values are in [low, high].
  /// `level` is the recursion depth.
  struct Part {
    mlir::Value begin, end, low, high, level;
  };
  /// Values that are constant while a row is sorted. `sorted` is the index at
  /// which the output begins. `isFull` is true if the row is a single
  /// partition.
  struct Row {
    mlir::Value length, sorted, isFull;
  };
  SortOrder &order;
  SortNetwork &network;
  int64_t lanes, longest;
  mlir::VectorType vector, maskType;
  mlir::Value roomByte, firstKey, integers, room, stack;

  mlir::Value load(mlir::Value at);
  /// Returns `count` rounded down to a multiple of `width`.
  mlir::Value roundDown(mlir::Value count, int64_t width);
  mlir::Value firstLanes(mlir::Value count);
  void push(mlir::Value at, const Part &part);
  Part pop(mlir::Value at);
  mlir::Value pivotOf(const Part &part);
  mlir::LogicalResult copy(mlir::Value from, mlir::Value count,
                           mlir::Value target, mlir::Value to);
  Values
  repeatWhile(mlir::ValueRange init,
              llvm::function_ref<mlir::Value(mlir::ValueRange)> condition,
              llvm::function_ref<Values(mlir::ValueRange)> body);
  void storeAbove(mlir::Value x, mlir::Value above, mlir::Value count,
                  mlir::Value end);
  mlir::FailureOr<mlir::Value> divide(const Part &part, mlir::Value pivot);
  mlir::LogicalResult finish(const Row &row, const Part &part);
  mlir::LogicalResult step(const Row &row, mlir::Value top, mlir::Value &next);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PARTITION_H
