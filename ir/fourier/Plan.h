//===- Plan.h - Chooses the algorithm of a Fourier transform --------------===//
//
// The algorithm depends only on the length, so every target, schedule and
// number of threads computes the same sums.
// docs/design/0041-fourier-transforms.md gives the reasons.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_FOURIER_PLAN_H
#define TENSORC_IR_FOURIER_PLAN_H

#include "llvm/ADT/SmallVector.h"

#include <complex>
#include <cstdint>
#include <vector>

namespace tensorc::fourier {

/// Returns exp(-2 pi i k / n) for 0 <= k < n, rounded to double.
std::complex<double> root(int64_t k, int64_t n);

/// The radices of the steps of Stockham's algorithm.
using Radices = llvm::SmallVector<int64_t, 8>;

/// True if the length, which must be positive, has only prime factors that are
/// radices.
bool isSmooth(int64_t length);
Radices radicesOf(int64_t length);

/// Returns a smooth length that is at least `length`, for convolutions.
int64_t nextFastLength(int64_t length);

/// A plan for one transform: over all its elements at once, or as a matrix of
/// `rows` by `columns`. The matrix form transforms the columns, multiplies by
/// roots of unity, and transforms the rows. Its result is transposed.
struct Plan {
  explicit Plan(int64_t length);

  int64_t length, rows, columns;
  bool isMatrix() const { return columns > 1; }
  Radices rowRadices() const { return radicesOf(rows); }
  Radices columnRadices() const { return radicesOf(columns); }

  // Offsets in the table. It contains the roots of the steps, with interleaved
  // real and imaginary parts. For a matrix, these are followed by the roots
  // between the two passes: all real parts, then all imaginary parts, in rows
  // of `crossStride` numbers.
  int64_t rowTable() const { return 0; }
  int64_t columnTable() const;
  int64_t crossTable() const;
  int64_t crossStride() const;
  int64_t tableSize() const;
};

/// Returns the constants that the kernel of a plan reads.
std::vector<double> tableOf(const Plan &plan);

/// Computes a transform of a smooth length in double, for constants.
std::vector<std::complex<double>>
transform(const std::vector<std::complex<double>> &x);

} // namespace tensorc::fourier

#endif // TENSORC_IR_FOURIER_PLAN_H
