//===- SortBuffers.h - The elements of a row in scratch ---------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTBUFFERS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTBUFFERS_H

#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"

namespace tensorc::codegen::simd {

/// The keys of a row, and their places for an argsort: a double buffer, each
/// half as long as the row.
class SortBuffers : IndexCode {
public:
  explicit SortBuffers(KernelBuilder &kernel) : IndexCode(kernel) {}

  /// `places` is null without an argsort.
  mlir::Value keys, places;

  mlir::Value key(mlir::Value at) const;
  mlir::Value place(mlir::Value at) const;
  void put(mlir::Value at, mlir::Value key, mlir::Value place);
  /// Stores a vector of keys without places.
  void putLanes(mlir::Value at, mlir::Value some);
  /// Stores the keys of contiguous places that the mask selects. May overwrite
  /// as many places as there are lanes. Returns the number of keys stored.
  mlir::Value putPacked(mlir::Value at, mlir::Value some, mlir::Value place,
                        mlir::Value mask);
  /// Moves elements from `from` on to the front. The ranges do not overlap.
  mlir::LogicalResult moveToFront(mlir::Value from, mlir::Value count);

private:
};

/// Returns the place, an index, that the branch chosen by the condition
/// returns. A constant condition emits one branch.
using PlaceBranch = llvm::function_ref<mlir::FailureOr<mlir::Value>()>;
mlir::FailureOr<mlir::Value> choosePlace(mlir::ImplicitLocOpBuilder &b,
                                         mlir::Value condition,
                                         PlaceBranch then,
                                         PlaceBranch otherwise);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTBUFFERS_H
