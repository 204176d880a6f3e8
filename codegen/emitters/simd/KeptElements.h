//===- KeptElements.h - Cache costly elements of a row in scratch ---------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_KEPTELEMENTS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_KEPTELEMENTS_H

#include "codegen/emitters/ExpressionEmitter.h"

namespace tensorc::codegen::simd {

/// A row kernel passes over its row several times: softmax sums exp(x - max),
/// then divides the same exponentials. The first pass that computes a costly
/// element keeps it in scratch, the later ones load it.
class KeptElements {
public:
  /// Finds the costly elements that several passes over a row compute. `row` is
  /// the row's size, `shape` the shape of all rows. Finds nothing if the size
  /// is symbolic. Elements that exceed L1 are recomputed.
  KeptElements(KernelBuilder &kernel,
               llvm::ArrayRef<llvm::SmallVector<mlir::Value>> passes,
               llvm::ArrayRef<mlir::AffineExpr> shape, mlir::AffineExpr row,
               int64_t lanes);

  /// Creates the buffers in scratch. Call before any code of the rows is
  /// emitted.
  void allocate();
  /// True if a pass before `pass` keeps v.
  bool areKept(mlir::Value v, unsigned pass) const;
  /// True if each pass loads only what the pass directly before it keeps.
  bool lastOnePass(unsigned passes) const;

  /// Returns the size of the scratch in bytes; null if nothing is kept.
  mlir::AffineExpr scratch() const;

  /// Binds the kept elements at `place` in the row, before a pass computes
  /// lanes there.
  void load(unsigned pass, ExpressionEmitter &elements, mlir::Value place);
  /// Stores the costly elements that no pass before `pass` has computed. They
  /// are at `index` of the values and at `place` in the row.
  mlir::LogicalResult store(unsigned pass, ExpressionEmitter &elements,
                            const analysis::Index &index, mlir::Value place);

private:
  struct Kept {
    mlir::Value value;
    unsigned pass;
    int64_t offset;
    mlir::Value memory;
  };
  /// The first and the last pass that compute a value.
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
