//===- ExpandPow.cpp - pow ------------------------------------------------===//
//
// |x|^y = 2^(y log2 |x|). The product needs 8 bits (f64: 11) more precision
// than the result, so f32 is computed in f64. In f64, log2 |x| is an
// unevaluated sum of two floats, from log(m) = 2s + 2s (z/3 + z^2 P(z)) with
// s = (m - 1) / (m + 1) and z = s^2. Special values are those of annex F of
// C99.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/MathExpansions.h"

using namespace mlir;

namespace tensorc::codegen {

namespace {

constexpr double kThirdHigh = 0x1.5555555555555p-2;
constexpr double kThirdLow = 0x1.5555555555555p-56;

/// Returns log2(x) for positive finite x, with a relative error of about 2^-65.
FloatBuilder::Pair preciseLog2(FloatBuilder &e, Value x) {
  auto [n, f] = reduceForLog(e, x);
  // s = f / (2 + f), with the rounding errors of the sum and of the quotient in
  // sLow.
  Value g = e.add(f, e.f(2.0));
  Value gLow = e.sub(f, e.sub(g, e.f(2.0)));
  Value s = e.div(f, g);
  Value rest = e.fma(e.neg(s), g, f);
  Value sLow = e.div(e.fma(e.neg(s), gLow, rest), g);
  // a = z/3 + z^2 P(z).
  auto z = e.twoProduct(s, s);
  Value zLow = e.fma(e.add(s, s), sLow, z.lo);
  Value p =
      e.poly(z.hi, {0.2, 0.14285714285710788, 0.11111111112905153,
                    0.09090908750539022, 0.076923374886195, 0.06665428760654726,
                    0.05901466785153006, 0.05395748774809949});
  auto third = e.twoProduct(z.hi, e.f(kThirdHigh));
  Value low =
      e.fma(zLow, e.f(kThirdHigh), e.fma(z.hi, e.f(kThirdLow), third.lo));
  auto a = e.fastTwoSum(third.hi, e.fma(e.mul(z.hi, z.hi), p, low));
  // log(m) = 2s + 2s a.
  Value twice = e.add(s, s), twiceLow = e.add(sLow, sLow);
  auto t = e.twoProduct(twice, a.hi);
  Value tLow = e.fma(twice, a.lo, e.fma(twiceLow, a.hi, t.lo));
  auto log = e.fastTwoSum(twice, t.hi);
  Value logLow = e.add(log.lo, e.add(twiceLow, tLow));
  // n + log(m) / ln 2.
  auto base2 = e.twoProduct(log.hi, e.f(kLog2E));
  Value baseLow =
      e.fma(logLow, e.f(kLog2E), e.fma(log.hi, e.f(kLog2ETail), base2.lo));
  auto sum = e.fastTwoSum(n, base2.hi);
  return e.fastTwoSum(sum.hi, e.add(sum.lo, baseLow));
}

/// Returns 2^(y log2 x) for positive finite x.
Value powPositive(FloatBuilder &e, Value x, Value y) {
  auto log2 = preciseLog2(e, x);
  // If |y| reaches this bound, the result overflows or underflows for every
  // log2 except 0, for which an infinite y would give NaN.
  Value bounded = e.atMost(e.atLeast(y, -0x1p80), 0x1p80);
  auto product = e.twoProduct(bounded, log2.hi);
  Value tail = e.fma(bounded, log2.lo, product.lo);
  Value inRange = e.lt(e.abs(product.hi), e.f(1100.0));
  return expandExp2WithTail(e, product.hi, e.select(inRange, tail, e.f(0.0)));
}

/// Returns the same for f32, computed in f64, where log2 need not be a sum of
/// two floats.
Value powPositiveSingle(FloatBuilder &e, Value x, Value y) {
  OpBuilder &b = e.getBuilder();
  FloatBuilder d(b, e.getLoc(), e.withElement(b.getF64Type()));
  auto widen = [&](Value v) -> Value {
    return arith::ExtFOp::create(b, e.getLoc(), d.getType(), v);
  };
  auto [n, f] = reduceForLog(d, widen(x));
  Value s = d.div(f, d.add(f, d.f(2.0)));
  Value z = d.mul(s, s);
  Value p =
      d.poly(z, {0.6666666667581762, 0.3999999561552463, 0.28572109917823574,
                 0.22176153516465644, 0.19584701234707536});
  Value log = d.mulAdd(d.mul(s, z), p, d.add(s, s));
  Value log2 = d.mulAdd(log, d.f(kLog2E), n);
  Value bounded = d.atMost(d.atLeast(widen(y), -0x1p80), 0x1p80);
  Value product = d.mul(bounded, log2);
  product = d.atMost(d.atLeast(product, -200.0), 200.0);
  Value magic = d.f(d.roundingMagic());
  Value shifted = d.add(product, magic);
  Value r = d.sub(product, d.sub(shifted, magic));
  Value power =
      d.poly(r, {0.9999999999616684, 0.6931471807304082, 0.24022651198395714,
                 0.0555041034694474, 0.009618027228436176, 0.001333392644313309,
                 0.00015469310097909205, 1.5201538410092405e-05});
  Value exponent = d.iadd(d.shl(d.bits(shifted), d.mantissaBits()),
                          d.i(int64_t(d.exponentBias()) << d.mantissaBits()));
  Value result = d.mul(power, d.fromBits(exponent));
  return arith::TruncFOp::create(b, e.getLoc(), e.getType(), result);
}

} // namespace

Value expandPow(FloatBuilder &e, Value x, Value y) {
  Value zero = e.f(0.0), one = e.f(1.0);
  Value a = e.abs(x);
  Value r = e.isDouble() ? powPositive(e, a, y) : powPositiveSingle(e, a, y);

  // If |x| is 0 or infinite, the result is 0 or infinite, depending on the sign
  // of y.
  Value isZero = e.eq(a, zero), isInf = e.eq(a, e.inf());
  Value grows =
      e.either(e.both(isInf, e.gt(y, zero)), e.both(isZero, e.lt(y, zero)));
  r = e.select(e.either(isZero, isInf), e.select(grows, e.inf(), zero), r);

  // If x < 0, the result is negative if y is odd, and NaN if y is not an
  // integer.
  Value half = e.mul(y, e.f(0.5));
  Value isInteger = e.eq(e.trunc(y), y);
  Value halfIsInteger = e.eq(e.trunc(half), half);
  Value signIfOdd = e.select(halfIsInteger, one, e.copysign(one, x));
  Value sign = e.select(isInteger, signIfOdd, one);
  r = e.copysign(r, sign);
  Value finiteNegative = e.both(e.lt(x, zero), e.lt(a, e.inf()));
  Value fraction = e.select(isInteger, r, e.nan());
  r = e.select(finiteNegative, fraction, r);

  // If x or y is NaN, so is the result, unless x = 1 or y = 0.
  Value anyNaN = e.either(e.isNaN(x), e.isNaN(y));
  r = e.select(anyNaN, e.nan(), r);
  return e.select(e.either(e.eq(x, one), e.eq(y, zero)), one, r);
}

} // namespace tensorc::codegen
