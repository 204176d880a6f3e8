//===- RowElements.h - The elements of a row to sort ------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ROWELEMENTS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_ROWELEMENTS_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"

namespace tensorc::codegen::simd {

/// Reads a fusion's rows where they lie, and visits its outputs. `dims` are
/// indices of the nest's loops, of which that of the axis is overwritten.
class RowElements : IndexCode {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  RowElements(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order);

  using IndexCode::kernel;
  const AxisNest &nest;
  SortOrder &order;
  /// Elements of a row that are read and stored at once.
  const int64_t lanes;

  /// Emits the body for `length` elements by lanes, and for the last ones alone.
  mlir::LogicalResult
  forRow(Values dims, mlir::AffineExpr length,
         llvm::function_ref<mlir::LogicalResult(ExpressionEmitter &elements,
                                                mlir::Value i, int64_t width)>
             body);
  mlir::FailureOr<mlir::Value> loadAt(Values dims, mlir::Value i,
                                      int64_t width);

  /// Number of vector reads whose comparisons are combined before a branch.
  static constexpr int64_t readsPerStep = 4;
  /// Pairs of neighbours that a step compares.
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
