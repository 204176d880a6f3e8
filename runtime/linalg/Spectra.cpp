//===- Spectra.cpp - Singular values and eigenvalues ----------------------===//
//
// By Eigen, each matrix in a copy. What has no result is filled with NaN.
//
//===----------------------------------------------------------------------===//

#include "runtime/linalg/Batches.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace tensorc::linalg {

using namespace baseline;

namespace {

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

} // namespace

tensorc_rt_op_fn findSpectral(std::string_view name) {
  if (name == "svd")
    return run<runAll<float, svd<float>>, runAll<double, svd<double>>>;
  if (name == "eigh")
    return run<runAll<float, eigh<float>>, runAll<double, eigh<double>>>;
  return nullptr;
}

} // namespace tensorc::linalg
