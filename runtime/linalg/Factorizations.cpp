//===- Factorizations.cpp - Factorizations and solvers --------------------===//
//
// By Eigen, each matrix in a copy; batches of small ones by Lanes.h. The
// number of rows alone decides which, so a matrix' bits do not depend on its
// batch. What has no result is filled with NaN. Compiled for each level.
//
//===----------------------------------------------------------------------===//

#include "runtime/linalg/Batches.h"
#include "runtime/linalg/Lanes.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

namespace {

//===----------------------------------------------------------------------===//
// One matrix each
//===----------------------------------------------------------------------===//

template <typename T>
void cholesky(const char *config, const In<T> &x, const In<T> &, Out<T> out) {
  Eigen::LLT<Matrix<T>> llt(x);
  Matrix<T> l = llt.matrixL();
  if (llt.info() != Eigen::Success || !l.allFinite()) {
    out.setConstant(kNaN<T>);
    return;
  }
  out = l;
  if (has(config, "upper"))
    out.transposeInPlace();
}

template <typename T>
void triangularSolve(const char *config, const In<T> &a, const In<T> &b,
                     Out<T> out) {
  Matrix<T> m = a, y = b;
  bool upper = has(config, "upper"), unit = has(config, "unit");
  if (has(config, "transposed")) {
    m.transposeInPlace();
    upper = !upper;
  }
  if (upper && unit)
    m.template triangularView<Eigen::UnitUpper>().solveInPlace(y);
  else if (upper)
    m.template triangularView<Eigen::Upper>().solveInPlace(y);
  else if (unit)
    m.template triangularView<Eigen::UnitLower>().solveInPlace(y);
  else
    m.template triangularView<Eigen::Lower>().solveInPlace(y);
  out = y;
}

/// Rows as they lie in memory: to turn large matrices around takes as long as
/// half of their factorization.
template <typename T>
void solve(const char *, const In<T> &a, const In<T> &b, Out<T> out) {
  Eigen::PartialPivLU<Rows<T>> lu(a);
  out = lu.solve(b);
}

/// With row exchanges, as LAPACK's gtsv: a row then has a second element behind
/// its diagonal.
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
    if (i + 2 < n && second(i) != 0)
      y.row(i) -= second(i) * y.row(i + 2);
    y.row(i) /= d(1, i);
  }
  out = y;
}

/// Of any shape; Eigen's own is for squares.
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
      if (a(k, k) == 0)
        continue; // the column below is 0, too
      a.col(k).tail(m - k - 1) /= a(k, k);
      a.bottomRightCorner(m - k - 1, n - k - 1).noalias() -=
          a.col(k).tail(m - k - 1) * a.row(k).tail(n - k - 1);
    }
    out.leftCols(n) = a;
  }
  out.col(n) = order.template cast<T>();
}

template <typename T>
void determinant(const char *, const In<T> &x, const In<T> &, Out<T> out) {
  T sign = 1, logarithm = 0, product = 1;
  if (x.rows() > 0) {
    Eigen::PartialPivLU<Rows<T>> lu(x);
    sign = product = lu.permutationP().determinant();
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      T pivot = lu.matrixLU()(i, i);
      sign = pivot == 0 ? T(0) : pivot < 0 ? -sign : pivot > 0 ? sign : pivot;
      logarithm += std::log(std::abs(pivot));
      product *= pivot;
    }
  }
  out << sign, logarithm, product;
}

/// The reflector that leaves one element of a column, which becomes that
/// element and the reflector's; the result is its factor. Squares neither
/// overflow nor vanish: as LAPACK's larfg, but by a power of two, which rounds
/// nothing.
template <typename T> T reflect(Eigen::Ref<Eigen::Matrix<T, -1, 1>> column) {
  T largest = column.template lpNorm<Eigen::Infinity>(), factor, left;
  int exponent = 0;
  if (largest > 0 && std::isfinite(largest))
    std::frexp(largest, &exponent);
  constexpr int most = std::numeric_limits<T>::max_exponent - 2;
  exponent = std::clamp(exponent, -most, most);
  column *= std::ldexp(T(1), -exponent);
  column.makeHouseholderInPlace(factor, left);
  column(0) = std::ldexp(left, exponent);
  return factor;
}

