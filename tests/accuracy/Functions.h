//===- Functions.h - What is measured, and its judges -----------*- C++ -*-===//
#ifndef TENSORC_TESTS_ACCURACY_FUNCTIONS_H
#define TENSORC_TESTS_ACCURACY_FUNCTIONS_H

#include "tensorc/nn.hpp"
#include "tensorc/tensorc.hpp"
#include "tests/accuracy/VectorLibm.h"

#include <span>

#ifdef TENSORC_HAS_MPFR
#include <mpfr.h>
#endif

namespace tensorc::accuracy {

/// An element-wise function as programs write it, and its exact value.
struct Function {
  const char *name;
  int arity;
  Tensor (*build)(std::span<const Tensor> x);
  /// In double, for f32 and narrower.
  double (*judge)(const double *x);
  /// The same for a block, unary only; may be null.
  VectorJudge judgeBlock;
#ifdef TENSORC_HAS_MPFR
  /// Rounds to the precision of `out`.
  void (*exact)(mpfr_t out, const mpfr_t *x);
#endif
  /// In ulp; 0: exactly the correctly rounded result.
  double bound32, bound64;
  /// Errors are measured in ulp of the largest argument if that is larger than
  /// the result, because the function cancels, as x + y does.
  bool cancels = false;
};

std::span<const Function> functions();

} // namespace tensorc::accuracy

#endif // TENSORC_TESTS_ACCURACY_FUNCTIONS_H
