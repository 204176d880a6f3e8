//===- MatrixMethods.h - Factorizations by the threads of a block ---------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_MATRIXMETHODS_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_MATRIXMETHODS_H

#include "codegen/emitters/simt/MatrixElements.h"
#include "ir/tx/Structure.h"

namespace tensorc::codegen::simt {

/// Emits the methods of linalg.* calls for matrices in shared memory, with one
/// thread per row.
class MatrixMethods : public MatrixElements {
public:
  MatrixMethods(KernelBuilder &kernel, tx::CustomCallOp call);

  static bool arePairs(tx::CustomCallOp call) { return has(call, "pairs"); }

protected:
  tx::CustomCallOp call;
  /// The matrix of the call, and its right-hand sides or Q.
  SharedMatrix a, y;
  /// Number of threads per matrix, a power of two.
  int64_t lanes = 0;
  /// The row of the matrix that belongs to this thread, and an i1 that is true
  /// if the matrix has that row.
  mlir::Value row, isRow;

  using ElementAt = std::function<Element(mlir::Value, mlir::Value)>;

  static bool has(tx::CustomCallOp call, llvm::StringRef option);
  bool has(llvm::StringRef option) { return has(call, option); }
  /// Number of columns of the matrix, without an additional column that `a` may
  /// have.
  int64_t numColumns = 0;
  /// Returns the bytes of shared memory for one matrix and its right-hand sides
  /// or Q.
  int64_t bytes();
  /// Emits the method of the call. Returns a function that loads an element of
  /// the result. A scalar counts as a 1 x 1 matrix, a vector as a row.
  ElementAt run();

private:
  ElementAt cholesky();
  mlir::Value pivotOf(mlir::Value k);
  void swapRows(const SharedMatrix &of, mlir::Value first, mlir::Value i,
                mlir::Value j);
  mlir::Value eliminate(mlir::Value k);
  void substitute(bool upper, bool transposed, bool unit);
  ElementAt lu();
  ElementAt determinant();
  ElementAt qr();
  void makeReflector(mlir::Value c);
  void reflect(const SharedMatrix &of, mlir::Value c, mlir::Value first,
               int64_t end, Element factor);
};

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_MATRIXMETHODS_H
