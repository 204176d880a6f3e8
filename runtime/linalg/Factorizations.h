//===- Factorizations.h - Factorizations and solvers ------------*- C++ -*-===//
//
// Methods for one real or complex matrix, by Eigen, in a copy. If there is no
// result, the output is filled with NaN. x^H is x^T for real numbers.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_LINALG_FACTORIZATIONS_H
#define TENSORC_RUNTIME_LINALG_FACTORIZATIONS_H

#include "runtime/linalg/Batches.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

/// Cholesky factorization in place. Returns 0, or the size of the smallest
/// leading block that is not positive definite. The upper triangle is not
/// changed.
template <typename T> Eigen::Index factorize(Matrix<T> &x) {
  Eigen::Index failed =
      Eigen::internal::llt_inplace<T, Eigen::Lower>::blocked(x);
  if (failed >= 0)
    return failed + 1;
  // Eigen does not report a pivot that is NaN, so the rows are checked for NaN.
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    if (!x.row(i).head(i + 1).allFinite())
      return i + 1;
  return 0;
}

/// Complex division multiplies by the conjugate and divides by the square of
/// the magnitude. Scales x by a power of four if quotients by the roots of its
/// pivots would overflow or underflow. Returns half the exponent.
template <typename T> int scaleForQuotients(Matrix<T> &x) {
  using R = Real<T>;
  R largest = x.size() > 0 ? x.diagonal().cwiseAbs().maxCoeff() : R(0);
  if (!(largest > 0) || !std::isfinite(largest))
    return 0;
  int exponent;
  std::frexp(largest, &exponent);
  if (std::abs(exponent) < std::numeric_limits<R>::max_exponent / 4)
    return 0;
  int half = exponent / 2;
  x *= std::ldexp(R(1), -half);
  x *= std::ldexp(R(1), -half);
  return half;
}

template <typename T>
void cholesky(const char *config, const In<T> &x, const In<T> &, Out<T> out) {
  Eigen::Index n = x.rows();
  Matrix<T> l = x;
  l.diagonal() = l.diagonal().real().template cast<T>().eval();
  int half = 0;
  if constexpr (Eigen::NumTraits<T>::IsComplex)
    half = scaleForQuotients(l);
  Eigen::Index failed = factorize(l);
  if (half != 0)
    l *= std::ldexp(Real<T>(1), half);
  auto factor = out.leftCols(n);
  if (failed > 0)
    factor.setConstant(notANumber<T>());
  else if (has(config, "upper"))
    factor = Matrix<T>(l.template triangularView<Eigen::Lower>()).adjoint();
  else
    factor = Matrix<T>(l.template triangularView<Eigen::Lower>());
  if (n > 0 && has(config, "info")) {
    out.col(n).setZero();
    out(0, n) = static_cast<Real<T>>(failed);
  }
}

template <typename T>
void triangularSolve(const char *config, const In<T> &a, const In<T> &b,
                     Out<T> out) {
  Matrix<T> m = a, y = b;
  bool upper = has(config, "upper");
  if (has(config, "transposed")) {
    m.transposeInPlace();
    upper = !upper;
  }
  if (has(config, "unit"))
    m.diagonal().setOnes();
  // Uses one solver for both triangles, because each instance of Eigen's takes
  // seconds to compile. An upper triangle in reverse order is a lower one.
  if (upper) {
    m = m.reverse().eval();
    y = y.colwise().reverse().eval();
  }
  m.template triangularView<Eigen::Lower>().solveInPlace(y);
  if (upper)
    y = y.colwise().reverse().eval();
  out = y;
}

/// Factorizes the matrix row-major, as it is in memory, because transposing a
/// large matrix takes half as long as factorizing it.
template <typename T>
void solve(const char *, const In<T> &a, const In<T> &b, Out<T> out) {
  Eigen::PartialPivLU<Rows<T>> lu(a);
  out = lu.solve(b);
}

/// Solves with partial pivoting, like LAPACK's gtsv. A row may then have a
/// second element after its diagonal.
template <typename T>
void tridiagonalSolve(const char *, const In<T> &diagonals, const In<T> &b,
                      Out<T> out) {
  Eigen::Index n = diagonals.cols();
  Matrix<T> d = diagonals, y = b;
  Eigen::Matrix<T, Eigen::Dynamic, 1> second(n);
  second.setZero();
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    T below = d(0, i + 1), after = i + 2 < n ? d(2, i + 1) : T(0);
    if (std::abs(d(1, i)) < std::abs(below)) {
      T factor = d(1, i) / below, diagonal = d(1, i + 1), above = d(2, i);
      d(1, i) = below;
      d(2, i) = diagonal;
      second(i) = after;
      d(1, i + 1) = above - factor * diagonal;
      d(2, i + 1) = -factor * after;
      y.row(i).swap(y.row(i + 1));
      y.row(i + 1) -= factor * y.row(i);
    } else {
      T factor = below / d(1, i);
      d(1, i + 1) -= factor * d(2, i);
      y.row(i + 1) -= factor * y.row(i);
    }
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    if (i + 1 < n)
      y.row(i) -= d(2, i) * y.row(i + 1);
    if (i + 2 < n && second(i) != T(0))
      y.row(i) -= second(i) * y.row(i + 2);
    y.row(i) /= d(1, i);
  }
  out = y;
}

