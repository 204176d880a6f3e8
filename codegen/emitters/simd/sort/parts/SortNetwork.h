//===- SortNetwork.h - Keys sorted by comparing vectors ---------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTNETWORK_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTNETWORK_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/LaneNetwork.h"

namespace tensorc::codegen::simd {

/// A bitonic network over as many vectors as hold the keys. Vector v of V has
/// in lane l the element l * V + v: so that only the last merges, of all lanes,
/// exchange lanes, and the first ones do without. In the end the vectors are
/// transposed. What is compared are signed integers with the order of the keys.
///
/// It is not stable. This shows only where keys are equal whose bits differ:
/// see isPlain.
class SortNetwork : IndexCode {
public:
  /// Keys alone, of 32 or 64 bits, in more than one lane.
  static bool takes(KernelBuilder &kernel, SortOrder &order);
  /// How many keys it may touch, from the first one on, to sort `length`.
  static int64_t keysFor(KernelBuilder &kernel, SortOrder &order,
                         int64_t length);

  /// `firstKey` is the byte in the scratch where the keys begin, `count` how
  /// many there is room for.
  SortNetwork(KernelBuilder &kernel, SortOrder &order, mlir::Value firstKey,
              mlir::Value count);

  /// An i1: whether keys that are equal have the same bits.
  mlir::FailureOr<mlir::Value> isPlain(mlir::Value length);
  /// Those from this byte of the scratch on, where others are filled in behind
  /// them. When they are sorted they are at `target`, counted in keys from the
  /// first one on, and behind them is anything.
  mlir::LogicalResult sort(mlir::Value byte, mlir::Value length,
                           mlir::Value target);
  /// In the bytes where the row begins. Returns where the keys are then.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// Of a column of vectors of signed integers: about the middle one.
  mlir::Value medianOf(llvm::SmallVector<mlir::Value> x);

  /// Vectors that are sorted, and merged, without going to memory.
  static constexpr int64_t column = 16;

private:
  using Values = llvm::SmallVector<mlir::Value>;
  SortOrder &order;
  int64_t lanes;
  mlir::VectorType keyVector, vector;
  LaneNetwork inLanes;
  mlir::Value firstKey, count, keys, sorted;

  mlir::Value load(mlir::Value v);
  void store(mlir::Value x, mlir::Value v);
  /// The lanes of x and y, counted on, in this order.
  mlir::Value shuffled(mlir::Value x, mlir::Value y,
                       llvm::function_ref<int64_t(int64_t)> laneOf);
  /// The smaller one of each lane first.
  void compare(mlir::Value &x, mlir::Value &y);
  void sortLanes(mlir::Value &x);
  void compareLanes(mlir::Value &x, int64_t high, int64_t mask);

  mlir::Value view(mlir::Type type, mlir::Value byte);
  mlir::LogicalResult sortPadded(mlir::Value length, mlir::Value padded,
                                 mlir::Value target);
  /// Fills vectors behind the keys with such as come last.
  mlir::LogicalResult fill(mlir::Value length, mlir::Value padded);
  mlir::Value paddedTo(mlir::Value length);
  mlir::LogicalResult sortColumns(mlir::Value vectors);
  mlir::LogicalResult flipLanes(mlir::Value vectors, int64_t group);
  mlir::FailureOr<mlir::Value> beginMerge(mlir::Value vectors, mlir::Value run);
  mlir::LogicalResult mergeRuns(mlir::Value vectors, mlir::Value padded);
  mlir::LogicalResult transpose(mlir::Value vectors, mlir::Value target);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTNETWORK_H
