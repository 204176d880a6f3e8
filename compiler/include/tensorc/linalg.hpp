//===- linalg.hpp - Factorizations with named parts -----------------------===//
//
// Functions of the last two axes of tensors of floats or complex numbers; the
// axes before them are a batch. cholesky, solve, inv, det and other functions
// with one result are in tensorc/functions.hpp. If the result does not exist
// for a matrix, its elements are NaN. Errors are tensorc::Error exceptions,
// which name the call. All functions are thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_LINALG_HPP
#define TENSORC_LINALG_HPP

#include "tensorc/tensorc.hpp"

namespace tensorc {

namespace detail {
/// Returns rows [start, stop).
inline Tensor rows(const Tensor &x, int64_t start, int64_t stop) {
  return x.index({"...", Slice(start, stop), Slice()});
}
inline Tensor columns(const Tensor &x, int64_t start, int64_t stop) {
  return x.index({"...", Slice(start, stop)});
}
inline int64_t extent(const Tensor &x, int64_t axis) {
  std::vector<int64_t> shape = x.shape();
  return shape[static_cast<size_t>(static_cast<int64_t>(shape.size()) + axis)];
}
} // namespace detail

struct CholeskyEx {
  Tensor factor, info;
};
/// Returns Cholesky factors, and `info` (i64) for each matrix: 0, or the size
/// of the smallest leading block that is not positive definite. Matrices must
/// have at least one row.
inline CholeskyEx cholesky_ex(const Tensor &x, bool upper = false,
                              Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor all = cholesky_packed(x, upper);
  int64_t n = detail::extent(x, -1);
  return {detail::columns(all, 0, n),
          astype(real(all.index({"...", 0, n})), DType::i64)};
}

/// x[permutation] = lower upper, along axis -2.
struct LU {
  Tensor permutation, lower, upper;
};
/// LU factorization with row pivoting. The factors are m x k and k x n, k =
/// min(m, n).
inline LU lu(const Tensor &x, Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor all = lu_packed(x);
  int64_t m = detail::extent(x, -2), n = detail::extent(x, -1);
  int64_t k = std::min(m, n);
  Tensor packed = detail::columns(all, 0, n);
  Tensor order = astype(real(all.index({"...", n})), DType::i64);
  Tensor lower = tril(detail::columns(packed, 0, k), -1);
  lower = lower + eye(m, k, 0, x.dtype());
  return {order, lower, triu(detail::rows(packed, 0, k))};
}

/// x = q r.
struct QR {
  Tensor q, r;
};
/// QR factorization. The factors are m x k and k x n, k = min(m, n), or k = m
/// if `complete`.
inline QR qr(const Tensor &x, bool complete = false,
             Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor all = qr_packed(x, complete);
  int64_t m = detail::extent(x, -2), n = detail::extent(x, -1);
  int64_t k = complete ? m : std::min(m, n);
  return {detail::columns(all, 0, k),
          detail::rows(detail::columns(all, k, k + n), 0, k)};
}

/// x = u diag(s) vh; s in descending order.
struct SVD {
  Tensor u, s, vh;
};
/// Singular value decomposition. The results are m x k, k and k x n, k = min(m,
/// n).
inline SVD svd(const Tensor &x, Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor all = svd_packed(x);
  int64_t m = detail::extent(x, -2), n = detail::extent(x, -1);
  Tensor v = detail::rows(all, m + 1, m + 1 + n);
  return {detail::rows(all, 0, m), real(all.index({"...", m, Slice()})),
          conj(v).transpose(-2, -1)};
}

/// x vectors = vectors diag(values); values in ascending order.
struct Eigh {
  Tensor values, vectors;
};
/// Eigenvalues and eigenvectors of symmetric or Hermitian matrices. Reads only
/// the lower triangle.
inline Eigh eigh(const Tensor &x, Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor all = eigh_packed(x);
  int64_t n = detail::extent(x, -1);
  return {real(all.index({"...", 0, Slice()})), detail::rows(all, 1, n + 1)};
}

/// x vectors = vectors diag(values), all complex; values are in no particular
/// order. Vectors have length 1; the element of the largest magnitude is real
/// and positive.
struct Eig {
  Tensor values, vectors;
};
/// Eigenvalues and eigenvectors of square matrices, computed on the host.
inline Eig eig(const Tensor &x, Location at = Location::current()) {
  detail::CalledAt called(at);
  Tensor all = eig_packed(x);
  int64_t n = detail::extent(x, -1);
  return {all.index({"...", 0, Slice()}), detail::rows(all, 1, n + 1)};
}

} // namespace tensorc

#endif // TENSORC_LINALG_HPP
