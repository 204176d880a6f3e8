//===- FakeMatrices.h - LAPACK's arithmetic for the fake libraries --------===//
//
// What LAPACK's routines of the same purpose compute, of f32, f64, c64 and c128,
// for FakeMath. Matrices are columns in host memory.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TESTS_RUNTIME_FAKES_MATRICES_FAKEMATRICES_H
#define TENSORC_TESTS_RUNTIME_FAKES_MATRICES_FAKEMATRICES_H

#include <complex>

namespace tensorc::fakes {

/// A matrix in column-major order.
template <typename T> struct Columns {
  T *data;
  int rows, columns;
  int leading; ///< Elements from a column to the next one.
};

template <typename T> struct RealOf {
  using Type = T;
};
template <typename T> struct RealOf<std::complex<T>> {
  using Type = T;
};
template <typename T> using Real = typename RealOf<T>::Type;

enum class Op { none, transpose, adjoint };

struct Triangle {
  bool isUpper, hasUnitDiagonal;
};

/// The Cholesky factor of a symmetric matrix, read from and written to its upper
/// triangle (potrf). Returns the 1-based index of the first pivot that is not
/// positive, or 0.
template <typename T> int factorUpper(Columns<T> a);

/// The LU factorization with partial pivoting (getrf): 1-based row exchanges.
/// Returns the 1-based index of the first pivot that is zero, or 0.
template <typename T> int factorLu(Columns<T> a, int *pivots);

/// b becomes the x of a^T x = b, where a holds the factors of factorLu (getrs).
template <typename T>
void solveLu(Columns<T> a, const int *pivots, Columns<T> b);

/// Householder reflections below the diagonal, R above, min(m, n) factors (geqrf).
template <typename T> void factorQr(Columns<T> a, T *factors);

/// The first columns of the product of k reflections (orgqr, ungqr).
template <typename T> void formQ(Columns<T> a, const T *factors, int k);

/// Thin singular value decomposition a = u diag(values) v (gesvd), which
/// overwrites a. Returns 1 if a has values that are not finite, else 0.
template <typename T>
int decomposeSingular(Columns<T> a, Real<T> *values, Columns<T> u,
                      Columns<T> v);

/// Eigenvectors of a symmetric matrix, of which the upper triangle is read,
/// become its columns (syevd, heevd). Returns 1 if they were not found, else 0.
template <typename T> int decomposeSymmetric(Columns<T> a, Real<T> *values);

/// to = alpha op(from).
template <typename T>
void scale(T alpha, Op op, Columns<T> from, Columns<T> to);

/// to = alpha op(triangle of a) b (trmm).
template <typename T>
void multiplyTriangle(T alpha, Op op, Triangle triangle, Columns<T> a,
                      Columns<T> b, Columns<T> to);

/// b becomes the y of y op(triangle of a) = b (trsm).
template <typename T>
void solveTriangle(Op op, Triangle triangle, Columns<T> a, Columns<T> b);

} // namespace tensorc::fakes

#endif // TENSORC_TESTS_RUNTIME_FAKES_MATRICES_FAKEMATRICES_H