/// LU factorization of matrices of any shape; Eigen's is for square matrices
/// only.
template <typename T>
void lu(const char *, const In<T> &x, const In<T> &, Out<T> out) {
  Eigen::Index m = x.rows(), n = x.cols();
  Eigen::VectorXi order =
      Eigen::VectorXi::LinSpaced(m, 0, std::max<int>(m - 1, 0));
  if (m == n && n > 0) {
    Eigen::PartialPivLU<Rows<T>> square(x);
    out.leftCols(n) = square.matrixLU();
    for (Eigen::Index i = 0; i < n; ++i)
      order(square.permutationP().indices()(i)) = static_cast<int>(i);
  } else {
    Rows<T> a = x;
    for (Eigen::Index k = 0; k < std::min(m, n); ++k) {
      Eigen::Index pivot;
      a.col(k).tail(m - k).cwiseAbs().maxCoeff(&pivot);
      a.row(k).swap(a.row(k + pivot));
      std::swap(order(k), order(k + pivot));
      if (a(k, k) == T(0))
        continue; // all elements below the pivot are 0, too
      a.col(k).tail(m - k - 1) /= a(k, k);
      a.bottomRightCorner(m - k - 1, n - k - 1).noalias() -=
          a.col(k).tail(m - k - 1) * a.row(k).tail(n - k - 1);
    }
    out.leftCols(n) = a;
  }
  out.col(n) = order.template cast<T>();
}

/// Returns x / |x|, or 0 for 0.
template <typename T> T signOf(T x) {
  if constexpr (Eigen::NumTraits<T>::IsComplex)
    return x == T(0) ? x : x / std::abs(x);
  else
    return x < 0 ? T(-1) : x > 0 ? T(1) : x;
}

template <typename T>
void determinant(const char *config, const In<T> &x, const In<T> &,
                 Out<T> out) {
  T sign = 1, product = 1;
  Real<T> logarithm = 0;
  if (x.rows() > 0) {
    Eigen::PartialPivLU<Rows<T>> lu(x);
    sign = product = static_cast<Real<T>>(lu.permutationP().determinant());
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      T pivot = lu.matrixLU()(i, i);
      sign *= signOf(pivot);
      logarithm += std::log(std::abs(pivot));
      product *= pivot;
    }
  }
  if (has(config, "logarithm"))
    out << sign, T(logarithm);
  else
    out << product;
}

/// Makes the Householder reflector that maps a column to a multiple of its
/// first unit vector. Stores the multiple and the reflector in the column, and
/// returns the reflector's factor. Squares neither overflow nor underflow, as
/// in LAPACK's larfg, but scaling is by a power of two, which does not round.
template <typename T> T reflect(Eigen::Ref<Eigen::Matrix<T, -1, 1>> column) {
  Real<T> largest = column.template lpNorm<Eigen::Infinity>(), left;
  T factor;
  int exponent = 0;
  if (largest > 0 && std::isfinite(largest))
    std::frexp(largest, &exponent);
  constexpr int most = std::numeric_limits<Real<T>>::max_exponent - 2;
  exponent = std::clamp(exponent, -most, most);
  column *= std::ldexp(Real<T>(1), -exponent);
  column.makeHouseholderInPlace(factor, left);
  column(0) = std::ldexp(left, exponent);
  return factor;
}

/// Blocked Householder QR. Stores the reflectors below the diagonal, as Eigen's
/// HouseholderQR does, and returns their factors. For each block of columns, it
/// computes the block's reflectors, and then applies them to all columns to the
/// right in one product.
template <typename T> Eigen::Matrix<T, -1, 1> reflectColumns(Matrix<T> &x) {
  Eigen::Index m = x.rows(), n = x.cols(), least = std::min(m, n);
  constexpr Eigen::Index block = 48; // as in Eigen's HouseholderQR
  Eigen::Matrix<T, -1, 1> factors(least), space(n);
  for (Eigen::Index first = 0; first < least; first += block) {
    Eigen::Index end = std::min(first + block, least);
    for (Eigen::Index k = first; k < end; ++k) {
      factors(k) = reflect<T>(x.col(k).tail(m - k));
      x.block(k, k + 1, m - k, end - k - 1)
          .applyHouseholderOnTheLeft(x.col(k).tail(m - k - 1), factors(k),
                                     space.data());
    }
    if (end == n)
      break;
    Eigen::Block<Matrix<T>> right = x.block(first, end, m - first, n - end);
    Eigen::internal::apply_block_householder_on_the_left(
        right, x.block(first, first, m - first, end - first),
        factors.segment(first, end - first), /*forward=*/false);
  }
  return factors;
}

template <typename T>
void qr(const char *config, const In<T> &x, const In<T> &, Out<T> out) {
  Eigen::Index m = x.rows(), n = x.cols(), least = std::min(m, n);
  Eigen::Index k = has(config, "complete") ? m : least;
  out.setZero();
  if (least == 0) {
    out.leftCols(k).setIdentity();
    return;
  }
  Matrix<T> reflected = x, q = Matrix<T>::Identity(m, k);
  // Q is the product of the reflectors' adjoints.
  Eigen::Matrix<T, -1, 1> factors = reflectColumns<T>(reflected).conjugate();
  q.applyOnTheLeft(Eigen::householderSequence(reflected, factors));
  out.leftCols(k) = q;
  Matrix<T> r = reflected.topRows(least);
  out.block(0, k, least, n) =
      Matrix<T>(r.template triangularView<Eigen::Upper>());
}

} // namespace tensorc::linalg::TENSORC_LINALG_LEVEL

#endif // TENSORC_RUNTIME_LINALG_FACTORIZATIONS_H
