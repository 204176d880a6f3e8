//===- Spectra.h - Singular values, eigenvalues and cofactors ---*- C++ -*-===//
//
// Methods by Eigen, each for one matrix in a copy. If there is no result, the
// output is filled with NaN. They gain little from wide vectors, so they are
// compiled for one CPU level only. Solvers of complex matrices contain real
// ones of the same precision, so one source file contains both, and the shared
// parts are compiled once.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_LINALG_SPECTRA_H
#define TENSORC_RUNTIME_LINALG_SPECTRA_H

#include "runtime/linalg/Batches.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tensorc::linalg::baseline {

template <typename T>
void svd(const char *, const In<T> &x, const In<T> &, Out<T> out) {
  Eigen::Index m = x.rows(), n = x.cols(), k = std::min(m, n);
  if (k == 0)
    return;
  if (!x.allFinite()) {
    out.setConstant(notANumber<T>());
    return;
  }
  constexpr unsigned thin = Eigen::ComputeThinU | Eigen::ComputeThinV;
  // Jacobi's method is more accurate; divide and conquer (BDCSVD) is for large
  // matrices.
  constexpr Eigen::Index kLarge = 64;
  auto store = [&](const auto &svd) {
    out.topRows(m) = svd.matrixU();
    out.row(m) = svd.singularValues().transpose().template cast<T>();
    out.bottomRows(n) = svd.matrixV();
  };
  if (k < kLarge)
    store(Eigen::JacobiSVD<Matrix<T>>(x, thin));
  else
    store(Eigen::BDCSVD<Matrix<T>>(x, thin));
}

template <typename T>
void eigh(const char *, const In<T> &x, const In<T> &, Out<T> out) {
  Eigen::Index n = x.rows();
  if (n == 0)
    return;
  Matrix<T> lower = x.template triangularView<Eigen::Lower>();
  lower.diagonal() = lower.diagonal().real().template cast<T>().eval();
  if (!lower.allFinite()) {
    out.setConstant(notANumber<T>());
    return;
  }
  Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(lower);
  if (solver.info() != Eigen::Success) {
    out.setConstant(notANumber<T>());
    return;
  }
  out.row(0) = solver.eigenvalues().transpose().template cast<T>();
  out.bottomRows(n) = solver.eigenvectors();
}

/// Balances x (Parlett and Reinsch): scales by powers of two that make the
/// magnitudes of each row and column of D^-1 x D similar, without which small
/// elements lose their precision. Returns D.
template <typename T>
Eigen::Matrix<Real<T>, Eigen::Dynamic, 1> balance(Matrix<T> &x) {
  Eigen::Index n = x.rows();
  Eigen::Matrix<Real<T>, Eigen::Dynamic, 1> d =
      Eigen::Matrix<Real<T>, Eigen::Dynamic, 1>::Ones(n);
  constexpr int most = std::numeric_limits<Real<T>>::max_exponent / 4;
  bool again = true;
  for (int round = 0; round < 20 && again; ++round) {
    again = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      Real<T> own = std::abs(x(i, i));
      Real<T> column = x.col(i).cwiseAbs().sum() - own;
      Real<T> row = x.row(i).cwiseAbs().sum() - own;
      if (!(column > 0) || !(row > 0))
        continue;
      int exponent =
          std::clamp(static_cast<int>(std::lround(std::log2(row / column) / 2)),
                     -most, most);
      Real<T> factor = std::ldexp(Real<T>(1), exponent);
      // Continues only if a row and its column improve by at least a twentieth.
      if (!(column * factor + row / factor < Real<T>(0.95) * (column + row)))
        continue;
      again = true;
      d(i) *= factor;
      x.col(i) *= factor;
      x.row(i) /= factor;
    }
  }
  return d;
}

/// Normalizes a vector to length 1, with a real and positive largest element,
/// so that every device returns the same vector. LAPACK's real eigenvectors may
/// have either sign.
template <typename C> void normalize(Eigen::Ref<Eigen::Matrix<C, -1, 1>> v) {
  v /= v.cwiseAbs().maxCoeff();
  v /= v.norm();
  Eigen::Index largest;
  v.cwiseAbs().maxCoeff(&largest);
  v *= std::conj(v(largest)) / std::abs(v(largest));
  v(largest).imag(0);
}

