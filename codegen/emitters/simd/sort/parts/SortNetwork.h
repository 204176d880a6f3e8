//===- SortNetwork.h - Bitonic network over vectors -------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTNETWORK_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTNETWORK_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/LaneNetwork.h"

namespace tensorc::codegen::simd {

/// Sorts keys by a bitonic network over V vectors. Lane l of vector v holds
/// element l * V + v, so only the last merges, which span lanes, need shuffles.
/// At the end the vectors are transposed. Keys are compared as signed integers
/// of the same order.
///
/// This sort is not stable, which shows only if equal keys have different bits:
/// see isPlain.
class SortNetwork : IndexCode {
public:
  /// True if keys have 32 or 64 bits and no positions, and vectors have several
  /// lanes.
  static bool supports(KernelBuilder &kernel, SortOrder &order);
  /// Returns the number of keys of the buffer that may be accessed to sort
  /// `length` keys.
  static int64_t keysFor(KernelBuilder &kernel, SortOrder &order,
                         int64_t length);

  /// The keys begin at byte `firstKey` of scratch memory, with room for `count`
  /// keys.
  SortNetwork(KernelBuilder &kernel, SortOrder &order, mlir::Value firstKey,
              mlir::Value count);

  /// Returns an i1 that is true if no equal keys have different bits.
  mlir::FailureOr<mlir::Value> isPlain(mlir::Value length);
  /// Sorts `length` keys that begin at byte `byte` of scratch memory. Padding
  /// is stored after them. Stores the result at `target`, the index of a key
  /// relative to the first one, and overwrites the keys after the result.
  mlir::LogicalResult sort(mlir::Value byte, mlir::Value length,
                           mlir::Value target);
  /// Sorts the row at the start of the buffer. Returns the index at which the
  /// sorted keys begin.
  mlir::FailureOr<mlir::Value> sort(mlir::Value length);
  /// Returns approximately the median of a column of vectors of signed
  /// integers.
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
  /// Returns a shuffle of x and y. Lane l of the result is lane `laneOf(l)` of
  /// the concatenation of x and y.
  mlir::Value shuffled(mlir::Value x, mlir::Value y,
                       llvm::function_ref<int64_t(int64_t)> laneOf);
  /// Swaps x and y in the lanes in which y is smaller.
  void compare(mlir::Value &x, mlir::Value &y);
  void sortLanes(mlir::Value &x);
  void compareLanes(mlir::Value &x, int64_t high, int64_t mask);

  mlir::Value view(mlir::Type type, mlir::Value byte);
  mlir::LogicalResult sortPadded(mlir::Value length, mlir::Value padded,
                                 mlir::Value target);
  /// Pads the keys to whole vectors with the key that sorts last.
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
