//===- FakeMatrices.cpp - LAPACK's arithmetic by Eigen --------------------===//
//
// Matrices of f32 and c64 are computed in f64 and c128, because each instance of
// Eigen's solvers takes ten seconds to compile.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/fakes/matrices/FakeMatrices.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>

using namespace tensorc::fakes;

namespace {

template <typename T> using Matrix = Eigen::Matrix<T, -1, -1>;
template <typename T>
using View = Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>>;

template <typename T> View<T> view(Columns<T> a) {
  return View<T>(a.data, a.rows, a.columns, Eigen::OuterStride<>(a.leading));
}

template <typename T> Matrix<T> applied(Op op, const Matrix<T> &x) {
  if (op == Op::none)
    return x;
  return op == Op::transpose ? Matrix<T>(x.transpose())
                             : Matrix<T>(x.adjoint());
}

template <typename T> Matrix<T> copyOf(Triangle triangle, Columns<T> a) {
  Matrix<T> own = view(a);
  if (triangle.isUpper)
    own.template triangularView<Eigen::StrictlyLower>().setZero();
  else
    own.template triangularView<Eigen::StrictlyUpper>().setZero();
  if (triangle.hasUnitDiagonal)
    own.diagonal().setOnes();
  return own;
}

} // namespace

template <typename T> int tensorc::fakes::factorUpper(Columns<T> columns) {
  View<T> a = view(columns);
  Eigen::Index n = a.rows();
  Matrix<T> u = Matrix<T>::Zero(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < j; ++i)
      u(i, j) = (a(i, j) - u.col(i).head(i).dot(u.col(j).head(i))) / u(i, i);
    Real<T> pivot = std::real(a(j, j)) - u.col(j).head(j).squaredNorm();
    if (!(pivot > 0))
      return static_cast<int>(j) + 1;
    u(j, j) = std::sqrt(pivot);
  }
  a.template triangularView<Eigen::Upper>() = u; // the rest stays
  return 0;
}

template <typename T>
int tensorc::fakes::factorLu(Columns<T> columns, int *pivots) {
  View<T> a = view(columns);
  int failed = 0;
  for (Eigen::Index k = 0; k < std::min(a.rows(), a.cols()); ++k) {
    Eigen::Index largest = 0, below = a.rows() - k - 1;
    a.col(k).tail(below + 1).cwiseAbs().maxCoeff(&largest);
    pivots[k] = static_cast<int>(k + largest) + 1;
    a.row(k).swap(a.row(k + largest));
    if (a(k, k) == T(0)) {
      failed = failed ? failed : static_cast<int>(k) + 1;
      continue;
    }
    a.col(k).tail(below) /= a(k, k);
    Eigen::Index right = a.cols() - k - 1;
    a.bottomRightCorner(below, right) -=
        (a.col(k).tail(below) * a.row(k).tail(right)).eval();
  }
  return failed;
}

// x = P^T L^-T U^-T b.
template <typename T>
void tensorc::fakes::solveLu(Columns<T> a, const int *pivots, Columns<T> b) {
  Matrix<T> transposed = view(a).transpose(), x = view(b);
  transposed.template triangularView<Eigen::Lower>().solveInPlace(x);
  transposed.template triangularView<Eigen::UnitUpper>().solveInPlace(x);
  for (Eigen::Index k = a.rows - 1; k >= 0; --k)
    x.row(k).swap(x.row(pivots[k] - 1));
  view(b) = x;
}

template <typename T> void tensorc::fakes::factorQr(Columns<T> a, T *factors) {
  Eigen::HouseholderQR<Matrix<T>> qr{Matrix<T>(view(a))};
  view(a) = qr.matrixQR();
  std::copy_n(qr.hCoeffs().data(), std::min(a.rows, a.columns), factors);
}

