//===- RowsInLanes.h - Short rows, one per vector lane ----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSINLANES_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSINLANES_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/LaneNetwork.h"

namespace tensorc::codegen::simd {

/// Sorts as many rows at a time as a vector has lanes, one row per lane: the
/// network never compares across lanes. With places, key and place are compared
/// as one 64-bit integer, or one after the other if the key has 64 bits itself:
/// no two are equal, so the order is the stable one. Rows that are in order
/// already are stored unchanged.
class RowsInLanes : IndexCode {
public:
  using RowBody = llvm::function_ref<mlir::LogicalResult(
      llvm::SmallVector<mlir::Value> dims)>;

  /// The longest rows that it sorts well; 0 if none.
  static int64_t longestRow(KernelBuilder &kernel, const AxisNest &nest,
                            SortOrder &order);

  /// Prepares for rows of up to `longest` elements. Uses the scratch from its
  /// first byte on.
  RowsInLanes(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order,
              int64_t longest);
  int64_t scratchBytes() const { return bytes; }
  /// Whether rows may have keys that are equal and of different bits: then
  /// these are sorted alone.
  static bool sortsAlone(SortOrder &order) {
    return !order.hasPlaces() && mlir::isa<mlir::FloatType>(order.keyType());
  }

  /// All of the kernel's rows.
  mlir::LogicalResult sortRows(RowBody sortAlone);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  const AxisNest &nest;
  SortOrder &order;
  analysis::IterationSpace space;
  /// Type of keys as they are loaded. Lanes are rows, or elements of one row.
  mlir::VectorType narrow;
  int64_t lanes, stride, bytes;
  mlir::Value length, vectors;
  /// Rows of signed integers, `stride` apart; the keys themselves, if they and
  /// the places are stored.
  mlir::Value rows, keys;
  LaneNetwork network;

  /// An i1 each: whether any row is not in order, is hardly so in no row, and
  /// has equal keys of different bits.
  struct Found {
    mlir::Value unsorted, isNearly, ambiguous;
  };

  mlir::Value roundedUp(mlir::Value x, int64_t to);
  mlir::Value splat(mlir::Value x, int64_t width);
  mlir::Value last();
  mlir::VectorType wide();
  bool isPacked() const;
  int64_t vectorsAtOnce() const;
  mlir::Value countFrom(mlir::Value first, int64_t width);
  /// `at` is where the row is in the scratch.
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
  mlir::LogicalResult storeRow(Values dims, mlir::Value at,
                               mlir::Value unsorted);
  mlir::FailureOr<Found> turnIntoColumns();
  mlir::LogicalResult turnBack();
  mlir::FailureOr<mlir::Value> sweepNearly(const Found &found);
  mlir::LogicalResult sortUnsorted(const Found &found);
  mlir::FailureOr<mlir::Value>
  sortColumns(mlir::Value first, const Found &found, RowBody sortAlone);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_ROWSINLANES_H
