//===- Ulp.h - Errors in units of the last place ----------------*- C++ -*-===//
#ifndef TENSORC_TESTS_ACCURACY_ULP_H
#define TENSORC_TESTS_ACCURACY_ULP_H

#include <cstddef>
#include <cstdint>

namespace tensorc::accuracy {

/// Distance of `got` from the exact value, in ulp of the exact value's binade
/// or, if larger, of the binade of `atLeast`; subnormals have the ulp of the
/// smallest. Infinite where one is NaN and the other is not, and where a zero
/// or an infinity is wrong; infinity counts as 2^128.
double ulpError(float got, double exact, double atLeast = 0);

// Vectorized; `count` is a multiple of 16.

/// Bit patterns from `first` on.
void everyFloat(uint32_t first, uint32_t stride, float *values, double *wide,
                size_t count);

double largestUlpError(const float *got, const double *exact, size_t count);

} // namespace tensorc::accuracy

#endif // TENSORC_TESTS_ACCURACY_ULP_H
