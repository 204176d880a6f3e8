//===- Functions.cpp - What is measured, and its judges -------------------===//

#include "tests/accuracy/Functions.h"

#include <cmath>

namespace tensorc::accuracy {

namespace {

double judgeMod(double x, double y) {
  double rem = std::fmod(x, y);
  if (rem == 0)
    return std::copysign(0.0, y);
  // The sum of two floats of 24 bits, or of one and its remainder, is exact or
  // rounds at the 53rd.
  return (rem < 0) != (y < 0) ? rem + y : rem;
}

double judgeLogAddExp(double x, double y) {
  if (x == y)
    return x + M_LN2;
  if (std::isnan(x) || std::isnan(y))
    return NAN;
  return std::fmax(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
}

#ifdef TENSORC_HAS_MPFR
void exactRsqrt(mpfr_t out, const mpfr_t *x) {
  // Of -0: MPFR has +inf, 1 / sqrt(-0) is -inf.
  if (mpfr_zero_p(x[0]))
    mpfr_set_inf(out, mpfr_signbit(x[0]) ? -1 : 1);
  else
    mpfr_rec_sqrt(out, x[0], MPFR_RNDN);
}

void exactSigmoid(mpfr_t out, const mpfr_t *x) {
  mpfr_neg(out, x[0], MPFR_RNDN);
  mpfr_exp(out, out, MPFR_RNDN);
  mpfr_add_ui(out, out, 1, MPFR_RNDN);
  mpfr_ui_div(out, 1, out, MPFR_RNDN);
}

void exactMod(mpfr_t out, const mpfr_t *x) {
  mpfr_fmod(out, x[0], x[1], MPFR_RNDN);
  if (mpfr_zero_p(out))
    mpfr_setsign(out, out, mpfr_signbit(x[1]), MPFR_RNDN);
  else if (!mpfr_nan_p(out) && mpfr_signbit(out) != mpfr_signbit(x[1]))
    mpfr_add(out, out, x[1], MPFR_RNDN);
}

void exactLogAddExp(mpfr_t out, const mpfr_t *x) {
  if (mpfr_nan_p(x[0]) || mpfr_nan_p(x[1]))
    return mpfr_set_nan(out);
  mpfr_t distance;
  mpfr_init2(distance, mpfr_get_prec(out));
  if (mpfr_equal_p(x[0], x[1]))
    mpfr_set_zero(distance, 1);
  else
    mpfr_sub(distance, x[0], x[1], MPFR_RNDN);
  mpfr_setsign(distance, distance, 1, MPFR_RNDN);
  mpfr_exp(distance, distance, MPFR_RNDN);
  mpfr_log1p(distance, distance, MPFR_RNDN);
  mpfr_max(out, x[0], x[1], MPFR_RNDN);
  mpfr_add(out, out, distance, MPFR_RNDN);
  mpfr_clear(distance);
}

#define EXACT(...) __VA_ARGS__,
#else
#define EXACT(...)
#endif

#define UNARY(name, bound32, bound64, judgeOne, judgeMany, exactOne)           \
  {#name,                                                                      \
   1,                                                                          \
   [](std::span<const Tensor> x) { return tensorc::name(x[0]); },              \
   [](const double *x) { return judgeOne(x[0]); },                             \
   judgeMany,                                                                  \
   EXACT([](mpfr_t out, const mpfr_t *x) { exactOne; }) bound32,               \
   bound64}
/// A function that libm and MPFR know under the same name.
#define LIBM(name, bound32, bound64)                                           \
  UNARY(name, bound32, bound64, ::name, vectorLibm(#name),                     \
        mpfr_##name(out, x[0], MPFR_RNDN))
#define BINARY(name, bound32, bound64, judgeOne, exactOne, ...)                \
  {#name,                                                                      \
   2,                                                                          \
   [](std::span<const Tensor> x) { return tensorc::name(x[0], x[1]); },        \
   [](const double *x) { return judgeOne(x[0], x[1]); },                       \
   nullptr,                                                                    \
   EXACT([](mpfr_t out, const mpfr_t *x) { exactOne; }) bound32,               \
   bound64 __VA_OPT__(, ) __VA_ARGS__}

double judgeRsqrt(double x) { return 1.0 / std::sqrt(x); }
double judgeSigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

const std::vector<Function> &table() {
  static const std::vector<Function> list = {
      LIBM(exp, 2, 2),
      LIBM(exp2, 2, 2),
      LIBM(expm1, 2, 2),
      LIBM(log, 2, 2),
      LIBM(log2, 2, 2),
      LIBM(log10, 2, 2),
      LIBM(log1p, 2, 2),
      LIBM(sin, 2, 2),
      LIBM(cos, 2, 2),
      LIBM(tan, 2, 2),
      LIBM(asin, 2, 2),
      LIBM(acos, 2, 2),
      LIBM(atan, 2, 2),
      LIBM(sinh, 2, 2),
      LIBM(cosh, 2, 2),
      LIBM(tanh, 2, 2),
      LIBM(asinh, 2, 4),
      LIBM(acosh, 2, 4),
      LIBM(atanh, 2, 4),
      LIBM(erf, 2, 2),
      LIBM(cbrt, 2, 2),
      LIBM(sqrt, 0.5, 0.5),
      UNARY(rsqrt, 2, 2, judgeRsqrt, vectorLibm("rsqrt"), exactRsqrt(out, x)),
      UNARY(sigmoid, 2, 2, judgeSigmoid, vectorLibm("sigmoid"),
            exactSigmoid(out, x)),
      BINARY(pow, 2, 4, std::pow, mpfr_pow(out, x[0], x[1], MPFR_RNDN)),
      BINARY(atan2, 2, 2, std::atan2, mpfr_atan2(out, x[0], x[1], MPFR_RNDN)),
      BINARY(hypot, 2, 2, std::hypot, mpfr_hypot(out, x[0], x[1], MPFR_RNDN)),
      BINARY(logaddexp, 2, 2, judgeLogAddExp, exactLogAddExp(out, x), true),
      BINARY(rem, 0, 0, std::fmod, mpfr_fmod(out, x[0], x[1], MPFR_RNDN)),
      BINARY(mod, 0, 0, judgeMod, exactMod(out, x)),
      {"fma", 3,
       [](std::span<const Tensor> x) { return tensorc::fma(x[0], x[1], x[2]); },
       [](const double *x) -> double { // rounds once
         return std::fmaf(float(x[0]), float(x[1]), float(x[2]));
       },
       nullptr, EXACT([](mpfr_t out, const mpfr_t *x) {
         mpfr_fma(out, x[0], x[1], x[2], MPFR_RNDN);
       }) 0,
       0},
  };
  return list;
}

} // namespace

std::span<const Function> functions() { return table(); }

} // namespace tensorc::accuracy