/// Finds eigenvectors by back substitution, as Eigen's own solver does, but
/// scales on the way: the eigenvectors of a defective matrix grow without
/// bounds.
template <typename C> class ComplexSolver {
public:
  explicit ComplexSolver(const Matrix<C> &x) : schur(x) {
    const Matrix<C> &t = schur.matrixT();
    Eigen::Index n = x.rows();
    constexpr Real<C> epsilon = std::numeric_limits<Real<C>>::epsilon();
    Real<C> least = std::max(epsilon * t.norm(),
                             std::numeric_limits<Real<C>>::min() / epsilon);
    vectors.setZero(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      auto y = vectors.col(k);
      y(k) = 1;
      for (Eigen::Index i = k - 1; i >= 0; --i) {
        C sum = t.row(i).segment(i + 1, k - i) * y.segment(i + 1, k - i);
        C distance = t(i, i) - t(k, k);
        y(i) = -sum / (std::abs(distance) < least ? C(least) : distance);
        Real<C> size = std::abs(y(i));
        if (size > 1)
          y.segment(i, k - i + 1) /= size;
      }
    }
    vectors = schur.matrixU() * vectors;
  }
  Eigen::ComputationInfo info() const { return schur.info(); }
  auto eigenvalues() const { return schur.matrixT().diagonal(); }
  const Matrix<C> &eigenvectors() const { return vectors; }

private:
  Eigen::ComplexSchur<Matrix<C>> schur;
  Matrix<C> vectors;
};

template <typename T>
void eig(const char *, const In<T> &x, const In<T> &,
         Out<std::complex<Real<T>>> out) {
  using C = std::complex<Real<T>>;
  using Solver =
      std::conditional_t<Eigen::NumTraits<T>::IsComplex, ComplexSolver<T>,
                         Eigen::EigenSolver<Matrix<T>>>;
  Eigen::Index n = x.rows();
  if (n == 0)
    return;
  Real<T> largest = x.cwiseAbs().maxCoeff();
  if (!x.allFinite() || !std::isfinite(largest)) {
    out.setConstant(notANumber<C>());
    return;
  }
  // Scales x, so that squares neither overflow nor underflow.
  int exponent = 0;
  if (largest > 0)
    std::frexp(largest, &exponent);
  constexpr int most = std::numeric_limits<Real<T>>::max_exponent - 2;
  exponent = std::clamp(exponent, -most, most);
  Matrix<T> scaled = x * std::ldexp(Real<T>(1), -exponent);
  auto d = balance<T>(scaled);
  d /= d.maxCoeff(); // a power of two; norms then do not overflow
  Matrix<C> vectors;
  auto take = [&](auto &&solver) {
    if (solver.info() != Eigen::Success)
      return false;
    out.row(0) =
        solver.eigenvalues().transpose() * std::ldexp(Real<T>(1), exponent);
    vectors = solver.eigenvectors();
    return vectors.allFinite();
  };
  // Eigen's solver for real matrices divides by any difference that is not 0,
  // however small, so its result may be unusable.
  if (!take(Solver(scaled)) &&
      !take(ComplexSolver<C>(scaled.template cast<C>()))) {
    out.setConstant(notANumber<C>());
    return;
  }
  vectors = d.template cast<C>().asDiagonal() * vectors;
  for (Eigen::Index i = 0; i < n; ++i)
    normalize<C>(vectors.col(i));
  out.bottomRows(n) = vectors;
}

