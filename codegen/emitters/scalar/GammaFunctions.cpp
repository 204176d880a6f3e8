//===- GammaFunctions.cpp - Gamma, zeta and beta functions in f64 ---------===//
//
// "DLMF" refers to formulas of the NIST Digital Library of Mathematical
// Functions.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/scalar/GammaFunctions.h"
#include "codegen/emitters/scalar/SpecialTables.h"

using namespace mlir;

namespace tensorc::codegen {

namespace {

constexpr double kPi = 3.141592653589793;

/// Returns sin(pi x) and cos(pi x), both with the same possibly wrong sign, so
/// that their quotient and their magnitudes are right.
std::pair<Value, Value> sineAndCosineOfPi(SpecialBuilder &e, Value x) {
  Value r = e.mul(e.sub(x, e.round(x)), e.f(kPi));
  return {e.call<math::SinOp>(r), e.call<math::CosOp>(r)};
}

/// Returns lgamma(2 + u) for u in [-1, 1]. `above` is the exact value of u + 1.
Value lgammaNearTwo(SpecialBuilder &e, Value u, Value above) {
  Value product = e.mul(above, u);
  return e.mul(product, e.chebyshev(u, tables::kLgamma));
}

/// Returns 128 / x^2 - 1 and 1 / x, the arguments of the series for large x.
std::pair<Value, Value> atInfinity(SpecialBuilder &e, Value x) {
  Value inverse = e.div(e.f(1.0), x);
  Value t = e.mulAdd(e.mul(inverse, inverse), e.f(128.0), e.f(-1.0));
  return {t, inverse};
}

/// Returns Stirling's remainder, lgamma(x) minus its asymptotic main terms, for
/// x >= 8. It is about 1 / (12 x).
Value stirlingRemainder(SpecialBuilder &e, Value x) {
  auto [t, inverse] = atInfinity(e, x);
  return e.mul(e.chebyshev(t, tables::kLgammaTail), inverse);
}

/// Returns lgamma(x) for x >= 0. The formulas for small and large x share one
/// logarithm.
Value positiveLgamma(SpecialBuilder &e, Value x) {
  // If x < 8, it is reduced to y in [2, 3) by gamma(y + 1) = y gamma(y). If x <
  // 1, u = x - 1 is used.
  Value y = e.atMost(x, 8.0), product = e.f(1.0);
  for (int k = 0; k < 6; ++k) {
    Value above = e.ge(y, e.f(3.0)), less = e.sub(y, e.f(1.0));
    y = e.select(above, less, y);
    product = e.select(above, e.mul(product, less), product);
  }
  Value small = e.lt(x, e.f(1.0)), isNear = e.lt(x, e.f(8.0));
  Value large = e.atLeast(x, 8.0);
  Value logarithm = e.log(e.select(isNear, e.select(small, x, product), large));
  // Large x use Stirling's formula, DLMF 5.11.1.
  Value far =
      e.add(e.mul(e.sub(large, e.f(0.5)), e.sub(logarithm, e.f(1.0))),
            e.add(e.f(0.41893853320467274), stirlingRemainder(e, large)));
  Value u = e.select(small, e.sub(x, e.f(1.0)), e.sub(y, e.f(2.0)));
  Value over = e.select(small, x, e.sub(y, e.f(1.0)));
  Value sign = e.select(small, e.neg(logarithm), logarithm);
  Value near = e.add(sign, lgammaNearTwo(e, u, over));
  Value result = e.select(isNear, near, far);
  // At infinity the terms are infinities of opposite signs.
  return e.select(e.eq(x, e.inf()), e.inf(), result);
}

} // namespace

Value lgammaOf(SpecialBuilder &e, Value x) {
  Value a = e.abs(x), y = positiveLgamma(e, a);
  // DLMF 5.5.3: gamma(a) gamma(-a) = -pi / (a sin(pi a)).
  Value sine = e.abs(sineAndCosineOfPi(e, a).first);
  Value reflected = e.sub(e.log(e.div(e.f(kPi), sine)), e.add(y, e.log(a)));
  reflected = e.select(e.eq(a, e.inf()), e.inf(), reflected);
  return e.select(e.lt(x, e.f(0.0)), reflected, y);
}

Value digammaOf(SpecialBuilder &e, Value x) {
  Value a = e.abs(x), one = e.f(1.0);
  // For large x: DLMF 5.11.2.
  Value large = e.atLeast(a, 8.0);
  auto [t, inverse] = atInfinity(e, large);
  Value rest = e.mul(e.chebyshev(t, tables::kDigammaTail), inverse);
  Value far = e.sub(e.log(large), e.mul(e.add(rest, e.f(0.5)), inverse));
  // Other arguments are reduced to [1, 2) by DLMF 5.5.2. The sum of reciprocals
  // is kept as one quotient, above / below.
  Value y = e.atMost(a, 8.0), above = e.f(0.0), below = one;
  for (int k = 0; k < 6; ++k) {
    Value over = e.ge(y, e.f(2.0)), less = e.sub(y, one);
    y = e.select(over, less, y);
    above = e.select(over, e.mulAdd(above, less, below), above);
    below = e.select(over, e.mul(below, less), below);
  }
  Value small = e.lt(a, one);
  above = e.select(small, e.f(-1.0), above);
  below = e.select(small, a, below);
  y = e.select(small, e.add(a, one), y);
  Value distance =
      e.sub(e.sub(y, e.f(tables::kDigammaRoot)), e.f(tables::kDigammaRootLow));
  Value u = e.sub(e.add(y, y), e.f(3.0));
  Value near =
      e.mulAdd(distance, e.chebyshev(u, tables::kDigamma), e.div(above, below));
  Value positive = e.select(e.lt(a, e.f(8.0)), near, far);
  positive = e.select(e.eq(a, e.inf()), e.inf(), positive);
  // DLMF 5.5.4: digamma(-a) = digamma(a) + 1 / a + pi cot(pi a).
  auto [sine, cosine] = sineAndCosineOfPi(e, a);
  Value cotangent = e.div(e.mul(cosine, e.f(kPi)), sine);
  Value negative = e.add(e.add(positive, e.div(one, a)), cotangent);
  Value pole = e.eq(sine, e.f(0.0));
  negative = e.select(pole, e.nan(), negative);
  // Near 0 only 1 / a is significant. The other terms would overflow to
  // infinities that cancel.
  negative = e.select(e.lt(a, e.f(0x1p-60)), e.div(one, a), negative);
  Value result = e.select(e.lt(x, e.f(0.0)), negative, positive);
  Value atZero = e.neg(e.copysign(e.inf(), x));
  return e.select(e.eq(a, e.f(0.0)), atZero, result);
}

/// Returns zeta(s, q) for s > 1 and q > 0: DLMF 25.11.5 with ten terms before
/// the integral and Bernoulli numbers up to B_24.
static Value zetaOfPositive(SpecialBuilder &e, Value s, Value q) {
  constexpr double kEven[] = {// (2k)! / B_2k
                              12.0,
                              -720.0,
                              30240.0,
                              -1209600.0,
                              47900160.0,
                              -1.8924375803183791606e9,
                              7.47242496e10,
                              -2.950130727918164224e12,
                              1.1646782814350067249e14,
                              -4.5979787224074726105e15,
                              1.8152105401943546773e17,
                              -7.1661652561756670113e18};
  // pow is by far the largest function here. A loop emits one copy of it
  // instead of nine.
  Value minus = e.neg(s), always = e.eq(e.f(0.0), e.f(0.0));
  auto terms = e.iterate({q, e.pow(q, minus), always}, 9,
                         [&](ValueRange x, Value) -> SmallVector<Value> {
                           Value w = e.add(x[0], e.f(1.0));
                           return {w, e.add(x[1], e.pow(w, minus)), always};
                         });
  Value w = e.add(terms[0], e.f(1.0)), sum = terms[1];
  Value power = e.pow(w, minus);
  Value tail =
      e.add(e.div(e.mul(power, w), e.sub(s, e.f(1.0))), e.mul(power, e.f(0.5)));
  // The terms s (s + 1) ... w^(-s - 2k + 1) B_2k / (2k)! of the sum.
  Value factor = e.div(e.mul(s, power), w);
  Value inverse = e.div(e.f(1.0), e.mul(w, w)), more = e.f(0.0);
  for (int k = 0; k < 12; ++k) {
    more = e.add(more, e.mul(factor, e.f(1.0 / kEven[k])));
    Value next = e.mul(e.add(s, e.f(2 * k + 1)), e.add(s, e.f(2 * k + 2)));
    factor = e.mul(factor, e.mul(next, inverse));
  }
  // If the powers underflow, the rest of the series is 0, even if a factor is
  // infinite.
  Value counts = e.gt(power, e.f(0.0));
  sum = e.add(sum, e.select(counts, e.add(tail, more), e.f(0.0)));
  // For large q, only the integral remains.
  Value first = e.pow(q, e.sub(e.f(1.0), s));
  return e.select(e.gt(q, e.f(0x1p60)), e.div(first, e.sub(s, e.f(1.0))), sum);
}

/// Returns zeta(s, q). For q < 0, s must be an integer. Let g be the fractional
/// part of |q|. The terms with q + k > 0 add up to zeta(s, 1 - g). The other
/// terms are, up to a sign, the terms of zeta(s, g) that precede those of
/// zeta(s, |q| + 1). Lanes with q > 0 need only the first of these three sums.
Value zetaOf(SpecialBuilder &e, Value s, Value q) {
  Value zero = e.f(0.0), one = e.f(1.0), half = e.mul(s, e.f(0.5));
  Value size = e.abs(q), g = e.sub(size, e.call<math::FloorOp>(size));
  Value isFull = e.eq(s, e.round(s)), isEven = e.eq(half, e.round(half));
  Value sign = e.select(isEven, one, e.f(-1.0));
  Value below = e.both(e.both(e.lt(q, zero), e.gt(g, zero)),
                       e.both(isFull, e.gt(s, one)));
  auto sums = e.iterate(
      {zero, e.eq(zero, zero)}, 3,
      [&](ValueRange x, Value k) -> SmallVector<Value> {
        Value isFirst = e.eq(k, one), isLast = e.eq(k, e.f(3.0));
        Value from = e.select(
            isFirst, e.select(below, e.sub(one, g), q),
            e.select(isLast, e.add(size, one), e.select(below, g, one)));
        Value part = zetaOfPositive(e, s, from);
        part = e.select(isFirst, part,
                        e.mul(e.select(isLast, e.neg(sign), sign), part));
        Value sum = e.add(x[0], part);
        return {e.select(e.either(isFirst, below), sum, x[0]), below};
      });
  Value defined = e.either(below, e.both(e.gt(s, one), e.gt(q, zero)));
  Value isPole = e.both(e.le(q, zero), e.eq(size, e.round(size)));
  Value pole =
      e.either(e.both(e.eq(s, one), e.eq(q, q)), e.both(isPole, e.ge(s, one)));
  return e.select(pole, e.inf(), e.select(defined, sums[0], e.nan()));
}

Value polygammaOf(SpecialBuilder &e, Value n, Value x) {
  Value one = e.f(1.0), order = e.add(n, one);
  Value half = e.mul(n, e.f(0.5));
  Value even = e.eq(half, e.round(half)), isInteger = e.eq(n, e.round(n));
  Value factorial = e.exp(positiveLgamma(e, order));
  // Factorials up to 5! are selected as exact constants, because exp(lgamma)
  // would round.
  double product = 1;
  for (int k = 1; k <= 5; ++k) {
    product *= k;
    factorial = e.select(e.eq(n, e.f(k)), e.f(product), factorial);
  }
  Value y = e.mul(factorial, zetaOf(e, order, x));
  y = e.select(even, e.neg(y), y);
  return e.select(e.both(isInteger, e.ge(n, one)), y, e.nan());
}

//===----------------------------------------------------------------------===//
// Incomplete gamma functions
//===----------------------------------------------------------------------===//

namespace {

/// Minimum a for which the uniform expansion is used. Below it, the series
/// converge within `kMaxTerms` terms.
constexpr double kUniform = 2000.0;
constexpr int kMaxTerms = 2000;

/// Returns mu - ln(1 + mu) with mu = (x - a) / a. Near 0 it is computed as mu s
/// - 2 s^3 (1/3 + s^2/5 + ...) with s = mu / (2 + mu).
Value distanceFromOne(SpecialBuilder &e, Value mu) {
  Value s = e.div(mu, e.add(mu, e.f(2.0))), z = e.mul(s, s);
  SmallVector<double> c;
  for (int k = 0; k < 18; ++k)
    c.push_back(1.0 / (2 * k + 3));
  Value cube = e.mul(e.mul(s, z), e.f(-2.0));
  Value near = e.mulAdd(cube, e.poly(z, c), e.mul(mu, s));
  Value far = e.sub(mu, e.log1p(mu));
  return e.select(e.lt(e.abs(mu), e.f(0.5)), near, far);
}

/// Returns lgamma(1 + a) for a >= 0. It is accurate even if 1 + a would round
/// to 1.
Value lgammaOfOneMore(SpecialBuilder &e, Value a) {
  Value small = e.atMost(a, 1.0);
  Value near = lgammaNearTwo(e, e.sub(small, e.f(1.0)), small);
  Value far = positiveLgamma(e, e.add(a, e.f(1.0)));
  return e.select(e.lt(a, e.f(1.0)), near, far);
}

/// Returns x^a e^-x / gamma(a + 1).
Value gammaFactor(SpecialBuilder &e, Value a, Value x, Value distance) {
  Value small =
      e.exp(e.sub(e.sub(e.mul(a, e.log(x)), x), lgammaOfOneMore(e, a)));
  // For large a, Stirling's formula cancels the large terms analytically.
  Value large = e.atLeast(a, 8.0);
  Value power =
      e.exp(e.sub(e.neg(e.mul(large, distance)), stirlingRemainder(e, large)));
  Value root = e.sqrt(e.mul(large, e.f(2 * kPi)));
  return e.select(e.lt(a, e.f(8.0)), small, e.div(power, root));
}

/// Returns 1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) + ..., DLMF 8.7.1.
/// `active` is the mask of lanes that need the result.
Value lowerSeries(SpecialBuilder &e, Value a, Value x, Value active) {
  auto state =
      e.iterate({e.f(1.0), e.f(1.0), active}, kMaxTerms,
                [&](ValueRange at, Value k) -> SmallVector<Value> {
                  Value term = e.mul(at[0], e.div(x, e.add(a, k)));
                  Value sum = e.add(at[1], term);
                  Value more = e.gt(term, e.mul(sum, e.f(e.precision)));
                  return {e.select(at[2], term, at[0]),
                          e.select(at[2], sum, at[1]), e.both(at[2], more)};
                });
  return state[1];
}

/// Returns Q(a, x) gamma(a) e^x x^-a by the continued fraction DLMF 8.9.2,
/// evaluated by Lentz's method.
Value upperFraction(SpecialBuilder &e, Value a, Value x, Value active) {
  Value one = e.f(1.0);
  Value b = e.add(e.sub(x, a), one), d = e.div(one, b);
  auto state =
      e.iterate({b, e.f(0x1p500), d, d, active}, kMaxTerms,
                [&](ValueRange at, Value k) -> SmallVector<Value> {
                  Value numerator = e.mul(k, e.sub(a, k));
                  Value b = e.add(at[0], e.f(2.0));
                  Value d = e.div(one, e.mulAdd(numerator, at[2], b));
                  Value c = e.add(b, e.div(numerator, at[1]));
                  Value change = e.mul(c, d);
                  Value h = e.mul(at[3], change);
                  Value more =
                      e.gt(e.abs(e.sub(change, one)), e.f(2 * e.precision));
                  auto keep = [&](Value next, Value last) {
                    return e.select(at[4], next, last);
                  };
                  return {keep(b, at[0]), keep(c, at[1]), keep(d, at[2]),
                          keep(h, at[3]), e.both(at[4], more)};
                });
  return state[3];
}

/// Returns Q(a, x) for small a and x, where it is near 1, by W. Gautschi, ACM
/// TOMS 5 (1979).
Value upperOfSmall(SpecialBuilder &e, Value a, Value x, Value active) {
  auto state =
      e.iterate({e.f(1.0), e.f(0.0), active}, 60,
                [&](ValueRange at, Value k) -> SmallVector<Value> {
                  Value power = e.mul(at[0], e.div(e.neg(x), k));
                  Value term = e.div(power, e.add(a, k));
                  Value sum = e.add(at[1], term);
                  Value more =
                      e.gt(e.abs(term), e.mul(e.abs(sum), e.f(e.precision)));
                  return {e.select(at[2], power, at[0]),
                          e.select(at[2], sum, at[1]), e.both(at[2], more)};
                });
  Value exponent = e.sub(e.mul(a, e.log(x)), lgammaOfOneMore(e, a));
  Value first = e.neg(e.expm1(exponent));
  return e.sub(first, e.mul(e.mul(e.exp(exponent), a), state[1]));
}

/// Returns the smaller of P and Q by N. M. Temme's uniform expansion, DLMF
/// 8.12.3.
Value uniform(SpecialBuilder &e, Value a, Value mu, Value distance) {
  Value eta = e.copysign(e.sqrt(e.add(distance, distance)), mu);
  // For larger |eta| the result underflows.
  Value bounded = e.atMost(e.atLeast(eta, -1.0), 1.0);
  Value inverse = e.div(e.f(1.0), a), sum = e.poly(bounded, tables::kTemme5);
  ArrayRef<double> rows[] = {tables::kTemme4, tables::kTemme3, tables::kTemme2,
                             tables::kTemme1, tables::kTemme0};
  for (ArrayRef<double> row : rows)
    sum = e.mulAdd(sum, inverse, e.poly(bounded, row));
  Value size = e.mul(a, distance), root = e.sqrt(size);
  Value main =
      e.mul(e.exp(e.neg(size)), e.mul(positiveErfcx(e, root), e.f(0.5)));
  Value rest =
      e.mul(e.div(e.exp(e.neg(size)), e.sqrt(e.mul(a, e.f(2 * kPi)))), sum);
  // The sum of the expansion is added for Q and subtracted for P.
  return e.add(main, e.select(e.lt(mu, e.f(0.0)), e.neg(rest), rest));
}

} // namespace

Value incompleteGamma(SpecialBuilder &e, Value a, Value x, bool upper) {
  Value zero = e.f(0.0), one = e.f(1.0);
  Value ordinary = e.both(e.both(e.gt(a, zero), e.lt(a, e.inf())),
                          e.both(e.gt(x, zero), e.lt(x, e.inf())));
  // Lanes whose result is a limit or NaN compute with the arguments 1 instead.
  Value order = e.select(ordinary, a, one), at = e.select(ordinary, x, one);
  Value mu = e.div(e.sub(at, order), order);
  Value distance = distanceFromOne(e, mu);
  Value isUniform = e.ge(order, e.f(kUniform));
  Value below = e.lt(at, e.add(order, one));
  // Q is near 1 where x and a are small. 1 - P would lose precision there.
  Value isTiny = e.both(e.lt(at, e.f(1.1)), e.lt(order, e.f(1.0)));
  Value bySeries = e.both(below, e.logicalNot(isUniform));
  Value byFraction = e.logicalNot(e.either(below, isUniform));

  Value factor = gammaFactor(e, order, at, distance);
  Value lower = e.mul(factor, lowerSeries(e, order, at, bySeries));
  Value fraction = upperFraction(e, order, at, byFraction);
  Value higher = e.mul(e.mul(factor, order), fraction);
  Value smaller = uniform(e, order, mu, distance);
  // Each lane computes one of P and Q. The other is 1 minus that.
  Value isLower = e.select(isUniform, e.lt(mu, zero), below);
  Value computed = e.select(isUniform, smaller, e.select(below, lower, higher));
  Value other = e.sub(one, computed);
  Value result = upper ? e.select(isLower, other, computed)
                       : e.select(isLower, computed, other);
  if (upper)
    result = e.select(isTiny, upperOfSmall(e, order, at, isTiny), result);

  // Limits: P is 0 if x = 0 or a is infinite, and 1 if x is infinite or a = 0.
  double none = upper ? 1.0 : 0.0, all = upper ? 0.0 : 1.0;
  Value atNone = e.either(e.eq(x, zero), e.eq(a, e.inf()));
  Value atAll = e.either(e.eq(x, e.inf()), e.eq(a, zero));
  Value end = e.select(atNone, e.f(none), e.select(atAll, e.f(all), e.nan()));
  end = e.select(e.both(atNone, atAll), e.nan(), end);
  Value allowed = e.both(e.ge(a, zero), e.ge(x, zero));
  return e.select(ordinary, result, e.select(allowed, end, e.nan()));
}

//===----------------------------------------------------------------------===//
// Incomplete beta function
//===----------------------------------------------------------------------===//

/// Returns the continued fraction DLMF 8.17.22 by Lentz's method, for x < (a +
/// 1) / (a + b + 2). Returns NaN if it has not converged after `kMaxTerms`
/// steps.
static Value betaFraction(SpecialBuilder &e, Value a, Value b, Value x,
                          Value active) {
  Value one = e.f(1.0), sum = e.add(a, b);
  Value above = e.add(a, one), below = e.sub(a, one);
  Value d = e.div(one, e.sub(one, e.div(e.mul(sum, x), above)));
  auto state = e.iterate(
      {one, d, d, one, active}, kMaxTerms,
      [&](ValueRange at, Value k) -> SmallVector<Value> {
        Value twice = e.add(k, k);
        auto go = [&](Value numerator, Value c, Value d) {
          Value next = e.div(one, e.mulAdd(numerator, d, one));
          return std::pair(e.add(one, e.div(numerator, c)), next);
        };
        Value even = e.div(e.mul(e.mul(k, e.sub(b, k)), x),
                           e.mul(e.add(below, twice), e.add(a, twice)));
        auto [c0, d0] = go(even, at[0], at[1]);
        Value h = e.mul(at[2], e.mul(c0, d0));
        Value odd = e.neg(e.div(e.mul(e.mul(e.add(a, k), e.add(sum, k)), x),
                                e.mul(e.add(a, twice), e.add(above, twice))));
        auto [c1, d1] = go(odd, c0, d0);
        Value change = e.mul(c1, d1);
        h = e.mul(h, change);
        // Iterate to full precision even if the result is f32: 1 minus the
        // result may be as small as b.
        Value more = e.gt(e.abs(e.sub(change, one)), e.f(0x1p-52));
        auto keep = [&](Value next, Value last) {
          return e.select(at[4], next, last);
        };
        return {keep(c1, at[0]), keep(d1, at[1]), keep(h, at[2]),
                keep(change, at[3]), e.both(at[4], more)};
      });
  Value converged = e.lt(e.abs(e.sub(state[3], one)), e.f(0x1p-40));
  return e.select(converged, state[2], e.nan());
}

/// Returns x^a y^b / beta(a, b) with y = 1 - x. If a and b are large,
/// Stirling's formula avoids the cancellation of large terms. `logX` and `logY`
/// are the logarithms of x and y.
static Value betaFactor(SpecialBuilder &e, Value a, Value b, Value x, Value y,
                        Value logX, Value logY) {
  Value sum = e.add(a, b);
  auto rest = [&](Value v) { return stirlingRemainder(e, e.atLeast(v, 8.0)); };
  // If a and b are small, lgamma is used. If only one is large, lgamma(more +
  // less) - lgamma(more) is computed without its large terms, which cancel.
  Value isMore = e.gt(a, b);
  Value more = e.select(isMore, a, b), less = e.select(isMore, b, a);
  Value near = e.sub(positiveLgamma(e, sum), positiveLgamma(e, more));
  Value far = e.mulAdd(e.sub(more, e.f(0.5)), e.log1p(e.div(less, more)),
                       e.mul(less, e.sub(e.log(sum), e.f(1.0))));
  far = e.add(far, e.sub(rest(sum), rest(more)));
  Value plain =
      e.sub(e.select(e.ge(more, e.f(8.0)), far, near), positiveLgamma(e, less));
  Value powers = e.add(e.mul(a, logX), e.mul(b, logY));
  Value small = e.exp(e.add(powers, plain));
  // If both are large, the factor is exp(-(a d(mu) + b d(nu))) sqrt(ab / (2 pi
  // (a + b))), where d is distanceFromOne.
  Value mu = e.div(e.sub(e.mul(x, b), e.mul(a, y)), a);
  Value nu = e.div(e.sub(e.mul(a, y), e.mul(x, b)), b);
  Value distance =
      e.add(e.mul(a, distanceFromOne(e, mu)), e.mul(b, distanceFromOne(e, nu)));
  Value correction = e.sub(rest(sum), e.add(rest(a), rest(b)));
  Value root = e.sqrt(e.mul(e.div(a, e.mul(sum, e.f(2 * kPi))), b));
  Value large = e.mul(e.exp(e.sub(correction, distance)), root);
  Value both = e.both(e.ge(a, e.f(8.0)), e.ge(b, e.f(8.0)));
  return e.select(both, large, small);
}

Value incompleteBeta(SpecialBuilder &e, Value a, Value b, Value x) {
  Value zero = e.f(0.0), one = e.f(1.0), infinity = e.inf();
  Value finite = e.both(e.lt(a, infinity), e.lt(b, infinity));
  Value positive = e.both(e.gt(a, zero), e.gt(b, zero));
  Value inside = e.both(e.gt(x, zero), e.lt(x, one));
  Value ordinary = e.both(e.both(finite, positive), inside);
  Value p = e.select(ordinary, a, one), q = e.select(ordinary, b, one);
  Value at = e.select(ordinary, x, e.f(0.5)), rest = e.sub(one, at);
  // The continued fraction converges quickly below the mean of the
  // distribution. Above it, use I(a, b, x) = 1 - I(b, a, 1 - x).
  Value mean = e.div(e.add(p, one), e.add(e.add(p, q), e.f(2.0)));
  Value swapped = e.ge(at, mean);
  // If b is small, 1 minus the swapped result would cancel. Unless x is near 1,
  // the unswapped fraction converges too, with more terms.
  swapped = e.both(swapped,
                   e.either(e.ge(q, e.f(0x1p-6)), e.ge(at, e.f(1 - 0x1p-10))));
  auto swap = [&](Value u, Value v) {
    return std::pair(e.select(swapped, v, u), e.select(swapped, u, v));
  };
  auto [m, n] = swap(p, q);
  auto [u, v] = swap(at, rest);
  // log1p is used, because 1 - x would round away digits of a small x that are
  // significant if b is large.
  auto [logU, logV] = swap(e.log(at), e.log1p(e.neg(at)));
  Value fraction = betaFraction(e, m, n, u, ordinary);
  Value factor = betaFactor(e, m, n, u, v, logU, logV);
  Value y = e.div(e.mul(factor, fraction), m);
  y = e.select(swapped, e.sub(one, y), y);
  // Rounding must not lead to results below 0 or above 1.
  y = e.select(e.lt(y, zero), zero, e.select(e.gt(y, one), one, y));
  // At x = 0 the result is 0, at x = 1 it is 1. In between, it is 1 for a = 0
  // and 0 for b = 0.
  Value allowed = e.both(e.both(e.ge(a, zero), e.ge(b, zero)),
                         e.both(e.ge(x, zero), e.le(x, one)));
  Value some = e.either(e.gt(a, zero), e.gt(b, zero));
  Value low = e.both(e.eq(x, zero), some);
  Value high = e.both(e.eq(x, one), some);
  Value allLow = e.either(e.both(e.eq(a, zero), e.gt(b, zero)),
                          e.both(e.eq(b, infinity), e.lt(a, infinity)));
  Value allHigh = e.either(e.both(e.eq(b, zero), e.gt(a, zero)),
                           e.both(e.eq(a, infinity), e.lt(b, infinity)));
  Value end = e.select(allLow, one, e.select(allHigh, zero, e.nan()));
  end = e.select(low, zero, e.select(high, one, end));
  return e.select(ordinary, y, e.select(allowed, end, e.nan()));
}

} // namespace tensorc::codegen
