//===- SortBuffers.h - The elements of a row in scratch memory --*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTBUFFERS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTBUFFERS_H

#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"

namespace tensorc::codegen::simd {

/// The keys of a row and, for an argsort, their original positions. Each is a
/// double buffer, whose halves have the length of a row.
class SortBuffers : IndexCode {
public:
  explicit SortBuffers(KernelBuilder &kernel) : IndexCode(kernel) {}

  /// `positions` (original positions) is null if there is no argsort.
  mlir::Value keys, positions;

  mlir::Value key(mlir::Value at) const;
  mlir::Value position(mlir::Value at) const;
  void put(mlir::Value at, mlir::Value key, mlir::Value position);
  /// Stores a vector of keys, without positions.
  void putLanes(mlir::Value at, mlir::Value some);
  /// Stores the keys that are set in `mask` contiguously, with the positions
  /// `position`, `position` + 1, ... of all lanes. May overwrite a whole
  /// vector. Returns the number of stored keys.
  mlir::Value putPacked(mlir::Value at, mlir::Value some, mlir::Value position,
                        mlir::Value mask);
  /// Moves `count` elements from `from` to the front. The ranges must not
  /// overlap.
  mlir::LogicalResult moveToFront(mlir::Value from, mlir::Value count);

private:
};

/// Emits an if with two branches that each return an index. If the condition is
/// constant, emits only one branch.
using IndexBranch = llvm::function_ref<mlir::FailureOr<mlir::Value>()>;
mlir::FailureOr<mlir::Value> chooseIndex(mlir::ImplicitLocOpBuilder &b,
                                         mlir::Value condition,
                                         IndexBranch then,
                                         IndexBranch otherwise);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_SORTBUFFERS_H
