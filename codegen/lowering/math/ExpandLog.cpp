//===- ExpandLog.cpp - log, log2, log10 and log1p -------------------------===//
//
// log(x) = n ln 2 + log(1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). In f32,
// log(1 + f) = f - f^2/2 + f^3 P(f), as in Cephes' logf. In f64, it is f -
// (f^2/2 - s (f^2/2 + s^2 P(s^2))) with s = f / (2 + f), as in fdlibm's
// e_log.c. The coefficients are from fit/fit_polynomials.py.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/MathExpansions.h"

using namespace mlir;

namespace tensorc::codegen {

namespace {

struct LogConstants {
  double ln2High, ln2Low;     // ln 2, such that n * ln2High is exact
  double log2EHigh, log2ELow; // 1 / ln 2
  double log10EHigh, log10ELow;
  double log10Of2High, log10Of2Low;
};
constexpr LogConstants kF32 = {0x1.63p-1,
                               -0x1.bd0106p-13,
                               0x1.7154760000000p+0,
                               0x1.4ae0c00000000p-26,
                               0x1.bcb7b20000000p-2,
                               -0x1.5b235e0000000p-27,
                               0x1.3441360000000p-2,
                               -0x1.ec10c00000000p-27};
constexpr LogConstants kF64 = {0x1.62e42feep-1,      0x1.a39ef35793c76p-33,
                               0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56,
                               0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57,
                               0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};

const LogConstants &constants(const FloatBuilder &e) {
  return e.isDouble() ? kF64 : kF32;
}

/// Returns log(1 + f) - f.
Value logTail(FloatBuilder &e, Value f) {
  Value square = e.mul(f, f);
  if (!e.isDouble()) {
    Value p = e.poly(
        f, {0.3333331346511841, -0.2500002384185791, 0.200020432472229,
            -0.1666739135980606, 0.14220690727233887, -0.12414748221635818,
            0.11888307332992554, -0.11628347635269165, 0.06692809611558914});
    return e.mulAdd(e.mul(square, f), p, e.mul(square, e.f(-0.5)));
  }
  Value s = e.div(f, e.add(f, e.f(2.0)));
  Value z = e.mul(s, s);
  Value p =
      e.poly(z, {0.6666666666666735, 0.39999999999409336, 0.28571428743700295,
                 0.22222198426878897, 0.18183572481498425, 0.15313828799720314,
                 0.14798291647668466});
  Value half = e.mul(square, e.f(0.5));
  return e.sub(e.mul(s, e.mulAdd(z, p, half)), half);
}

/// Returns `result` if x is positive and finite, and the logarithm's special
/// value otherwise.
Value withSpecialValues(FloatBuilder &e, Value x, Value result) {
  Value zero = e.f(0.0);
  Value atZero = e.select(e.eq(x, zero), e.f(-INFINITY), e.nan());
  Value special = e.select(e.eq(x, e.inf()), x, atZero);
  Value regular = e.both(e.gt(x, zero), e.lt(x, e.inf()));
  return e.select(regular, result, special);
}

/// Returns n * scale + log(1 + f) * base. The constants `scale` and `base`,
/// each in two parts, determine the base of the logarithm. Only the last
/// addition has a notable rounding error.
Value logInBase(FloatBuilder &e, Value x, double baseHigh, double baseLow,
                double scaleHigh, double scaleLow) {
  auto [n, f] = reduceForLog(e, x);
  Value tail = logTail(e, f);
  auto product = e.twoProduct(f, e.f(baseHigh));
  Value low =
      e.mulAdd(tail, e.f(baseHigh), e.mulAdd(f, e.f(baseLow), product.lo));
  auto whole = e.twoProduct(n, e.f(scaleHigh));
  low = e.add(low, e.mulAdd(n, e.f(scaleLow), whole.lo));
  auto sum = e.fastTwoSum(whole.hi, product.hi);
  return withSpecialValues(e, x, e.add(sum.hi, e.add(sum.lo, low)));
}

} // namespace

LogReduction reduceForLog(FloatBuilder &e, Value x) {
  // Subnormal numbers are scaled into the normal range first.
  double up = e.isDouble() ? 0x1p54 : 0x1p25;
  double offset = e.isDouble() ? -54.0 : -25.0;
  Value subnormal = e.lt(x, e.f(e.minNormal()));
  Value normal = e.select(subnormal, e.mul(x, e.f(up)), x);
  Value bits = e.bits(normal);
  int64_t rootHalf = e.isDouble() ? 0x3fe6a09e667f3bcd : 0x3f3504f3;
  Value distance = e.isub(bits, e.i(rootHalf));
  Value n = e.ashr(distance, e.mantissaBits());
  Value mantissa = e.fromBits(e.isub(bits, e.shl(n, e.mantissaBits())));
  Value exponent =
      e.add(e.toFloat(n), e.select(subnormal, e.f(offset), e.f(0.0)));
  return {exponent, e.sub(mantissa, e.f(1.0))};
}

Value expandLog(FloatBuilder &e, Value x) {
  const LogConstants &c = constants(e);
  auto [n, f] = reduceForLog(e, x);
  Value low = e.mulAdd(n, e.f(c.ln2Low), logTail(e, f));
  Value y = e.mulAdd(n, e.f(c.ln2High), e.add(f, low));
  return withSpecialValues(e, x, y);
}

Value expandLog2(FloatBuilder &e, Value x) {
  const LogConstants &c = constants(e);
  return logInBase(e, x, c.log2EHigh, c.log2ELow, 1.0, 0.0);
}

Value expandLog10(FloatBuilder &e, Value x) {
  const LogConstants &c = constants(e);
  return logInBase(e, x, c.log10EHigh, c.log10ELow, c.log10Of2High,
                   c.log10Of2Low);
}

Value expandLog1p(FloatBuilder &e, Value x) {
  const LogConstants &c = constants(e);
  // log(1 + x) = log(u) + (rounding error of u) / u, with u = 1 + x rounded.
  auto sum = e.twoSum(x, e.f(1.0));
  Value u = sum.hi;
  auto [n, f] = reduceForLog(e, u);
  Value low = e.mulAdd(n, e.f(c.ln2Low), e.div(sum.lo, u));
  low = e.add(low, logTail(e, f));
  Value y = e.mulAdd(n, e.f(c.ln2High), e.add(f, low));
  y = withSpecialValues(e, u, y);
  return e.select(e.eq(x, e.f(0.0)), x, y); // -0 stays -0
}

} // namespace tensorc::codegen
