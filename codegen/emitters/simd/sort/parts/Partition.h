//===- Partition.h - Long rows of keys in parts -----------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PARTITION_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PARTITION_H

#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/SortNetwork.h"

namespace tensorc::codegen::simd {

/// A quicksort of vectors: the keys below a pivot and the others are packed
/// lane by lane, without a branch, and parts that the network takes at once go
/// through it. As the network it is not stable.
class Partition : IndexCode {
public:
  /// True if the target has an instruction that packs lanes.
  static bool takes(KernelBuilder &kernel, SortOrder &order);
  /// The longest part, which the network takes at once.
  static int64_t longestPart(KernelBuilder &kernel, SortOrder &order);
  /// Bytes of the stack and of the scratch in which a partition is sorted.
  static int64_t roomBytes(KernelBuilder &kernel, SortOrder &order);
  /// Number of keys that may be accessed after the second half of the buffer.
  static int64_t spareKeys(KernelBuilder &kernel, SortOrder &order);

  /// The room and the keys begin at these bytes of the scratch, which are
  /// multiples of a vector's; there is room for `count` keys.
  Partition(KernelBuilder &kernel, SortOrder &order, SortNetwork &network,
            int64_t firstByte, mlir::Value firstKey, mlir::Value count);

  /// Returns where the keys are when they are sorted.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  /// Keys of a row from `begin` to `end`, all of which are from `low` to
  /// `high`; it came of `level` partitions.
  struct Part {
    mlir::Value begin, end, low, high, level;
  };
  /// Values that are constant while a row is sorted.
  struct Row {
    mlir::Value length, sorted, isWhole;
  };
  SortOrder &order;
  SortNetwork &network;
  int64_t lanes, longest;
  mlir::VectorType vector, maskType;
  mlir::Value roomByte, firstKey, integers, room, stack;

  mlir::Value load(mlir::Value at);
  /// Returns `count` rounded down to whole vectors.
  mlir::Value whole(mlir::Value count, int64_t width);
  mlir::Value firstLanes(mlir::Value count);
  void push(mlir::Value at, const Part &part);
  Part pop(mlir::Value at);
  mlir::Value pivotOf(const Part &part);
  mlir::LogicalResult copy(mlir::Value from, mlir::Value to, mlir::Value count);
  mlir::FailureOr<mlir::Value> divide(const Row &row, const Part &part,
                                      mlir::Value pivot);
  mlir::LogicalResult finish(const Row &row, const Part &part);
  mlir::LogicalResult step(const Row &row, mlir::Value top, mlir::Value &next);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PARTITION_H
