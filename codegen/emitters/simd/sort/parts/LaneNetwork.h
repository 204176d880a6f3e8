//===- LaneNetwork.h - Sorts vectors lane by lane ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_LANENETWORK_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_LANENETWORK_H

#include "codegen/emitters/KernelBuilder.h"
#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"

namespace tensorc::codegen::simd {

/// Sorts a sequence of vectors, each lane separately. Columns of vectors are
/// sorted in registers, and the runs that result are merged by a bitonic
/// network. Every comparison puts the smaller element first, so the keys that
/// would pad the sequence never move and need not exist.
class LaneNetwork : IndexCode {
public:
  /// A vector of signed integers, or two vectors that are compared
  /// lexicographically.
  using Element = llvm::SmallVector<mlir::Value, 2>;

  /// `column` is the number of vectors that are sorted in registers at once: a
  /// power of two, or the number of all vectors.
  LaneNetwork(KernelBuilder &kernel, mlir::VectorType vector, int64_t column)
      : IndexCode(kernel), vector(vector), column(column) {}

  /// Sets the buffers that hold the sequence, one for each vector of an Element.
  void setBuffers(llvm::ArrayRef<mlir::Value> list) {
    buffers.assign(list.begin(), list.end());
  }
  llvm::ArrayRef<mlir::Value> getBuffers() const { return buffers; }
  Element load(mlir::Value v);
  void store(const Element &x, mlir::Value v);

  /// Swaps x and y in the lanes in which y comes before x.
  void compare(Element &x, Element &y);
  void sortColumn(llvm::MutableArrayRef<Element> x);

  /// Emits one pass of bubble sort, which moves the largest element to the end,
  /// or the smallest to the front. Returns an i1 that is true if any lane is
  /// still unsorted.
  mlir::FailureOr<mlir::Value> sweep(mlir::Value vectors, bool isDownwards);

  /// Sorts the first `vectors` vectors of the buffers. `vectors` must be a
  /// multiple of `column`.
  mlir::LogicalResult sort(mlir::Value vectors);
  /// Loads vectors by `loadFrom`, sorts each column, and stores them to the
  /// buffers.
  mlir::LogicalResult
  sortColumns(mlir::Value vectors,
              llvm::function_ref<Element(mlir::Value v)> loadFrom);
  /// Emits the first step of a bitonic merge of pairs of runs with run / 2
  /// vectors each: compares each vector with its mirror image in the merged
  /// run.
  mlir::LogicalResult flip(mlir::Value vectors, mlir::Value run);
  /// Emits the remaining steps of a bitonic merge, which compare vectors that
  /// are `distance`, distance / 2, ..., 1 apart.
  mlir::LogicalResult cleanFrom(mlir::Value vectors, mlir::Value distance);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  mlir::VectorType vector;
  int64_t column;
  Element buffers;

  mlir::Value offsetOf(mlir::Value v);
  mlir::Value isOutOfOrder(const Element &x, const Element &y);
  void comparePair(mlir::Value v, mlir::Value w);
  mlir::LogicalResult cleanColumns(mlir::Value vectors);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_LANENETWORK_H