template <typename T>
void tensorc::fakes::formQ(Columns<T> a, const T *factors, int k) {
  Matrix<T> reflections = view(a).leftCols(k),
            q = Matrix<T>::Identity(a.rows, a.columns);
  Eigen::Matrix<T, -1, 1> conjugates =
      Eigen::Map<const Eigen::Matrix<T, -1, 1>>(factors, k).conjugate();
  q.applyOnTheLeft(Eigen::householderSequence(reflections, conjugates));
  view(a) = q;
}

template <typename T>
int tensorc::fakes::decomposeSingular(Columns<T> a, Real<T> *values,
                                      Columns<T> u, Columns<T> v) {
  if (!view(a).allFinite())
    return 1;
  Eigen::JacobiSVD<Matrix<T>> svd(Matrix<T>(view(a)),
                                  Eigen::ComputeThinU | Eigen::ComputeThinV);
  view(u) = svd.matrixU();
  view(v) = svd.matrixV().adjoint();
  std::copy_n(svd.singularValues().data(), a.columns, values);
  view(a).setConstant(T(7)); // As the libraries, which leave anything there.
  return 0;
}

template <typename T>
int tensorc::fakes::decomposeSymmetric(Columns<T> a, Real<T> *values) {
  Matrix<T> lower = view(a).adjoint(); // Eigen reads the lower triangle.
  Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(lower);
  view(a) = solver.eigenvectors();
  std::copy_n(solver.eigenvalues().data(), a.columns, values);
  return solver.info() == Eigen::Success && solver.eigenvalues().allFinite()
             ? 0
             : 1;
}

template <typename T>
void tensorc::fakes::scale(T alpha, Op op, Columns<T> from, Columns<T> to) {
  view(to) = alpha * applied<T>(op, view(from));
}

template <typename T>
void tensorc::fakes::multiplyTriangle(T alpha, Op op, Triangle triangle,
                                      Columns<T> a, Columns<T> b,
                                      Columns<T> to) {
  Matrix<T> product = applied(op, copyOf(triangle, a)) * Matrix<T>(view(b));
  view(to) = alpha * product;
}

// y op(a) = b is op(a)^T y^T = b^T.
template <typename T>
void tensorc::fakes::solveTriangle(Op op, Triangle triangle, Columns<T> a,
                                   Columns<T> b) {
  Matrix<T> own = applied(op, copyOf(triangle, a));
  Matrix<T> transposed = own.transpose(), sides = view(b).transpose();
  if (triangle.isUpper == (op == Op::none))
    transposed.template triangularView<Eigen::Lower>().solveInPlace(sides);
  else
    transposed.template triangularView<Eigen::Upper>().solveInPlace(sides);
  view(b) = sides.transpose();
}

#define OF_TYPE(T)                                                             \
  template int tensorc::fakes::factorUpper(Columns<T>);                        \
  template int tensorc::fakes::factorLu(Columns<T>, int *);                    \
  template void tensorc::fakes::solveLu(Columns<T>, const int *, Columns<T>);  \
  template void tensorc::fakes::factorQr(Columns<T>, T *);                     \
  template void tensorc::fakes::formQ(Columns<T>, const T *, int);             \
  template int tensorc::fakes::decomposeSingular(Columns<T>, Real<T> *,        \
                                                 Columns<T>, Columns<T>);      \
  template int tensorc::fakes::decomposeSymmetric(Columns<T>, Real<T> *);      \
  template void tensorc::fakes::scale(T, Op, Columns<T>, Columns<T>);          \
  template void tensorc::fakes::multiplyTriangle(T, Op, Triangle, Columns<T>,  \
                                                 Columns<T>, Columns<T>);      \
  template void tensorc::fakes::solveTriangle(Op, Triangle, Columns<T>,        \
                                              Columns<T>);
OF_TYPE(double)
OF_TYPE(std::complex<double>)

//===----------------------------------------------------------------------===//
// f32 and c64
//===----------------------------------------------------------------------===//

