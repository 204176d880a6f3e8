//===- SortNetwork.h - Bitonic network over vectors -------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTNETWORK_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTNETWORK_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/LaneNetwork.h"

namespace tensorc::codegen::simd {

/// Sorts keys by a bitonic network over vectors. Lane l of vector v of V holds
/// element l * V + v, so only the last merges, which span lanes, need shuffles.
/// Finally the vectors are transposed. Keys are compared as signed integers of
/// the same order.
///
/// It is not stable, which only shows where equal keys have different bits: see
/// isPlain.
class SortNetwork : IndexCode {
public:
  /// True if keys have 32 or 64 bits, without positions, and vectors have
  /// several lanes.
  static bool takes(KernelBuilder &kernel, SortOrder &order);
  /// Returns how many keys of the buffer may be accessed to sort `length` keys.
  static int64_t keysFor(KernelBuilder &kernel, SortOrder &order,
                         int64_t length);

  /// Keys begin at byte `firstKey` of the scratch, with room for `count` keys.
  SortNetwork(KernelBuilder &kernel, SortOrder &order, mlir::Value firstKey,
              mlir::Value count);

  /// Returns an i1: true if keys that are equal have the same bits.
  mlir::FailureOr<mlir::Value> isPlain(mlir::Value length);
  /// Sorts `length` keys from byte `byte` of the scratch on, where padding is
  /// stored after them. Stores them at `target`, an index of a key relative to
  /// the first one. Overwrites the keys after them.
  mlir::LogicalResult sort(mlir::Value byte, mlir::Value length,
                           mlir::Value target);
  /// Sorts the row at the start of the buffer. Returns the index at which the
  /// sorted keys begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// Returns about the median of a column of vectors of signed integers.
  mlir::Value medianOf(llvm::SmallVector<mlir::Value> x);

  /// Number of vectors that are sorted or merged in registers.
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
  /// Returns a shuffle of x and y: lane l is lane `laneOf(l)`, where lanes of y
  /// follow those of x.
  mlir::Value shuffled(mlir::Value x, mlir::Value y,
                       llvm::function_ref<int64_t(int64_t)> laneOf);
  /// Swaps x and y in the lanes where y is smaller.
  void compare(mlir::Value &x, mlir::Value &y);
  void sortLanes(mlir::Value &x);
  void compareLanes(mlir::Value &x, int64_t high, int64_t mask);

  mlir::Value view(mlir::Type type, mlir::Value byte);
  mlir::LogicalResult sortPadded(mlir::Value length, mlir::Value padded,
                                 mlir::Value target);
  /// Pads the keys to whole vectors with the greatest key.
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
