//===- KeptElements.h - Caches costly elements of a row -------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_KEPTELEMENTS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_KEPTELEMENTS_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen::simd {

/// A row kernel passes over its row several times. For example, softmax first
/// adds up exp(x - max), then divides the same exponentials. The first pass
/// that computes a costly element stores it in scratch memory, and later passes
/// load it.
class KeptElements {
public:
  /// Finds the costly elements that several passes over a row compute. `row` is
  /// the size of a row, `shape` the shape of all rows. Finds nothing if the
  /// size is symbolic. Elements that exceed a quarter of L2 are computed again
  /// instead.
  KeptElements(KernelBuilder &kernel,
               llvm::ArrayRef<llvm::SmallVector<mlir::Value>> passes,
               llvm::ArrayRef<mlir::AffineExpr> shape, mlir::AffineExpr row,
               int64_t lanes);

  /// Creates views of scratch memory for the elements. Must be called before
  /// any code of the rows is emitted.
  void allocate();
  /// True if v is kept by a pass before `pass`.
  bool areKept(mlir::Value v, unsigned pass) const;
  /// True if every pass loads only elements that the previous pass keeps.
  bool lastOnePass(unsigned passes) const;

  /// Returns the size of the scratch memory in bytes, or null if nothing is
  /// kept.
  mlir::AffineExpr scratch() const;

  /// Loads the kept elements at `position` in the row, for use by pass
  /// `pass`.
  void load(unsigned pass, ExpressionEmitter &elements, mlir::Value position);
  /// Computes and stores the costly elements that pass `pass` is the first to
  /// compute, at `index` of the values and `position` in the row.
  mlir::LogicalResult store(unsigned pass, ExpressionEmitter &elements,
                            const analysis::Index &index, mlir::Value position);

private:
  struct Kept {
    mlir::Value value;
    unsigned pass;
    int64_t offset;
    mlir::Value memory;
  };
  /// The first and the last pass that computes a value.
  struct Passes {
    unsigned first, last;
  };
  KernelBuilder &kernel;
  int64_t lanes;
  int64_t count = 0, bytes = 0;
  llvm::SmallVector<Kept> kept;

  bool isReadInPlace(mlir::Value v, llvm::ArrayRef<mlir::AffineExpr> shape);
  void find(mlir::Value v, unsigned pass,
            llvm::ArrayRef<mlir::AffineExpr> shape,
            llvm::DenseMap<mlir::Value, Passes> &seen,
            llvm::SetVector<std::pair<mlir::Value, unsigned>> &found);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_KEPTELEMENTS_H
