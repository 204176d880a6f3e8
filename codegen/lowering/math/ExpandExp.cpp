//===- ExpandExp.cpp - exp, exp2 and expm1 --------------------------------===//
//
// exp(x) = 2^n * exp(r) with n = round(x / ln 2) and |r| <= ln(2) / 2. Adding
// 1.5 * 2^23 rounds to an integer and leaves n in the low bits, from which a
// shift moves it to the exponent. AVX-512 has an instruction for y * 2^n, which
// gives the same bits. n * ln 2 is subtracted in two parts (Cody and Waite);
// with FMA the first step is exact. The polynomials are from
// fit/fit_polynomials.py.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/MathExpansions.h"

using namespace mlir;

namespace tensorc::codegen {

namespace {

struct ReducedByLn2 {
  Value n;       // n as a float
  Value shifted; // n in the low bits of this float
  Value r;
};

ReducedByLn2 reduceByLn2(FloatBuilder &e, Value x) {
  Value magic = e.f(e.roundingMagic());
  Value shifted = e.mulAdd(x, e.f(kLog2E), magic);
  Value n = e.sub(shifted, magic);
  double high = e.isDouble() ? 0x1.62e42feep-1 : 0x1.63p-1;
  double low = e.isDouble() ? 0x1.a39ef35793c76p-33 : -0x1.bd0106p-13;
  Value r = e.mulAdd(n, e.f(-high), x);
  return {n, shifted, e.mulAdd(n, e.f(-low), r)};
}

/// Returns exp(r) for |r| <= ln(2) / 2.
Value expPolynomial(FloatBuilder &e, Value r) {
  if (e.isDouble())
    return e.poly(r, {1.0, 1.0, 0.5, 0.16666666666666677, 0.04166666666666667,
                      0.008333333333321478, 0.0013888888888878943,
                      0.0001984126988630313, 2.480158734881735e-05,
                      2.7557244173740422e-06, 2.7557241967880904e-07,
                      2.5109021301820888e-08, 2.0927677188000837e-09});
  return e.poly(r, {1.0, 1.0, 0.5, 0.16666539013385773, 0.04166661575436592,
                    0.00836711935698986, 0.0013916800962761045});
}

/// Returns exp(r) - 1 for |r| <= ln(2) / 2.
Value expM1Polynomial(FloatBuilder &e, Value r) {
  Value q = e.isDouble()
                ? e.poly(r, {0.5, 0.16666666666666677, 0.04166666666666667,
                             0.008333333333321478, 0.0013888888888878943,
                             0.0001984126988630313, 2.480158734881735e-05,
                             2.7557244173740422e-06, 2.7557241967880904e-07,
                             2.5109021301820888e-08, 2.0927677188000837e-09})
                : e.poly(r, {0.5, 0.16666539013385773, 0.04166661575436592,
                             0.00836711935698986, 0.0013916800962761045});
  return e.mulAdd(e.mul(r, r), q, r);
}

/// Returns 2^r for |r| <= 1/2.
Value exp2Polynomial(FloatBuilder &e, Value r) {
  if (e.isDouble())
    return e.poly(r, {1.0, 0.6931471805599453, 0.2402265069591007,
                      0.05550410866482345, 0.00961812910762994,
                      0.0013333558146001363, 0.00015403530390103426,
                      1.5252734209788748e-05, 1.3215489794891743e-06,
                      1.0177910464793781e-07, 7.053703161247711e-09,
                      4.477066933021752e-10, 2.7465873485836014e-11});
  return e.poly(r, {1.0, 0.6931471824645996, 0.24022650718688965,
                    0.05550377815961838, 0.00961809977889061,
                    0.0013382277684286237, 0.0001544605038361624});
}

/// Returns y * 2^n by adding n to the exponent of y. Where `tiny` holds, the
/// exponent would leave the normal range, so it is made greater by 64, and a
/// final multiplication, the only step that rounds, scales the result down.
Value scaleByPowerOfTwo(FloatBuilder &e, Value y, Value shifted, Value tiny) {
  int m = e.mantissaBits();
  Value exponent = e.shl(e.bits(shifted), m);
  Value lift = e.select(tiny, e.i(int64_t(64) << m), e.i(0));
  Value bits = e.iadd(e.iadd(e.bits(y), exponent), lift);
  return e.mul(e.fromBits(bits), e.select(tiny, e.f(0x1p-64), e.f(1.0)));
}

/// Returns 2^n as a float, for n in the exponent range of normal numbers.
Value powerOfTwo(FloatBuilder &e, Value shifted) {
  int m = e.mantissaBits();
  Value exponent = e.shl(e.bits(shifted), m);
  return e.fromBits(e.iadd(exponent, e.i(int64_t(e.exponentBias()) << m)));
}

} // namespace

Value expandExp(FloatBuilder &e, Value x) {
  // Below `lowest` the result rounds to zero, and above `highest` it overflows.
  double lowest = e.isDouble() ? -746.0 : -104.0;
  double highest = e.isDouble() ? 0x1.62e42fefa39efp+9 : 0x1.62e42ep+6;
  double normal = e.isDouble() ? -708.0 : -87.0;
  Value bounded = e.atLeast(x, lowest);
  // 2^n may overflow for larger x, but the addition that rounds n must not.
  if (e.canScale())
    bounded = e.atMost(bounded, highest + 1);
  ReducedByLn2 parts = reduceByLn2(e, bounded);
  Value y = expPolynomial(e, parts.r);
  if (e.canScale())
    return e.scale(y, parts.n);
  y = scaleByPowerOfTwo(e, y, parts.shifted, e.lt(x, e.f(normal)));
  // For larger x the result is x * inf: inf for a large x, and NaN for NaN.
  return e.select(e.le(x, e.f(highest)), y, e.mul(x, e.inf()));
}

Value expandExp2WithTail(FloatBuilder &e, Value x, Value tail) {
  double lowest = e.isDouble() ? -1077.0 : -152.0;
  double highest = e.isDouble() ? 1024.0 : 128.0;
  double normal = e.isDouble() ? -1021.0 : -125.0;
  Value bounded = e.atLeast(x, lowest);
  if (e.canScale())
    bounded = e.atMost(bounded, highest + 1);
  Value magic = e.f(e.roundingMagic());
  Value shifted = e.add(bounded, magic);
  Value n = e.sub(shifted, magic);
  Value r = e.sub(bounded, n);
  if (tail)
    r = e.add(r, tail);
  Value y = exp2Polynomial(e, r);
  if (e.canScale())
    y = e.scale(y, n);
  else
    y = scaleByPowerOfTwo(e, y, shifted, e.lt(x, e.f(normal)));
  if (e.canScale() && !tail)
    return y;
  Value fits = e.lt(x, e.f(highest));
  // x may have been rounded up to 128 (f64: 1024). With a negative tail the
  // result is still finite, unless the last addition rounds up to infinity.
  if (tail)
    fits = e.either(fits, e.both(e.eq(x, e.f(highest)), e.lt(tail, e.f(0.0))));
  return e.select(fits, y, e.mul(x, e.inf()));
}

Value expandExp2(FloatBuilder &e, Value x) {
  return expandExp2WithTail(e, x, Value());
}

Value expandBoundedExp(FloatBuilder &e, Value x) {
  ReducedByLn2 parts = reduceByLn2(e, x);
  return e.mul(expPolynomial(e, parts.r), powerOfTwo(e, parts.shifted));
}

Value expandBoundedExpM1(FloatBuilder &e, Value x) {
  // 2^n * (1 + p) - 1 is computed as 2^n * p + (2^n - 1), where 2^n - 1 is
  // exact.
  ReducedByLn2 parts = reduceByLn2(e, x);
  Value power = powerOfTwo(e, parts.shifted);
  return e.mulAdd(power, expM1Polynomial(e, parts.r), e.sub(power, e.f(1.0)));
}

Value expandExpM1(FloatBuilder &e, Value x) {
  Value bounded = e.atMost(e.atLeast(x, e.isDouble() ? -39.0 : -19.0),
                           e.isDouble() ? 710.0 : 89.0);
  ReducedByLn2 parts = reduceByLn2(e, bounded);
  Value p = expM1Polynomial(e, parts.r);
  // 2^n * (1 + p) - 1 is computed as 2 * (2^(n-1) * p + (2^(n-1) - 1/2)), so
  // that n = 128 (f64: 1024) does not overflow.
  Value one = e.i(int64_t(1) << e.mantissaBits());
  Value half = e.fromBits(e.isub(e.bits(powerOfTwo(e, parts.shifted)), one));
  Value y = e.mulAdd(half, p, e.sub(half, e.f(0.5)));
  y = e.add(y, y);
  y = e.select(e.eq(parts.n, e.f(0.0)), p, y);
  return e.select(e.eq(x, e.f(0.0)), x, y); // -0 stays -0
}

Value expandSigmoid(FloatBuilder &e, Value x) {
  // 1 / (1 + e^-x) with e^-x = s (1 + p) and s = 2^n. The sum of s, 1 and s p
  // rounds once if s + 1 is exact, and hardly more if s is so large that 1 does
  // not matter. In the second case s is divided by 2^64, so that no step
  // overflows.
  Value one = e.f(1.0), lowered = e.f(0x1p-64);
  Value bounded = e.atMost(e.atLeast(x, e.isDouble() ? -746.0 : -104.0), 80.0);
  ReducedByLn2 parts = reduceByLn2(e, e.neg(bounded));
  Value p = expM1Polynomial(e, parts.r);
  Value isLow = e.lt(x, e.f(-12.0));
  int m = e.mantissaBits();
  auto exponent = [&](int64_t n) { return e.i((e.exponentBias() + n) << m); };
  Value bias = e.select(isLow, exponent(-64), exponent(0));
  Value s = e.fromBits(e.iadd(e.shl(e.bits(parts.shifted), m), bias));
  Value sum = e.mulAdd(s, p, e.select(isLow, lowered, e.add(s, one)));
  sum = e.select(isLow, e.add(sum, s), sum);
  return e.mul(e.div(one, sum), e.select(isLow, lowered, one));
}

} // namespace tensorc::codegen
