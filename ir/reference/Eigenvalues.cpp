//===- Eigenvalues.cpp - Eigenvalues by the QR algorithm ------------------===//

#include "ir/reference/Matrix.h"

namespace tensorc::reference {

namespace {

using ComplexMatrix = Matrix<LongComplex>;

/// Applies a rotation G, which maps (a, b) in rows i and j to (length, 0): t
/// becomes G t G^H, and z becomes z G^H.
void applyRotation(ComplexMatrix &t, ComplexMatrix &z, int64_t i, int64_t j,
                   LongComplex a, LongComplex b) {
  Long length = std::sqrt(std::norm(a) + std::norm(b));
  if (length == 0)
    return;
  a /= length;
  b /= length;
  for (int64_t k = 0; k < t.columns; ++k) {
    LongComplex x = t(i, k), y = t(j, k);
    t(i, k) = std::conj(a) * x + std::conj(b) * y;
    t(j, k) = a * y - b * x;
  }
  for (ComplexMatrix *m : {&t, &z})
    for (int64_t k = 0; k < m->rows; ++k) {
      LongComplex x = (*m)(k, i), y = (*m)(k, j);
      (*m)(k, i) = a * x + b * y;
      (*m)(k, j) = std::conj(a) * y - std::conj(b) * x;
    }
}

/// Returns the shift: the eigenvalue of the last 2x2 block that is closer to
/// the last diagonal element.
LongComplex shiftOf(const ComplexMatrix &t, int64_t last) {
  LongComplex a = t(last - 1, last - 1), d = t(last, last);
  LongComplex bc = t(last - 1, last) * t(last, last - 1);
  LongComplex half = (a - d) / 2.0L, root = std::sqrt(half * half + bc);
  LongComplex first = d + half + root, second = d + half - root;
  return std::abs(first - d) < std::abs(second - d) ? first : second;
}

/// Makes t upper triangular by the QR algorithm for Hessenberg matrices (Golub
/// and Van Loan, 7.5). Returns false if the algorithm does not converge.
bool triangularize(ComplexMatrix &t, ComplexMatrix &z) {
  int64_t n = t.rows;
  for (int64_t k = 0; k + 2 < n; ++k)
    for (int64_t i = k + 2; i < n; ++i)
      applyRotation(t, z, k + 1, i, t(k + 1, k), t(i, k));
  Long size = 0;
  for (LongComplex value : t.data)
    size += std::norm(value);
  // The bound grows with n, because a rotation rounds each of n elements.
  Long negligible = 4 * static_cast<Long>(n) * kSmall * std::sqrt(size);
  int64_t last = n - 1;
  for (int64_t step = 0; last > 0; ++step) {
    int64_t first = last;
    for (; first > 0; --first) {
      if (std::abs(t(first, first - 1)) > negligible)
        continue;
      t(first, first - 1) = 0;
      break;
    }
    if (first == last) {
      --last;
      step = 0;
      continue;
    }
    if (step == kMaxSweeps)
      return false;
    // Every tenth step uses another shift, which breaks cycles.
    LongComplex shift = step % 10 == 9
                            ? t(last, last) + std::abs(t(last, last - 1))
                            : shiftOf(t, last);
    applyRotation(t, z, first, first + 1, t(first, first) - shift,
                  t(first + 1, first));
    for (int64_t k = first + 1; k < last; ++k) {
      applyRotation(t, z, k, k + 1, t(k, k - 1), t(k + 1, k - 1));
      t(k + 1, k - 1) = 0;
    }
  }
  return true;
}

} // namespace

void eig(llvm::StringRef, llvm::ArrayRef<ComplexMatrix> in,
         ComplexMatrix &out) {
  int64_t n = in[0].rows;
  ComplexMatrix t = in[0], z(n, n);
  for (int64_t i = 0; i < n; ++i)
    z(i, i) = 1;
  if (!t.isFinite() || !triangularize(t, z))
    return out.fill(notANumber<LongComplex>());
  Long largest = 0;
  for (LongComplex value : t.data)
    largest = std::max(largest, std::abs(value));
  for (int64_t k = 0; k < n; ++k) {
    std::vector<LongComplex> y(n), v(n);
    y[k] = 1;
    for (int64_t i = k - 1; i >= 0; --i) {
      LongComplex sum = 0, distance = t(i, i) - t(k, k);
      for (int64_t j = i + 1; j <= k; ++j)
        sum += t(i, j) * y[j];
      if (std::abs(distance) <= kSmall * largest)
        distance = kSmall * largest;
      y[i] = sum == LongComplex(0) ? 0 : -sum / distance;
    }
    Long length = 0;
    int64_t most = 0;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j <= k; ++j)
        v[i] += z(i, j) * y[j];
      length += std::norm(v[i]);
      most = std::abs(v[i]) > std::abs(v[most]) ? i : most;
    }
    LongComplex scale =
        std::conj(v[most]) / std::abs(v[most]) / std::sqrt(length);
    out(0, k) = t(k, k);
    for (int64_t i = 0; i < n; ++i)
      out(1 + i, k) = v[i] * scale;
  }
}

} // namespace tensorc::reference
