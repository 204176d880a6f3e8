//===- RowElements.h - Loads the elements of a row to sort ------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ROWELEMENTS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ROWELEMENTS_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"

namespace tensorc::codegen::simd {

/// Loads elements of a fusion's rows directly from memory, and visits its
/// outputs. The `dims` arguments are indices of the nest's loops; the index
/// along the axis is ignored.
class RowElements : IndexCode {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  RowElements(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order);

  using IndexCode::kernel;
  const AxisNest &nest;
  SortOrder &order;
  /// Number of elements of a row that are loaded and stored as one vector.
  const int64_t lanes;

  /// Emits `body` for `length` elements, in vectors and then one by one for the
  /// remainder. If there are original positions, emits it for all elements one
  /// by one.
  mlir::LogicalResult
  forRow(Values dims, mlir::AffineExpr length,
         llvm::function_ref<mlir::LogicalResult(ExpressionEmitter &elements,
                                                mlir::Value i, int64_t width)>
             body);
  mlir::FailureOr<mlir::Value> loadAt(Values dims, mlir::Value i,
                                      int64_t width);

  /// Number of vectors of pairs that are compared before a branch.
  static constexpr int64_t readsPerStep = 4;
  /// Number of pairs of neighbours that are compared per step.
  int64_t pairsPerStep() const { return readsPerStep * lanes; }
  mlir::FailureOr<mlir::Value> agree(const Values &dims, mlir::Value at,
                                     mlir::Value descends);
  mlir::FailureOr<mlir::Value> countBreaks(const Values &dims, mlir::Value at);

private:
  analysis::IterationSpace space;

  mlir::FailureOr<mlir::Value> isBreak(const Values &dims, mlir::Value at);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ROWELEMENTS_H
