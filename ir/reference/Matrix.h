//===- Matrix.h - Matrices of long doubles ----------------------*- C++ -*-===//
//
// The interpreter's factorizations use these real or complex matrices.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_REFERENCE_MATRIX_H
#define TENSORC_IR_REFERENCE_MATRIX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

namespace tensorc::reference {

using Long = long double;
using LongComplex = std::complex<Long>;

inline Long conjugate(Long x) { return x; }
inline LongComplex conjugate(LongComplex x) { return std::conj(x); }
/// |x|^2.
template <typename T> Long squareOf(T x) { return std::norm(x); }
template <typename T> T notANumber() {
  return T(std::numeric_limits<Long>::quiet_NaN());
}
inline bool isFinite(Long x) { return std::isfinite(x); }
inline bool isFinite(LongComplex x) {
  return std::isfinite(x.real()) && std::isfinite(x.imag());
}

template <typename T> struct Matrix {
  int64_t rows, columns;
  std::vector<T> data;

  Matrix(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), data(rows * columns) {}
  T &operator()(int64_t i, int64_t j) { return data[i * columns + j]; }
  T operator()(int64_t i, int64_t j) const { return data[i * columns + j]; }
  bool isFinite() const {
    return llvm::all_of(data, [](T v) { return reference::isFinite(v); });
  }
  void fill(T value) { std::fill(data.begin(), data.end(), value); }
};

template <typename T> Matrix<T> transposed(const Matrix<T> &x) {
  Matrix<T> y(x.columns, x.rows);
  for (int64_t i = 0; i < x.rows; ++i)
    for (int64_t j = 0; j < x.columns; ++j)
      y(j, i) = x(i, j);
  return y;
}

/// Returns the conjugate transpose.
template <typename T> Matrix<T> adjoint(const Matrix<T> &x) {
  Matrix<T> y = transposed(x);
  for (T &v : y.data)
    v = conjugate(v);
  return y;
}

/// Magnitude, relative to the largest number, below which a number counts as 0.
constexpr Long kSmall = 1e-19L;
constexpr int kMaxSweeps = 60;

/// The function linalg.eig: returns a row of eigenvalues, followed by rows that
/// hold the eigenvectors as columns (Eigenvalues.cpp).
void eig(llvm::StringRef config, llvm::ArrayRef<Matrix<LongComplex>> in,
         Matrix<LongComplex> &out);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_MATRIX_H
