//===- RowsInLanes.h - Sorts short rows, one per vector lane ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSINLANES_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSINLANES_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/LaneNetwork.h"

namespace tensorc::codegen::simd {

/// Sorts a group of short rows at once, one row per lane, so that the network
/// never compares across lanes. For an argsort it compares pairs of key and
/// original position: as one 64-bit integer if the key has at most 32 bits,
/// lexicographically otherwise. No two pairs are equal, so the sort is stable.
/// Rows that are in order already are stored unchanged, and the positions of
/// strictly descending rows are counted down.
class RowsInLanes : IndexCode {
public:
  using RowBody = llvm::function_ref<mlir::LogicalResult(
      llvm::SmallVector<mlir::Value> dims)>;

  /// Returns the maximum length of rows that are sorted in lanes, or 0 if none
  /// are.
  static int64_t longestRow(KernelBuilder &kernel, const AxisNest &nest,
                            SortOrder &order);

  /// Lays out scratch memory, from its first byte on, for rows of at most
  /// `longest` elements.
  RowsInLanes(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order,
              int64_t longest);
  int64_t scratchBytes() const { return bytes; }
  /// True if equal keys may have different bits (floats without positions). If
  /// a group of rows contains such keys, its rows are sorted one by one.
  static bool mayBeAmbiguous(SortOrder &order) {
    return !order.hasPositions() && mlir::isa<mlir::FloatType>(order.keyType());
  }

  /// Emits the loop over all groups of rows. `sortOneRow` sorts and stores a
  /// single row.
  mlir::LogicalResult sortRows(RowBody sortOneRow);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  const AxisNest &nest;
  SortOrder &order;
  analysis::IterationSpace space;
  /// Type of a vector of keys as signed integers. Its lanes are rows, or
  /// elements of one row.
  mlir::VectorType narrow;
  int64_t lanes, stride, bytes;
  mlir::Value length, vectors;
  /// `rows`: the keys as signed integers, with `stride` elements per row.
  /// `keys`: the unchanged keys, if both keys and positions are stored.
  mlir::Value rows, keys;
  LaneNetwork network;

  /// Result of scanning a group of rows, each an i1. `unsorted`: some row must
  /// be sorted. `reversed` (null unless there are positions): all rows are
  /// strictly descending. `isNearly`: every row has only few keys that are
  /// smaller than their predecessor. `ambiguous`: some row may have equal keys
  /// of different bits.
  struct Found {
    mlir::Value unsorted, reversed, isNearly, ambiguous;
  };

  mlir::Value roundedUp(mlir::Value x, int64_t to);
  mlir::Value splat(mlir::Value x, int64_t width);
  mlir::Value last();
  mlir::VectorType wide();
  bool isPacked() const;
  int64_t vectorsAtOnce() const;
  mlir::Value countFrom(mlir::Value first, int64_t width);
  /// Emits `body` for each row of the group that begins with row `first`; `at`
  /// is the row's index in scratch memory. If `repeats` is set, the last row is
  /// repeated to fill the group; otherwise the group ends with it.
  mlir::LogicalResult
  forRows(mlir::Value first, bool repeats,
          llvm::function_ref<mlir::LogicalResult(Values dims, mlir::Value at)>
              body);
  mlir::LogicalResult forLanesOfRow(
      mlir::AffineExpr size,
      llvm::function_ref<mlir::LogicalResult(mlir::Value i, mlir::Value mask,
                                             int64_t width)>
          body);
  ExpressionEmitter elementsAt(Values &dims, mlir::Value i, mlir::Value mask,
                               int64_t width);
  mlir::LogicalResult loadRow(Values dims, mlir::Value at);
  mlir::LogicalResult storeRow(Values dims, mlir::Value at, const Found &found);
  mlir::FailureOr<Found> transposeToColumns();
  mlir::LogicalResult transposeBack();
  mlir::FailureOr<mlir::Value> sweepNearly(const Found &found);
  mlir::LogicalResult sortUnsorted(const Found &found);
  mlir::FailureOr<mlir::Value>
  sortColumns(mlir::Value first, const Found &found, RowBody sortOneRow);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSINLANES_H
