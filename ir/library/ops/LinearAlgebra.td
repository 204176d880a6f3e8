//===- LinearAlgebra.td - Factorizations and solvers ----------------------===//
//
// Matrices are the last two dims; the preceding dims are a batch. Each op
// expands to a call of libtensorc_linalg.so
// (docs/design/0042-linear-algebra.md). An op with several results concatenates
// them into one tensor, and the functions of the API take slices of it. If some
// results are complex, real ones get an imaginary part of 0. x^H is the
// transpose of a real x and the conjugate transpose of a complex x. Failure is
// reported in the data: elements without a result are NaN.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_LINEARALGEBRA_TD
#define TENSORC_IR_LIBRARY_LINEARALGEBRA_TD

include "ir/library/Composite.td"

class Tx_LinearAlgebra<string mnemonic> : Tx_Composite<mnemonic> {
  let arguments = (ins Tx_FloatOrComplexTensor:$x);
  let results = (outs Tx_FloatOrComplexTensor:$result);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, $result)";
}

def Tx_CholeskyOp : Tx_LinearAlgebra<"cholesky"> {
  let summary = "Cholesky factor of symmetric or Hermitian matrices";
  let description = [{
    The lower triangular L with L L^H = x, or the upper triangular L^H. Only the lower triangle is read, and only the
    real part of the diagonal. The result is NaN if x is not positive definite. With `info`, n x n becomes n x (n + 1):
    the first element of the last column is 0, or the number of rows of the smallest leading block that is not positive
    definite; the others are 0.
    ```mlir
    %0 = tx.cholesky %x upper : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatOrComplexTensor:$x, UnitAttr:$upper, UnitAttr:$info);
  let assemblyFormat = "$x (`upper` $upper^)? (`info` $info^)? attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferCholesky(x, a.info)";
}

def Tx_TriangularSolveOp : Tx_LinearAlgebra<"triangular_solve"> {
  let summary = "Solution of triangular systems";
  let description = [{
    The y with matrix y = b, or matrix^T y = b if `transposed`. The matrix is lower triangular, or upper triangular with
    `upper`. With `unit`, its diagonal is taken to be 1. The other triangle is not read. Division by a zero gives inf or
    NaN.
    ```mlir
    %0 = tx.triangular_solve %m, %b upper transposed : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins Tx_FloatOrComplexTensor:$matrix, Tx_FloatOrComplexTensor:$b, UnitAttr:$upper, UnitAttr:$transposed, UnitAttr:$unit);
  let assemblyFormat = [{
    $matrix `,` $b (`upper` $upper^)? (`transposed` $transposed^)? (`unit` $unit^)? attr-dict `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferSolve(matrix, b)";
}

def Tx_SolveOp : Tx_LinearAlgebra<"solve"> {
  let summary = "Solution of linear systems";
  let description = [{
    The y with matrix y = b, computed by an LU factorization with row exchanges. The result is NaN or inf if the matrix
    is singular.
    ```mlir
    %0 = tx.solve %m, %b : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    ```
  }];
  let arguments = (ins Tx_FloatOrComplexTensor:$matrix, Tx_FloatOrComplexTensor:$b);
  let assemblyFormat = "$matrix `,` $b attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferSolve(matrix, b)";
}

def Tx_TridiagonalSolveOp : Tx_LinearAlgebra<"tridiagonal_solve"> {
  let summary = "Solution of tridiagonal systems";
  let description = [{
    The y with a y = b. The rows of `diagonals` are the diagonal of a below the main one, the main one, and the one
    above it. The first element of the first row and the last element of the last row are not read. The solution uses
    row exchanges.
    ```mlir
    %0 = tx.tridiagonal_solve %diagonals, %b : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins Tx_FloatOrComplexTensor:$diagonals, Tx_FloatOrComplexTensor:$b);
  let assemblyFormat = "$diagonals `,` $b attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferTridiagonal(diagonals, b)";
}

def Tx_LuOp : Tx_LinearAlgebra<"lu"> {
  let summary = "Triangular factors of matrices, with row exchanges";
  let description = [{
    m x n becomes m x (n + 1): U in the upper triangle of the first n columns, L below it without its unit diagonal, and
    a last column of row numbers p with x[p] = L U.
    ```mlir
    %0 = tx.lu %x : (tensor<4x3xf32>) -> tensor<4x4xf32>
    ```
  }];
  let shapeRule = "shape::inferLu(x)";
}

def Tx_DeterminantOp : Tx_LinearAlgebra<"determinant"> {
  let summary = "Determinants";
  let description = [{
    The result has one number for each matrix. With `logarithm` it has two: the determinant divided by its magnitude,
    and the logarithm of the magnitude.
    ```mlir
    %0 = tx.determinant %x logarithm : (tensor<2x4x4xf32>) -> tensor<2x2xf32>
    ```
  }];
  let arguments = (ins Tx_FloatOrComplexTensor:$x, UnitAttr:$logarithm);
  let assemblyFormat = "$x (`logarithm` $logarithm^)? attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferDeterminant(x, a.logarithm)";
}

def Tx_CofactorsOp : Tx_LinearAlgebra<"cofactors"> {
  let summary = "Cofactors of matrices: the derivative of determinants";
  let description = [{
    The determinant times the transpose of the inverse, also defined for singular matrices: each element is the
    determinant of the matrix without its row and column, negated if row + column is odd.
    ```mlir
    %0 = tx.cofactors %x : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    ```
  }];
  let shapeRule = "shape::inferSquare(x)";
}

def Tx_QrOp : Tx_LinearAlgebra<"qr"> {
  let summary = "Orthogonal or unitary, and triangular factors of matrices";
  let description = [{
    m x n becomes m x (k + n), k = min(m, n): the columns of Q, then those of R, which has k rows and is padded with
    zeros. With `complete`, k = m. As in LAPACK, R's diagonal is real and may be negative.
    ```mlir
    %0 = tx.qr %x : (tensor<4x3xf32>) -> tensor<4x6xf32>
    ```
  }];
  let arguments = (ins Tx_FloatOrComplexTensor:$x, UnitAttr:$complete);
  let assemblyFormat = "$x (`complete` $complete^)? attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferQr(x, a.complete)";
}

def Tx_SvdOp : Tx_LinearAlgebra<"svd"> {
  let summary = "Singular value decomposition of matrices";
  let description = [{
    m x n becomes (m + 1 + n) x k, k = min(m, n): the rows of U, one of singular values in descending order, the rows of V, with
    x = U diag(s) V^H. The result is NaN if x is not finite.
    ```mlir
    %0 = tx.svd %x : (tensor<4x3xf32>) -> tensor<8x3xf32>
    ```
  }];
  let shapeRule = "shape::inferSvd(x)";
}

def Tx_EighOp : Tx_LinearAlgebra<"eigh"> {
  let summary = "Eigenvalues and eigenvectors of symmetric or Hermitian matrices";
  let description = [{
    n x n becomes (n + 1) x n: a row of eigenvalues in ascending order, and below it a matrix. Column i of the matrix is the
    eigenvector of eigenvalue i and has length 1. Only the lower triangle is read. The result is NaN if x is not finite.
    ```mlir
    %0 = tx.eigh %x : (tensor<2x4x4xf32>) -> tensor<2x5x4xf32>
    ```
  }];
  let shapeRule = "shape::inferEigh(x)";
}

def Tx_EigOp : Tx_LinearAlgebra<"eig"> {
  let summary = "Eigenvalues and eigenvectors of any square matrices";
  let description = [{
    n x n becomes (n + 1) x n complex numbers: a row of eigenvalues, and below it a matrix. Column i of the matrix is an
    eigenvector of eigenvalue i; it has length 1, and its element of the largest magnitude is real and positive. The
    order of the eigenvalues is unspecified, but those of a real matrix that are not real are next to their conjugates.
    The result is NaN if x is not finite.
    ```mlir
    %0 = tx.eig %x : (tensor<4x4xf32>) -> tensor<5x4xcomplex<f32>>
    ```
  }];
  let results = (outs Tx_ComplexTensor:$result);
  let sameDType = 0;
  let extraVerification = "verifyEig(*this)";
  let shapeRule = "shape::inferEigh(x)";
}

#endif // TENSORC_IR_LIBRARY_LINEARALGEBRA_TD
