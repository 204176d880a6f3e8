//===- ExpandInverseTrig.cpp - asin, acos, atan and atan2 -----------------===//
//
// The argument reductions and coefficients are those of fdlibm (e_asin.c,
// e_acos.c, s_atan.c and their f32 versions). Branches are replaced by selects,
// and the rounding error of square roots is corrected by an exact residual.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/MathExpansions.h"

using namespace mlir;

namespace tensorc::codegen {

namespace {

/// pi/2 as an unevaluated sum of two floats.
struct HalfPi {
  Value hi, lo;
};

HalfPi halfPi(FloatBuilder &e) {
  if (e.isDouble())
    return {e.f(0x1.921fb54442d18p+0), e.f(0x1.1a62633145c07p-54)};
  return {e.f(0x1.921fb6p+0), e.f(-0x1.777a5cp-25)};
}

/// Returns R(z), where asin(x) = x + x R(x^2) for |x| <= 1/2 and z = x^2.
Value asinRational(FloatBuilder &e, Value z) {
  Value p, q;
  if (e.isDouble()) {
    p = e.poly(z, {1.66666666666666657415e-01, -3.25565818622400915405e-01,
                   2.01212532134862925881e-01, -4.00555345006794114027e-02,
                   7.91534994289814532176e-04, 3.47933107596021167570e-05});
    q = e.poly(z, {1.0, -2.40339491173441421878e+00, 2.02094576023350569471e+00,
                   -6.88283971605453293030e-01, 7.70381505559019352791e-02});
  } else {
    p = e.poly(z, {1.6666586697e-01, -4.2743422091e-02, -8.6563630030e-03});
    q = e.poly(z, {1.0, -7.0662963390e-01});
  }
  return e.div(e.mul(z, p), q);
}

/// Returns the square root of z as an unevaluated sum of two floats.
FloatBuilder::Pair sqrtPair(FloatBuilder &e, Value z) {
  Value s = e.sqrt(z);
  Value residual = e.fma(e.neg(s), s, z);
  Value low = e.div(residual, e.add(s, s));
  return {s, e.select(e.eq(z, e.f(0.0)), e.f(0.0), low)};
}

/// The common part of asin and acos. The argument s is |x| if |x| < 1/2, and
/// sqrt((1 - |x|) / 2) otherwise, where asin(|x|) = pi/2 - 2 asin(s).
struct Halves {
  Value isSmall, a;
  FloatBuilder::Pair s;
  /// R(s^2).
  Value r;
};

Halves splitAtHalf(FloatBuilder &e, Value x) {
  Value a = e.abs(x), half = e.f(0.5);
  Value isSmall = e.lt(a, half);
  Value z = e.mul(e.sub(e.f(1.0), a), half);
  Value r = asinRational(e, e.select(isSmall, e.mul(a, a), z));
  return {isSmall, a, sqrtPair(e, z), r};
}

/// A range of a >= 0, up to `end`, in which atan(a) = base + atan(t) with base
/// = hi + lo.
struct Interval {
  double end, hi, lo;
};
constexpr Interval kIntervals64[] = {
    {0.6875, 4.63647609000806093515e-01, 2.26987774529616870924e-17},
    {1.1875, 7.85398163397448278999e-01, 3.06161699786838301793e-17},
    {2.4375, 9.82793723247329054082e-01, 1.39033110312309984516e-17},
    {0, 1.57079632679489655800e+00, 6.12323399573676603587e-17}};
constexpr Interval kIntervals32[] = {
    {0.6875, 4.6364760399e-01, 5.0121582440e-09},
    {1.1875, 7.8539812565e-01, 3.7748947079e-08},
    {2.4375, 9.8279368877e-01, 3.4473217170e-08},
    {0, 1.5707962513e+00, 7.5497894159e-08}};

Value atanPolynomial(FloatBuilder &e, Value z) {
  if (e.isDouble())
    return e.poly(z, {3.33333333333329318027e-01, -1.99999999998764832476e-01,
                      1.42857142725034663711e-01, -1.11111104054623557880e-01,
                      9.09088713343650656196e-02, -7.69187620504482999495e-02,
                      6.66107313738753120669e-02, -5.83357013379057348645e-02,
                      4.97687799461593236017e-02, -3.65315727442169155270e-02,
                      1.62858201153657823623e-02});
  return e.poly(z, {3.3333328366e-01, -1.9999158382e-01, 1.4253635705e-01,
                    -1.0648017377e-01, 6.1687607318e-02});
}

/// Returns atan(a) for a >= 0, including infinity.
Value atanOfPositive(FloatBuilder &e, Value a) {
  Value one = e.f(1.0), oneAndHalf = e.f(1.5);
  // t = (a - c) / (1 + a c) for c = 1/2, 1, 3/2 and infinity.
  Value above[] = {e.sub(e.add(a, a), one), e.sub(a, one), e.sub(a, oneAndHalf),
                   e.f(-1.0)};
  Value below[] = {e.add(e.f(2.0), a), e.add(a, one),
                   e.mulAdd(oneAndHalf, a, one), a};
  const Interval *intervals = e.isDouble() ? kIntervals64 : kIntervals32;
  Value num = above[3], den = below[3];
  Value hi = e.f(intervals[3].hi), lo = e.f(intervals[3].lo);
  for (int i = 2; i >= 0; --i) {
    Value here = e.lt(a, e.f(intervals[i].end));
    num = e.select(here, above[i], num);
    den = e.select(here, below[i], den);
    hi = e.select(here, e.f(intervals[i].hi), hi);
    lo = e.select(here, e.f(intervals[i].lo), lo);
  }
  Value isSmall = e.lt(a, e.f(0.4375));
  Value t = e.select(isSmall, a, e.div(num, den));
  Value z = e.mul(t, t);
  Value tail = e.mul(t, e.mul(z, atanPolynomial(e, z)));
  Value large = e.sub(hi, e.sub(e.sub(tail, lo), t));
  return e.select(isSmall, e.sub(t, tail), large);
}

/// Computes f32 functions in f64, so that the rounding errors of the steps
/// around atan stay below 1 ulp of f32.
template <typename Fn> Value inDouble(FloatBuilder &e, ValueRange x, Fn fn) {
  OpBuilder &b = e.getBuilder();
  FloatBuilder d(b, e.getLoc(), e.withElement(b.getF64Type()));
  SmallVector<Value> wide;
  for (Value v : x)
    wide.push_back(arith::ExtFOp::create(b, e.getLoc(), d.getType(), v));
  return arith::TruncFOp::create(b, e.getLoc(), e.getType(), fn(d, wide));
}

Value isNegative(FloatBuilder &e, Value x) {
  return e.icmp(arith::CmpIPredicate::slt, e.bits(x), e.i(0));
}

} // namespace

Value expandAsin(FloatBuilder &e, Value x) {
  Halves h = splitAtHalf(e, x);
  HalfPi half = halfPi(e);
  Value small = e.mulAdd(h.a, h.r, h.a);
  // The result is pi/2 - 2 asin(s), where the difference of the leading terms
  // is exact.
  Value twice = e.add(h.s.hi, h.s.hi);
  auto lead = e.fastTwoSum(half.hi, e.neg(twice));
  Value rest = e.mulAdd(twice, h.r, e.add(h.s.lo, h.s.lo));
  Value large = e.add(lead.hi, e.add(lead.lo, e.sub(half.lo, rest)));
  return e.copysign(e.select(h.isSmall, small, large), x);
}

Value expandAcos(FloatBuilder &e, Value x) {
  Halves h = splitAtHalf(e, x);
  HalfPi half = halfPi(e);
  // If |x| is small, the result is pi/2 - asin(x).
  auto lead = e.twoSum(half.hi, e.neg(x));
  Value tail = e.add(lead.lo, e.sub(half.lo, e.mul(x, h.r)));
  Value small = e.add(lead.hi, tail);
  // Otherwise the result is 2 asin(s), or pi - 2 asin(s) if x is negative.
  Value rest = e.mulAdd(h.s.hi, h.r, h.s.lo);
  Value positive = e.add(h.s.hi, rest);
  lead = e.fastTwoSum(half.hi, e.neg(h.s.hi));
  Value negative = e.add(lead.hi, e.add(lead.lo, e.sub(half.lo, rest)));
  Value large = e.select(isNegative(e, x), negative, positive);
  return e.select(h.isSmall, small, e.add(large, large));
}

Value expandAtan(FloatBuilder &e, Value x) {
  return e.copysign(atanOfPositive(e, e.abs(x)), x);
}

Value expandAtan2(FloatBuilder &e, Value y, Value x) {
  if (!e.isDouble())
    return inDouble(e, {y, x}, [](FloatBuilder &d, ArrayRef<Value> wide) {
      return expandAtan2(d, wide[0], wide[1]);
    });
  Value a = e.abs(y), b = e.abs(x);
  // 0 / 0 is replaced by 0 / 1, and inf / inf by 1 / 1.
  Value zero = e.f(0.0), one = e.f(1.0);
  Value bothInf = e.both(e.eq(a, e.inf()), e.eq(b, e.inf()));
  Value bothZero = e.both(e.eq(a, zero), e.eq(b, zero));
  a = e.select(bothInf, one, a);
  b = e.select(e.either(bothInf, bothZero), one, b);
  Value angle = atanOfPositive(e, e.div(a, b));
  HalfPi half = halfPi(e);
  Value pi = e.add(half.hi, half.hi), piTail = e.add(half.lo, half.lo);
  Value mirrored = e.sub(pi, e.sub(angle, piTail));
  // pi - pi/2 must be the same float as pi/2, but the tails of pi and pi/2
  // differ.
  mirrored = e.select(e.eq(angle, half.hi), angle, mirrored);
  return e.copysign(e.select(isNegative(e, x), mirrored, angle), y);
}

} // namespace tensorc::codegen