/// Reflectors below the diagonal, as Eigen's HouseholderQR leaves them: their
/// block of columns first, then what is right of it in one product.
template <typename T> Eigen::Matrix<T, -1, 1> reflectColumns(Matrix<T> &x) {
  Eigen::Index m = x.rows(), n = x.cols(), least = std::min(m, n);
  constexpr Eigen::Index block = 48; // as HouseholderQR's
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
  Eigen::Matrix<T, -1, 1> factors = reflectColumns<T>(reflected);
  q.applyOnTheLeft(Eigen::householderSequence(reflected, factors));
  out.leftCols(k) = q;
  Matrix<T> r = reflected.topRows(least);
  out.block(0, k, least, n) =
      Matrix<T>(r.template triangularView<Eigen::Upper>());
}

//===----------------------------------------------------------------------===//
// Small matrices
//===----------------------------------------------------------------------===//

/// x and z are one group, turned; the result is in one of them.
template <typename T>
using OfLanes = typename Lanes<T>::Vector *(*)(const char *config,
                                               typename Lanes<T>::Vector *x,
                                               typename Lanes<T>::Vector *z,
                                               int64_t n, int64_t m);

template <typename T>
typename Lanes<T>::Vector *
choleskyOfLanes(const char *config, typename Lanes<T>::Vector *x,
                typename Lanes<T>::Vector *, int64_t n, int64_t) {
  Lanes<T>::cholesky(x, n);
  if (has(config, "upper"))
    Lanes<T>::transpose(x, n);
  return x;
}

template <typename T>
typename Lanes<T>::Vector *
triangularSolveOfLanes(const char *config, typename Lanes<T>::Vector *x,
                       typename Lanes<T>::Vector *z, int64_t n, int64_t m) {
  bool isTransposed = has(config, "transposed");
  if (isTransposed)
    Lanes<T>::transpose(x, n);
  Lanes<T>::solveTriangle(x, z, n, m, has(config, "upper") != isTransposed,
                          has(config, "unit"));
  return z;
}

template <typename T>
typename Lanes<T>::Vector *
solveOfLanes(const char *, typename Lanes<T>::Vector *x,
             typename Lanes<T>::Vector *z, int64_t n, int64_t m) {
  Lanes<T>::solve(x, z, n, m);
  return z;
}

/// Of groups, or one by one where the matrices are too large.
template <typename T, OfLanes<T> ofGroup, Function<T> ofOne>
void runLanes(const tensorc_rt_op_call &description) {
  Call<T> call(description);
  int64_t n = call.a.rows, m = call.b.columns;
  if (n == 0 || n > kMostRows || m > kMostRows)
    return runAll<T, ofOne>(description);
  constexpr int lanes = Lanes<T>::count;
  int64_t groups = (call.a.batch + lanes - 1) / lanes;
  auto each = static_cast<double>(n * n * (n + m));
  inParts(groups, each, [&](int64_t group, int64_t end) {
    using Vector = typename Lanes<T>::Vector;
    Vector x[kMostRows * kMostRows], z[kMostRows * kMostRows];
    for (; group < end; ++group) {
      int64_t first = group * lanes;
      int64_t used = std::min<int64_t>(lanes, call.a.batch - first);
      Lanes<T>::load(call.x + first * call.a.size(), call.a.size(), used, x);
      if (call.z != call.x)
        Lanes<T>::load(call.z + first * call.b.size(), call.b.size(), used, z);
      Lanes<T>::store(ofGroup(call.config, x, z, n, m), call.y.size(), used,
                      call.out + first * call.y.size());
    }
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

#define TENSORC_OF(fn) run<runAll<float, fn<float>>, runAll<double, fn<double>>>
#define TENSORC_OF_LANES(fn)                                                   \
  run<runLanes<float, fn##OfLanes<float>, fn<float>>,                          \
      runLanes<double, fn##OfLanes<double>, fn<double>>>

tensorc_rt_op_fn find(std::string_view name) {
  if (name == "cholesky")
    return TENSORC_OF_LANES(cholesky);
  if (name == "triangular_solve")
    return TENSORC_OF_LANES(triangularSolve);
  if (name == "solve")
    return TENSORC_OF_LANES(solve);
  if (name == "tridiagonal_solve")
    return TENSORC_OF(tridiagonalSolve);
  if (name == "lu")
    return TENSORC_OF(lu);
  if (name == "determinant")
    return TENSORC_OF(determinant);
  if (name == "qr")
    return TENSORC_OF(qr);
  return nullptr;
}

} // namespace tensorc::linalg::TENSORC_LINALG_LEVEL
