//===- Measure.h - Errors of one function -----------------------*- C++ -*-===//
#ifndef TENSORC_TESTS_ACCURACY_MEASURE_H
#define TENSORC_TESTS_ACCURACY_MEASURE_H

#include "tests/accuracy/Compiled.h"

namespace tensorc::accuracy {

struct Worst {
  double error = 0;
  double x[3] = {}, got = 0, exact = 0;
};

/// The largest error of a unary f32 function over every `stride`-th bit
/// pattern.
Worst measureAll(const Function &function, const Compiled &compiled,
                 uint64_t stride);

/// The largest error over `count` samples. f64 is compared with MPFR; see
/// canJudgeDouble().
template <typename T>
Worst measureSamples(const Function &function, const Compiled &compiled,
                     size_t count);
bool canJudgeDouble();

/// The error of a unary function of f16 or bf16 over all bit patterns.
struct Half {
  /// Number of results that differ from the rounded f32 result, which is always
  /// an error.
  int notRounded = 0;
  /// Number of results that differ from the rounded exact value, because the
  /// f32 result was at a tie.
  int doublyRounded = 0;
  double x = 0, got = 0, exact = 0; // the first of the wrong ones
};
/// `half` is the function in T, `single` in f32.
template <typename T>
Half measureHalf(const Function &function, const Compiled &half,
                 const Compiled &single);

} // namespace tensorc::accuracy

#endif // TENSORC_TESTS_ACCURACY_MEASURE_H
