//===- LaneNetwork.h - Vectors sorted lane by lane --------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_LANENETWORK_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_LANENETWORK_H

#include "codegen/emitters/KernelBuilder.h"
#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"

namespace tensorc::codegen::simd {

/// Sorts consecutive vectors lane by lane, in all lanes at once: columns of
/// vectors in registers, then bitonic merges of their runs. Each comparison
/// puts the smaller element first, so padding after the last vector would never
/// move and is left out.
class LaneNetwork : IndexCode {
public:
  /// Signed integers that are compared in turn: one, or two.
  using Element = llvm::SmallVector<mlir::Value, 2>;

  /// `column`: a power of two, or all vectors there are.
  LaneNetwork(KernelBuilder &kernel, mlir::VectorType vector, int64_t column)
      : IndexCode(kernel), vector(vector), column(column) {}

  /// Sets the buffers of the vectors, one for each part of an element.
  void setBuffers(llvm::ArrayRef<mlir::Value> list) {
    buffers.assign(list.begin(), list.end());
  }
  llvm::ArrayRef<mlir::Value> getBuffers() const { return buffers; }
  Element load(mlir::Value v);
  void store(const Element &x, mlir::Value v);

  /// The smaller one of each lane first.
  void compare(Element &x, Element &y);
  void sortColumn(llvm::MutableArrayRef<Element> x);

  /// One pass over vectors, which carries the larger ones upwards, or the
  /// smaller ones downwards. Returns an i1: whether any lane is still unsorted.
  mlir::FailureOr<mlir::Value> sweep(mlir::Value vectors, bool isDownwards);

  /// A multiple of a column of vectors, which are where the buffers say.
  mlir::LogicalResult sort(mlir::Value vectors);
  /// Columns of vectors that come from elsewhere.
  mlir::LogicalResult
  sortColumns(mlir::Value vectors,
              llvm::function_ref<Element(mlir::Value v)> loadFrom);
  /// The first step of a merge of runs of half of `run` vectors: with the
  /// mirror image.
  mlir::LogicalResult flip(mlir::Value vectors, mlir::Value run);
  /// Vectors at this distance, at half of it, and so on.
  mlir::LogicalResult cleanFrom(mlir::Value vectors, mlir::Value distance);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  mlir::VectorType vector;
  int64_t column;
  Element buffers;

  mlir::Value place(mlir::Value v);
  mlir::Value isBehind(const Element &x, const Element &y);
  void comparePair(mlir::Value v, mlir::Value w);
  mlir::LogicalResult cleanColumns(mlir::Value vectors);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_LANENETWORK_H
