//===- KeptElements.h - Costly elements of a row that are read again ------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_KEPTELEMENTS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_KEPTELEMENTS_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen::simd {

/// A row kernel passes over its row several times: softmax sums exp(x - max),
/// then divides the same exponentials. The first pass that computes a costly
/// element keeps it in scratch, the later ones load it.
class KeptElements {
public:
  /// What each pass computes of a row, in order. `row` is the row's size, and
  /// `shape` that of all rows. Keeps nothing if the size is not static or more
  /// than a cache holds.
  KeptElements(KernelBuilder &kernel,
               llvm::ArrayRef<llvm::SmallVector<mlir::Value>> passes,
               llvm::ArrayRef<mlir::AffineExpr> shape, mlir::AffineExpr row,
               int64_t lanes);

  /// Bytes of scratch; null: none.
  mlir::AffineExpr scratch() const;

  /// Before a pass computes the lanes at `place` in the row: what is kept.
  void load(unsigned pass, ExpressionEmitter &elements, mlir::Value place);
  /// After it: what it is the first to compute, found at `index`.
  mlir::LogicalResult store(unsigned pass, ExpressionEmitter &elements,
                            const analysis::Index &index, mlir::Value place);

private:
  struct Kept {
    mlir::Value value;
    unsigned pass;
    mlir::Value memory;
  };
  /// That compute a value.
  struct Passes {
    unsigned first, last;
  };
  KernelBuilder &kernel;
  int64_t lanes;
  int64_t bytes = 0;
  llvm::SmallVector<Kept> kept;

  bool isReadInPlace(mlir::Value v, llvm::ArrayRef<mlir::AffineExpr> shape);
  void find(mlir::Value v, unsigned pass,
            llvm::ArrayRef<mlir::AffineExpr> shape,
            llvm::DenseMap<mlir::Value, Passes> &seen,
            llvm::SetVector<std::pair<mlir::Value, unsigned>> &found);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_KEPTELEMENTS_H
