//===- LinearAlgebra.cpp - Factorizations and solvers by Eigen ------------===//
//
// The only source that sees Eigen. Each function works on one matrix of a
// batch, in a copy, in one thread: the same bits in every run. What has no
// result is filled with NaN.
//
//===----------------------------------------------------------------------===//

#include "runtime/linalg/LinearAlgebra.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
/// As buffers have it.
template <typename T>
using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T> using In = Eigen::Map<const Rows<T>>;
template <typename T> using Out = Eigen::Map<Rows<T>>;

template <typename T> constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();

/// The words of a call's config.
bool has(const char *config, std::string_view word) {
  std::string_view rest(config);
  while (!rest.empty()) {
    size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == word)
      return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

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

template <typename T>
void solve(const char *, const In<T> &a, const In<T> &b, Out<T> out) {
  Eigen::PartialPivLU<Matrix<T>> lu(a);
  out = lu.solve(Matrix<T>(b));
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
  Matrix<T> a = x;
  Eigen::VectorXi order =
      Eigen::VectorXi::LinSpaced(m, 0, std::max<int>(m - 1, 0));
  if (m == n && n > 0) {
    Eigen::PartialPivLU<Matrix<T>> square(a);
    a = square.matrixLU();
    for (Eigen::Index i = 0; i < n; ++i)
      order(square.permutationP().indices()(i)) = static_cast<int>(i);
  } else {
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
  }
  out.leftCols(n) = a;
  out.col(n) = order.template cast<T>();
}

template <typename T>
void determinant(const char *, const In<T> &x, const In<T> &, Out<T> out) {
  T sign = 1, logarithm = 0, product = 1;
  if (x.rows() > 0) {
    Eigen::PartialPivLU<Matrix<T>> lu(x);
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

template <typename T>
void qr(const char *config, const In<T> &x, const In<T> &, Out<T> out) {
  Eigen::Index m = x.rows(), n = x.cols(), least = std::min(m, n);
  Eigen::Index k = has(config, "complete") ? m : least;
  out.setZero();
  if (least == 0) {
    out.leftCols(k).setIdentity();
    return;
  }
  Eigen::HouseholderQR<Matrix<T>> qr(x);
  Matrix<T> q = Matrix<T>::Identity(m, k);
  q.applyOnTheLeft(qr.householderQ());
  out.leftCols(k) = q;
  Matrix<T> r = qr.matrixQR().topRows(least);
  out.block(0, k, least, n) =
      Matrix<T>(r.template triangularView<Eigen::Upper>());
}

template <typename T>
void svd(const char *, const In<T> &x, const In<T> &, Out<T> out) {
  Eigen::Index m = x.rows(), n = x.cols(), k = std::min(m, n);
  if (k == 0)
    return;
  if (!x.allFinite()) {
    out.setConstant(kNaN<T>);
    return;
  }
  constexpr unsigned thin = Eigen::ComputeThinU | Eigen::ComputeThinV;
  // Jacobi's method is the more exact one; the other one is for large matrices.
  constexpr Eigen::Index kLarge = 64;
  auto store = [&](const auto &svd) {
    out.topRows(m) = svd.matrixU();
    out.row(m) = svd.singularValues().transpose();
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
  if (!lower.allFinite()) {
    out.setConstant(kNaN<T>);
    return;
  }
  Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(lower);
  if (solver.info() != Eigen::Success) {
    out.setConstant(kNaN<T>);
    return;
  }
  out.row(0) = solver.eigenvalues().transpose();
  out.bottomRows(n) = solver.eigenvectors();
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

struct Shape {
  int64_t batch = 1, rows = 1, columns = 1;
};

/// A list of one dim is a row, for the numbers of a determinant.
Shape shapeOf(const tensorc_rt_array &array) {
  Shape shape;
  if (array.rank > 0)
    shape.columns = array.dims[array.rank - 1];
  if (array.rank > 1)
    shape.rows = array.dims[array.rank - 2];
  for (int32_t i = 0; i + 2 < array.rank; ++i)
    shape.batch *= array.dims[i];
  return shape;
}

template <typename T>
using Function = void (*)(const char *, const In<T> &, const In<T> &, Out<T>);

template <typename T>
void runAll(const tensorc_rt_op_call &call, Function<T> function) {
  const tensorc_rt_array &first = call.inputs[0];
  const tensorc_rt_array &second = call.inputs[call.input_count - 1];
  Shape a = shapeOf(first), b = shapeOf(second), y = shapeOf(call.outputs[0]);
  // A determinant's numbers are one row for each matrix.
  if (call.outputs[0].rank < first.rank)
    y.rows = 1;
  for (int64_t i = 0; i < a.batch; ++i) {
    auto at = [&](const tensorc_rt_array &array, const Shape &shape) {
      return static_cast<T *>(array.data) + i * shape.rows * shape.columns;
    };
    In<T> x(at(first, a), a.rows, a.columns);
    In<T> z(at(second, b), b.rows, b.columns);
    function(call.config, x, z,
             Out<T>(at(call.outputs[0], y), y.rows, y.columns));
  }
}

template <template <typename> class Of>
tensorc_rt_status *run(const tensorc_rt_op_call *call) {
  if (call->input_count < 1 || call->output_count != 1)
    return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT,
                                    "needs matrices and one result");
  switch (call->inputs[0].dtype) {
  case TENSORC_RT_F32:
    runAll<float>(*call, Of<float>::function);
    return nullptr;
  case TENSORC_RT_F64:
    runAll<double>(*call, Of<double>::function);
    return nullptr;
  default:
    return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT,
                                    "needs f32 or f64");
  }
}

#define TENSORC_LINALG(X)                                                      \
  X("cholesky", cholesky)                                                      \
  X("triangular_solve", triangularSolve)                                       \
  X("solve", solve)                                                            \
  X("tridiagonal_solve", tridiagonalSolve)                                     \
  X("lu", lu)                                                                  \
  X("determinant", determinant)                                                \
  X("qr", qr)                                                                  \
  X("svd", svd)                                                                \
  X("eigh", eigh)
#define TENSORC_DEFINE(name, fn)                                               \
  template <typename T> struct Of_##fn {                                       \
    static constexpr Function<T> function = fn<T>;                             \
  };
TENSORC_LINALG(TENSORC_DEFINE)

} // namespace

tensorc_rt_op_fn tensorc_linalg_function(const char *name) {
#define TENSORC_FIND(text, fn)                                                 \
  if (!std::strcmp(name, text))                                                \
    return run<Of_##fn>;
  TENSORC_LINALG(TENSORC_FIND)
  return nullptr;
}