/// Returns the adjugate of an upper triangular matrix without dividing by its
/// last diagonal element, which may be 0. Zeros on the diagonal must come last,
/// as after LU with full pivoting.
template <typename T> Matrix<T> adjugateOfUpper(const Matrix<T> &u) {
  Eigen::Index k = u.rows() - 1;
  Matrix<T> y = Matrix<T>::Zero(k + 1, k + 1);
  T product = u.diagonal().head(k).prod();
  if (product == T(0))
    return y; // two zero pivots make all cofactors 0
  Matrix<T> inner = Matrix<T>::Identity(k, k) * product;
  u.topLeftCorner(k, k).template triangularView<Eigen::Upper>().solveInPlace(
      inner);
  y.topLeftCorner(k, k) = inner * u(k, k);
  y.col(k).head(k).noalias() = -(inner * u.col(k).head(k));
  y(k, k) = product;
  return y;
}

/// Computes cofactors from the inverse, or for a singular matrix by LU with
/// full pivoting, which moves zero pivots to the end.
template <typename T>
void cofactors(const char *, const In<T> &x, const In<T> &, Out<T> out) {
  Eigen::Index n = x.rows();
  if (n == 0)
    return;
  Real<T> largest = x.cwiseAbs().maxCoeff();
  if (!x.allFinite() || !std::isfinite(largest)) {
    out.setConstant(notANumber<T>());
    return;
  }
  // Scales x, so that products of n - 1 elements neither overflow nor underflow
  // on the way.
  int exponent = 0;
  if (largest > 0)
    std::frexp(largest, &exponent);
  constexpr int most = std::numeric_limits<Real<T>>::max_exponent - 2;
  exponent = std::clamp(exponent, -most, most);
  Matrix<T> scaled = x * std::ldexp(Real<T>(1), -exponent);
  Eigen::PartialPivLU<Matrix<T>> lu(scaled);
  auto pivots = lu.matrixLU().diagonal().cwiseAbs().eval();
  Real<T> epsilon = std::numeric_limits<Real<T>>::epsilon();
  if (pivots.minCoeff() >
      10 * static_cast<Real<T>>(n) * epsilon * pivots.maxCoeff()) {
    out = (lu.inverse() * lu.determinant()).transpose();
  } else {
    Eigen::FullPivLU<Matrix<T>> full(scaled);
    Matrix<T> u = full.matrixLU().template triangularView<Eigen::Upper>();
    Matrix<T> adjugate = adjugateOfUpper(u);
    full.matrixLU()
        .template triangularView<Eigen::UnitLower>()
        .template solveInPlace<Eigen::OnTheRight>(adjugate);
    auto sign = static_cast<Real<T>>(full.permutationP().determinant() *
                                     full.permutationQ().determinant());
    out = (full.permutationQ() * adjugate * full.permutationP()).transpose() *
          sign;
  }
  for (Eigen::Index left = n - 1; left > 0 && exponent != 0; --left)
    out *= std::ldexp(Real<T>(1), exponent);
}

/// Calls the first function for real matrices, the second one for complex
/// matrices.
template <void (*ofReal)(const tensorc_rt_op_call &),
          void (*ofComplex)(const tensorc_rt_op_call &)>
tensorc_rt_status *runEither(const tensorc_rt_op_call *call) {
  tensorc_rt_dtype dtype = call->inputs[0].dtype;
  (dtype == TENSORC_RT_F32 || dtype == TENSORC_RT_F64 ? ofReal
                                                      : ofComplex)(*call);
  return nullptr;
}

#define TENSORC_SPECTRAL(fn) runEither<runAll<R, R, fn<R>>, runAll<C, C, fn<C>>>

/// Returns the function of this name for one precision, or null.
template <typename R> tensorc_rt_op_fn findOf(std::string_view name) {
  using C = std::complex<R>;
  if (name == "svd")
    return TENSORC_SPECTRAL(svd);
  if (name == "eigh")
    return TENSORC_SPECTRAL(eigh);
  if (name == "eig")
    return runEither<runAll<R, C, eig<R>>, runAll<C, C, eig<C>>>;
  if (name == "cofactors")
    return TENSORC_SPECTRAL(cofactors);
  return nullptr;
}

#undef TENSORC_SPECTRAL

} // namespace tensorc::linalg::baseline

#endif // TENSORC_RUNTIME_LINALG_SPECTRA_H
