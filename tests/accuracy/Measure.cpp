//===- Measure.cpp - Errors of one function -------------------------------===//

#include "tests/accuracy/Measure.h"
#include "tests/accuracy/Samples.h"
#include "tests/accuracy/Ulp.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tensorc::accuracy {

Worst measureAll(const Function &function, const Compiled &compiled,
                 uint64_t stride) {
  std::vector<std::vector<float>> x(1, std::vector<float>(kBlock));
  std::vector<double> exact(kBlock);
  Worst worst;
  for (uint64_t next = 0; next >> 32 == 0; next += stride * kBlock) {
    everyFloat(uint32_t(next), uint32_t(stride), x[0].data(), exact.data(),
               kBlock);
    std::vector<float> got = compiled(x);
    if (function.judgeBlock)
      function.judgeBlock(exact.data(), kBlock);
    else
      std::transform(exact.begin(), exact.end(), exact.begin(),
                     [&](double v) { return function.judge(&v); });
    if (largestUlpError(got.data(), exact.data(), kBlock) <= worst.error)
      continue;
    for (size_t i = 0; i < kBlock; ++i) {
      if (ulpError(got[i], exact[i]) <= worst.error)
        continue;
      double wide = x[0][i], judged = function.judge(&wide);
      double error = ulpError(got[i], judged);
      if (error > worst.error)
        worst = {error, {wide}, got[i], judged};
    }
  }
  return worst;
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

static double largestOf(const double *x, int arity) {
  double largest = 0;
  for (int k = 0; k < arity; ++k)
    if (std::isfinite(x[k]))
      largest = std::max(largest, std::fabs(x[k]));
  return largest;
}

template <>
Worst measureSamples<float>(const Function &function, const Compiled &compiled,
                            size_t count) {
  Samples samples;
  Worst worst;
  for (size_t done = 0; done < count; done += kBlock) {
    auto x = samples.block<float>(function.arity, kBlock);
    std::vector<float> got = compiled(x);
    for (size_t i = 0; i < kBlock; ++i) {
      double wide[3] = {};
      for (int k = 0; k < function.arity; ++k)
        wide[k] = x[k][i];
      double exact = function.judge(wide);
      double error =
          function.bound32 == 0 && float(exact) == got[i]
              ? 0.0
              : ulpError(got[i], exact,
                         function.cancels ? largestOf(wide, function.arity)
                                          : 0);
      if (error > worst.error)
        worst = {error, {wide[0], wide[1], wide[2]}, got[i], exact};
    }
  }
  return worst;
}

#ifdef TENSORC_HAS_MPFR
namespace {

/// One argument list after another.
class Exact {
public:
  explicit Exact(const Function &function) : function(function) {
    for (mpfr_t &v : x)
      mpfr_init2(v, 53);
    // Sums and remainders of any doubles are exact in 2200 bits.
    mpfr_init2(exact, function.bound64 == 0 ? 2200 : 160);
    mpfr_init2(error, 53);
  }
  ~Exact() {
    for (mpfr_t &v : x)
      mpfr_clear(v);
    mpfr_clear(exact);
    mpfr_clear(error);
    mpfr_free_cache();
  }
  Exact(const Exact &) = delete;

  double ulpError(double got, const double *arguments) {
    for (int k = 0; k < function.arity; ++k)
      mpfr_set_d(x[k], arguments[k], MPFR_RNDN);
    function.exact(exact, x);
    if (mpfr_nan_p(exact) || std::isnan(got))
      return mpfr_nan_p(exact) && std::isnan(got) ? 0 : INFINITY;
    double nearest = value();
    if (got == nearest && std::isinf(got))
      return 0;
    if (got == 0 && nearest == 0)
      return std::signbit(got) == std::signbit(nearest) ? 0 : INFINITY;
    if (function.bound64 == 0 && got == nearest)
      return 0;
    if (mpfr_inf_p(exact))
      return INFINITY;
    return distance(got, arguments);
  }
  /// The exact value, rounded.
  double value() { return mpfr_get_d(exact, MPFR_RNDN); }

private:
  double distance(double got, const double *arguments) {
    long exponent = mpfr_zero_p(exact) ? -1022 : mpfr_get_exp(exact) - 1;
    exponent = std::max(exponent, -1022L);
    double largest = largestOf(arguments, function.arity);
    if (function.cancels && largest > 0)
      exponent = std::max(exponent, long(std::ilogb(largest)));
    // Infinity counts as 2^1024.
    if (std::isinf(got)) {
      mpfr_set_ui_2exp(error, 1, 1024, MPFR_RNDN);
      mpfr_setsign(error, error, std::signbit(got), MPFR_RNDN);
      mpfr_sub(error, error, exact, MPFR_RNDN);
    } else {
      mpfr_sub_d(error, exact, got, MPFR_RNDN);
    }
    mpfr_mul_2si(error, error, 52 - exponent, MPFR_RNDN);
    return std::fabs(mpfr_get_d(error, MPFR_RNDN));
  }

  const Function &function;
  mpfr_t x[3], exact, error;
};

} // namespace

template <>
Worst measureSamples<double>(const Function &function, const Compiled &compiled,
                             size_t count) {
  Samples samples;
  Exact exact(function);
  Worst worst;
  for (size_t done = 0; done < count; done += kBlock) {
    auto x = samples.block<double>(function.arity, kBlock);
    std::vector<double> got = compiled(x);
    for (size_t i = 0; i < std::min(kBlock, count - done); ++i) {
      double arguments[3] = {};
      for (int k = 0; k < function.arity; ++k)
        arguments[k] = x[k][i];
      double error = exact.ulpError(got[i], arguments);
      if (error > worst.error)
        worst = {error,
                 {arguments[0], arguments[1], arguments[2]},
                 got[i],
                 exact.value()};
    }
  }
  return worst;
}
bool canJudgeDouble() { return true; }
#else
template <>
Worst measureSamples<double>(const Function &, const Compiled &, size_t) {
  return {};
}
bool canJudgeDouble() { return false; }
#endif

//===----------------------------------------------------------------------===//
// f16 and bf16
//===----------------------------------------------------------------------===//

static float widen(uint16_t bits, bool isF16) {
  if (!isF16)
    return std::bit_cast<float>(uint32_t(bits) << 16);
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  float magnitude = exponent == 31 ? (mantissa ? NAN : INFINITY)
                    : exponent == 0
                        ? std::ldexp(float(mantissa), -24)
                        : std::ldexp(float(mantissa + 1024), exponent - 25);
  return std::copysign(magnitude, bits >> 15 ? -1.0f : 1.0f);
}

template <typename T>
Half measureHalf(const Function &function, const Compiled &half,
                 const Compiled &single) {
  constexpr bool isF16 = std::is_same_v<T, float16>;
  auto round = [&](double value) {
    return detail::narrowFloat(value, isF16 ? 5 : 8, isF16 ? 10 : 7);
  };
  auto same = [&](uint16_t x, uint16_t y) {
    return x == y ||
           (std::isnan(widen(x, isF16)) && std::isnan(widen(y, isF16)));
  };
  std::vector<std::vector<T>> x(1, std::vector<T>(kBlock));
  std::vector<std::vector<float>> wide(1, std::vector<float>(kBlock));
  for (size_t i = 0; i < kBlock; ++i) {
    x[0][i] = {uint16_t(i)};
    wide[0][i] = widen(uint16_t(i), isF16);
  }
  std::vector<T> got = half(x);
  std::vector<float> inSingle = single(wide);
  Half result;
  for (size_t i = 0; i < kBlock; ++i) {
    double argument = wide[0][i], exact = function.judge(&argument);
    result.doublyRounded += !same(got[i].bits, round(exact));
    if (!same(got[i].bits, round(inSingle[i])) && result.notRounded++ == 0) {
      result.x = argument;
      result.got = widen(got[i].bits, isF16);
      result.exact = exact;
    }
  }
  return result;
}

template Half measureHalf<float16>(const Function &, const Compiled &,
                                   const Compiled &);
template Half measureHalf<bfloat16>(const Function &, const Compiled &,
                                    const Compiled &);

} // namespace tensorc::accuracy
