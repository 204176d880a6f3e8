//===- Spectra.cpp - reflections, singular values and eigenvalues ---------===//
#include "runtime/drivers/gpu/math/Run.h"

#include <cmath>
#include <limits>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

template <typename T> Status Run<T>::qr() {
  const int k = has(config, "complete") ? rows : least;
  T *packed = nullptr, *q = nullptr, *factors = nullptr, *work = nullptr,
    *identity = nullptr;
  int *info = nullptr, size = 0, sizeOfQ = 0;
  TENSORC_RT_TRY(scratch(packed, a.count()));
  TENSORC_RT_TRY(scratch(q, int64_t(rows) * k));
  TENSORC_RT_TRY(scratch(factors, least));
  TENSORC_RT_TRY(scratch(info, 2));
  TENSORC_RT_TRY(makeIdentity(least, identity));
  TENSORC_MATH(geqrfSize, solver, rows, columns, packed, rows, &size);
  TENSORC_MATH(orgqrSize, solver, rows, k, least, q, rows, factors, &sizeOfQ);
  TENSORC_RT_TRY(scratch(work, std::max(size, sizeOfQ)));
  TENSORC_RT_TRY(fill(out, 0, batch * y.count()));
  TENSORC_RT_TRY(fill(q, 0, int64_t(rows) * k));
  for (int64_t i = 0; i < batch; ++i) {
    T *to = out + i * y.count();
    TENSORC_RT_TRY(turn(number.transpose, rows, columns, x + i * a.count(),
                        columns, packed, rows));
    TENSORC_MATH(geqrf, solver, rows, columns, packed, rows, factors, work,
                 size, info);
    TENSORC_RT_TRY(copy(q, packed, int64_t(rows) * least));
    TENSORC_MATH(orgqr, solver, rows, k, least, q, rows, factors, work, sizeOfQ,
                 info + 1);
    TENSORC_RT_TRY(turn(number.transpose, k, rows, q, rows, to, width));
    // Each row of R is a column of the matrix that the library sees: copies the
    // triangle, and the part to the right of it.
    TENSORC_RT_TRY(clearTriangle(number.transpose, least, packed, rows, to + k,
                                 width, identity));
    if (columns > least)
      TENSORC_RT_TRY(turn(number.transpose, columns - least, least,
                          packed + int64_t(rows) * least, rows, to + k + least,
                          width));
  }
  return Status();
}

/// Singular values. The libraries require at least as many rows as columns.
/// They operate on the transpose, so tall matrices are transposed first.
template <typename T> Status Run<T>::svd() {
  const bool isTall = rows > columns;
  const int m = std::max(rows, columns), k = least;
  T *matrix = nullptr, *left = nullptr, *right = nullptr, *turned = nullptr,
    *work = nullptr;
  Real *values = nullptr, *realWork = nullptr;
  int *info = nullptr, size = 0;
  TENSORC_RT_TRY(scratch(matrix, a.count()));
  TENSORC_RT_TRY(scratch(left, int64_t(m) * k));
  TENSORC_RT_TRY(scratch(right, int64_t(k) * k));
  TENSORC_RT_TRY(scratch(turned, int64_t(k) * k));
  TENSORC_RT_TRY(scratch(values, int64_t(batch) * k));
  TENSORC_RT_TRY(scratch(realWork, 5 * int64_t(k)));
  TENSORC_RT_TRY(scratch(info, batch));
  TENSORC_MATH(gesvdSize, solver, m, k, &size);
  TENSORC_RT_TRY(scratch(work, size));
  TENSORC_RT_TRY(fill(out, 0, batch * y.count()));
  for (int64_t i = 0; i < batch; ++i) {
    const T *from = x + i * a.count();
    T *u = out + i * y.count(), *s = u + int64_t(rows) * k, *v = s + k;
    if (isTall)
      TENSORC_RT_TRY(turn(number.transpose, m, k, from, k, matrix, m));
    else
      TENSORC_RT_TRY(copy(matrix, from, a.count()));
    TENSORC_MATH(gesvd, solver, 'S', 'S', m, k, matrix, m, values + i * k, left,
                 m, right, k, work, size, realWork, info + i);
    TENSORC_RT_TRY(copyReal(k, values + i * k, 1, s, parts));
    if (isTall) { // x = left s right
      TENSORC_RT_TRY(turn(number.transpose, k, m, left, m, u, k));
      TENSORC_RT_TRY(turn(number.transpose, k, k, right, k, turned, k));
      TENSORC_RT_TRY(turn(number.adjoint, k, k, turned, k, v, k));
    } else { // x^T = left s right
      TENSORC_RT_TRY(copy(u, right, int64_t(k) * k));
      TENSORC_RT_TRY(turn(number.adjoint, k, m, left, m, v, k));
    }
  }
  std::vector<int> failed;
  std::vector<Real> found;
  TENSORC_RT_TRY(read(failed, info, batch));
  TENSORC_RT_TRY(read(found, values, int64_t(batch) * k));
  for (int64_t i = 0; i < batch; ++i) {
    auto own = found.begin() + i * k;
    if (failed[static_cast<size_t>(i)] != 0 ||
        !std::all_of(own, own + k, [](Real s) { return std::isfinite(s); }))
      TENSORC_RT_TRY(fill(out + i * y.count(),
                          std::numeric_limits<Real>::quiet_NaN(), y.count()));
  }
  return Status();
}