namespace {

template <typename T> struct WideOf {
  using Type = double;
};
template <typename T> struct WideOf<std::complex<T>> {
  using Type = std::complex<double>;
};
template <typename T> using Wide = typename WideOf<T>::Type;

enum class Access { read, write };

/// A copy in f64 or c128, which is rounded and stored when its life ends, if it
/// is written.
template <typename T> class Widened {
public:
  Widened(Columns<T> narrow, Access access)
      : narrow(narrow), access(access),
        wide(view(narrow).template cast<Wide<T>>()) {}
  Widened(T *data, int count) // of a vector that is written
      : Widened({data, count, 1, count}, Access::write) {}
  ~Widened() {
    if (access == Access::write)
      view(narrow) = wide.template cast<T>();
  }
  Wide<T> *data() { return wide.data(); }
  operator Columns<Wide<T>>() {
    return {wide.data(), narrow.rows, narrow.columns, narrow.rows};
  }

private:
  Columns<T> narrow;
  Access access;
  Matrix<Wide<T>> wide;
};

template <typename T> Widened<T> read(Columns<T> a) {
  return {a, Access::read};
}
template <typename T> Widened<T> write(Columns<T> a) {
  return {a, Access::write};
}

} // namespace

#define OF_NARROW_TYPE(T)                                                      \
  template <> int tensorc::fakes::factorUpper(Columns<T> a) {                  \
    return factorUpper<Wide<T>>(write(a));                                     \
  }                                                                            \
  template <> int tensorc::fakes::factorLu(Columns<T> a, int *pivots) {        \
    return factorLu<Wide<T>>(write(a), pivots);                                \
  }                                                                            \
  template <>                                                                  \
  void tensorc::fakes::solveLu(Columns<T> a, const int *pivots,                \
                               Columns<T> b) {                                 \
    solveLu<Wide<T>>(read(a), pivots, write(b));                               \
  }                                                                            \
  template <> void tensorc::fakes::factorQr(Columns<T> a, T *factors) {        \
    Widened<T> wide(factors, std::min(a.rows, a.columns));                     \
    factorQr<Wide<T>>(write(a), wide.data());                                  \
  }                                                                            \
  template <>                                                                  \
  void tensorc::fakes::formQ(Columns<T> a, const T *factors, int k) {          \
    Widened<T> wide({const_cast<T *>(factors), k, 1, k}, Access::read);        \
    formQ<Wide<T>>(write(a), wide.data(), k);                                  \
  }                                                                            \
  template <>                                                                  \
  int tensorc::fakes::decomposeSingular(Columns<T> a, Real<T> *values,         \
                                        Columns<T> u, Columns<T> v) {          \
    Widened<Real<T>> wide(values, a.columns);                                  \
    return decomposeSingular<Wide<T>>(write(a), wide.data(), write(u),         \
                                      write(v));                               \
  }                                                                            \
  template <>                                                                  \
  int tensorc::fakes::decomposeSymmetric(Columns<T> a, Real<T> *values) {      \
    Widened<Real<T>> wide(values, a.columns);                                  \
    return decomposeSymmetric<Wide<T>>(write(a), wide.data());                 \
  }                                                                            \
  template <>                                                                  \
  void tensorc::fakes::scale(T alpha, Op op, Columns<T> from, Columns<T> to) { \
    scale<Wide<T>>(alpha, op, read(from), write(to));                          \
  }                                                                            \
  template <>                                                                  \
  void tensorc::fakes::multiplyTriangle(T alpha, Op op, Triangle triangle,     \
                                        Columns<T> a, Columns<T> b,            \
                                        Columns<T> to) {                       \
    multiplyTriangle<Wide<T>>(alpha, op, triangle, read(a), read(b),           \
                              write(to));                                      \
  }                                                                            \
  template <>                                                                  \
  void tensorc::fakes::solveTriangle(Op op, Triangle triangle, Columns<T> a,   \
                                     Columns<T> b) {                           \
    solveTriangle<Wide<T>>(op, triangle, read(a), write(b));                   \
  }
OF_NARROW_TYPE(float)
OF_NARROW_TYPE(std::complex<float>)