/// The libraries operate on the transpose, which is the conjugate matrix. Its
/// eigenvectors are the conjugates of the result.
template <typename T> Status Run<T>::eigh() {
  const int n = rows;
  T *vectors = nullptr, *work = nullptr;
  Real *values = nullptr;
  int *info = nullptr, size = 0;
  TENSORC_RT_TRY(copyMatrices(vectors));
  TENSORC_RT_TRY(dropImaginary(vectors));
  TENSORC_RT_TRY(scratch(values, int64_t(batch) * n));
  TENSORC_RT_TRY(scratch(info, batch));
  TENSORC_MATH(syevdSize, solver, number.vectors, number.upper, n, vectors, n,
               values, &size);
  TENSORC_RT_TRY(scratch(work, size));
  TENSORC_RT_TRY(fill(out, 0, batch * y.count()));
  for (int64_t i = 0; i < batch; ++i) {
    T *own = vectors + i * a.count(), *to = out + i * y.count();
    TENSORC_MATH(syevd, solver, number.vectors, number.upper, n, own, n,
                 values + i * n, work, size, info + i);
    TENSORC_RT_TRY(copyReal(n, values + i * n, 1, to, parts));
    TENSORC_RT_TRY(turn(number.adjoint, n, n, own, n, to + n, n));
  }
  std::vector<int> failed;
  std::vector<Real> found;
  TENSORC_RT_TRY(read(failed, info, batch));
  TENSORC_RT_TRY(read(found, values, int64_t(batch) * n));
  for (int64_t i = 0; i < batch; ++i) {
    auto own = found.begin() + i * n;
    if (failed[static_cast<size_t>(i)] != 0 ||
        !std::all_of(own, own + n, [](Real w) { return std::isfinite(w); }))
      TENSORC_RT_TRY(fill(out + i * y.count(),
                          std::numeric_limits<Real>::quiet_NaN(), y.count()));
  }
  return Status();
}

namespace tensorc::rt::gpu {
template Status Run<float>::qr();
template Status Run<double>::qr();
template Status Run<std::complex<float>>::qr();
template Status Run<std::complex<double>>::qr();
template Status Run<float>::svd();
template Status Run<double>::svd();
template Status Run<std::complex<float>>::svd();
template Status Run<std::complex<double>>::svd();
template Status Run<float>::eigh();
template Status Run<double>::eigh();
template Status Run<std::complex<float>>::eigh();
template Status Run<std::complex<double>>::eigh();
} // namespace tensorc::rt::gpu
