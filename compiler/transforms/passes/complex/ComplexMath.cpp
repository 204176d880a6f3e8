//===- ComplexMath.cpp - Functions of complex numbers ---------------------===//

#include "compiler/transforms/passes/complex/ComplexMath.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using tensorc::tx::DType;

namespace tensorc::compiler {

static constexpr double inf = std::numeric_limits<double>::infinity();
static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
static constexpr double pi = std::numbers::pi;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Planes ComplexMath::mul(Planes x, Planes y) {
  return {e.sub(e.mul(x.re, y.re), e.mul(x.im, y.im)),
          e.add(e.mul(x.re, y.im), e.mul(x.im, y.re))};
}

/// Complex division by R. L. Smith's method ("Algorithm 116: Complex
/// division"). It uses the ratio of the divisor's parts, which avoids the
/// overflow of its square.
Planes ComplexMath::div(Planes x, Planes y) {
  Value isSteep = e.less(e.abs(y.re), e.abs(y.im));
  Planes swappedParts{y.im, y.re};
  Planes by = choose(isSteep, swappedParts, y);
  Value a = e.select(isSteep, x.im, x.re), b = e.select(isSteep, x.re, x.im);
  Value ratio = e.div(by.im, by.re);
  Value below = e.add(by.re, e.mul(by.im, ratio));
  // The sign of a zero depends on the order of the subtraction.
  Value product = e.mul(a, ratio);
  Value im = e.select(isSteep, e.sub(product, b), e.sub(b, product));
  Planes quotient{e.div(e.add(a, e.mul(b, ratio)), below), e.div(im, below)};
  Value zero = e.abs(by.re);
  return choose(isZero(zero), {e.div(x.re, zero), e.div(x.im, zero)}, quotient);
}

/// Returns z / |z|. If one part is infinite, the result is the sign of that
/// part.
Planes ComplexMath::sign(Planes z) {
  Value ofRe = isInf(z.re), ofIm = isInf(z.im);
  Value isOne = e.map<tx::XorOp>({ofRe, ofIm});
  auto bounded = [&](Value x, Value isInfinite) {
    return e.select(isOne,
                    e.select(isInfinite, copysign(like(1, x), x),
                             e.select(isNan(x), x, like(0, x))),
                    x);
  };
  Planes w{bounded(z.re, ofRe), bounded(z.im, ofIm)};
  Value length = hypot(w.re, w.im);
  Value isZeroLong = isZero(length);
  return choose(isZeroLong, w, {e.div(w.re, length), e.div(w.im, length)});
}

//===----------------------------------------------------------------------===//
// Exponentials, logarithms, powers
//===----------------------------------------------------------------------===//

/// Multiplies by e^(x/2) twice, so that no overflow occurs where e^x cos y does
/// not overflow.
Planes ComplexMath::exp(Planes z) {
  Value half = e.exp(e.mul(z.re, 0.5));
  Value finite = isFinite(z.im);
  Value re = e.mul(e.mul(half, cos(z.im)), half);
  Value im = e.mul(e.mul(half, sin(z.im)), half);
  Value lost = both(isInf(z.re), isNot(finite));
  // e^-inf is 0 and e^inf is infinite for any angle.
  Value limit = e.mul(half, half);
  re = e.select(lost, limit, re);
  im = e.select(lost, e.select(isZero(limit), limit, like(nan, im)), im);
  return {re, e.select(isZero(z.im), z.im, im)};
}

Planes ComplexMath::expm1(Planes z) {
  Planes w = exp(z);
  Value half = sin(e.mul(z.im, 0.5));
  Value re =
      e.sub(e.mul(e.expm1(z.re), cos(z.im)), e.mul(e.mul(half, half), 2.0));
  Value lost = isNot(both(isFinite(z.im), isFinite(re)));
  re = e.select(isZero(z.im), e.expm1(z.re), re);
  return {e.select(both(lost, isNot(isZero(z.im))), e.sub(w.re, 1.0), re),
          w.im};
}

/// Returns the rounded x^2 and its rounding error.
std::pair<Value, Value> ComplexMath::square(Value x) {
  Value high = e.mul(x, x);
  return {high, e.map<tx::FmaOp>({x, x, e.neg(high)})};
}

/// Returns x^2 + y^2 + rest. The larger square x^2 and the rest may cancel, so
/// they are added without rounding. The rounding errors of both squares are
/// added separately, together with the error of the sum itself (two-sum by O.
/// Moller and D. Knuth).
Value ComplexMath::addSquares(Value x, Value y,
                              function_ref<Value(Value)> rest) {
  auto [highX, lowX] = square(x);
  auto [highY, lowY] = square(y);
  Value low = e.add(lowX, lowY);
  Value ofY = e.sub(low, lowX);
  Value lost = e.add(e.sub(lowX, e.sub(low, ofY)), e.sub(lowY, ofY));
  return e.add(e.add(e.add(rest(highX), highY), low), lost);
}

/// Computes log |z| from the larger part m and the smaller part n. Near the
/// unit circle it is log1p(m^2 + n^2 - 1) / 2 with exact squares, whose high
/// parts cancel without rounding; elsewhere log m + log1p((n / m)^2) / 2.
Planes ComplexMath::log(Planes z) {
  Value x = e.abs(z.re), y = e.abs(z.im);
  Value m = e.max(x, y), n = e.min(x, y);
  Value isNear = both(e.greater(m, 0.5), e.less(m, 2.0));
  Value ratio = e.select(isZero(m), m, e.div(n, m));
  Value rounded; // error of 1 - x^2 for squares below 1/2
  Value distance = addSquares(m, n, [&](Value square) {
    Value left = e.sub(square, 1.0);
    rounded = e.sub(square, e.add(left, 1.0));
    return left;
  });
  distance = e.add(distance, rounded);
  Value rest =
      e.mul(e.log1p(e.select(isNear, distance, e.mul(ratio, ratio))), 0.5);
  Value re = e.select(isNear, rest, e.add(e.log(m), rest));
  Value infinite = either(isInf(z.re), isInf(z.im));
  return {e.select(infinite, like(inf, re), re), atan2(z.im, z.re)};
}

Planes ComplexMath::log1p(Planes z) {
  Planes large = log(plusOne(z));
  // |1 + z|^2 - 1 = im^2 + 2 re + re^2; the first two terms cancel the most.
  Value twice = e.mul(z.re, 2.0);
  Value distance = addSquares(
      z.im, z.re, [&](Value square) { return e.add(twice, square); });
  // For real parts below -1/2, z + 1 is exact.
  Value isSmall = both(e.greater(z.re, -0.5), e.less(e.abs(distance), 0.5));
  Value near =
      e.mul(e.log1p(e.select(isSmall, distance, like(0, distance))), 0.5);
  return {e.select(isSmall, near, large.re), large.im};
}

/// W. Kahan's method ("Branch cuts for complex elementary functions"). Scales
/// by 1/8, so that neither the length nor the sum overflows.
Planes ComplexMath::sqrt(Planes z) {
  Value x = e.mul(e.abs(z.re), 0.125), y = e.mul(z.im, 0.125);
  Value t = e.mul(e.sqrt(e.add(x, hypot(x, y))), 2.0);
  Value other = e.div(e.abs(z.im), e.mul(t, 2.0));
  Value isRight = e.greaterOrEqual(z.re, 0.0);
  Planes root{e.select(isRight, t, other),
              copysign(e.select(isRight, other, t), z.im)};
  Value isOrigin = both(isZero(z.re), isZero(z.im));
  root = choose(isOrigin, {like(0, x), z.im}, root);
  return choose(isInf(z.im), {like(inf, x), z.im}, root);
}

/// If y is a small integer constant, computes the power by multiplications,
/// with the accuracy of the products. Otherwise returns nullopt.
std::optional<Planes> ComplexMath::wholePower(Planes x, Planes y) {
  auto number = [](Value plane) -> std::optional<double> {
    Attribute value;
    Value from = plane;
    while (auto op = from.getDefiningOp<tx::BroadcastOp>())
      from = op.getX();
    if (!matchPattern(from, m_Constant(&value)))
      return std::nullopt;
    auto splat = dyn_cast<SplatElementsAttr>(value);
    if (!splat)
      return std::nullopt;
    APFloat single = splat.getSplatValue<APFloat>();
    bool lost;
    single.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
    return single.convertToDouble();
  };
  constexpr double most = 16;
  std::optional<double> re = number(y.re), im = number(y.im);
  if (!re || !im || *im != 0 || *re != std::trunc(*re) || *re < 1 || *re > most)
    return std::nullopt;
  std::optional<Planes> result;
  for (auto left = static_cast<unsigned>(*re); left != 0; left /= 2) {
    if (left % 2)
      result = result ? mul(*result, x) : x;
    if (left > 1)
      x = mul(x, x);
  }
  return result;
}

/// Computes e^(y log x). 0 to a power with a positive real part is 0, and
/// anything to the power 0 is 1.
Planes ComplexMath::pow(Planes x, Planes y) {
  if (std::optional<Planes> products = wholePower(x, y))
    return *products;
  Planes power = exp(mul(y, log(x)));
  Value ofZero = both(isZero(x.re), isZero(x.im));
  Value zero = like(0, x.re), isPositive = e.greater(y.re, 0.0);
  power = choose(
      ofZero,
      choose(isPositive, {zero, zero}, {like(nan, x.re), like(nan, x.re)}),
      power);
  return choose(both(isZero(y.re), isZero(y.im)), {like(1, x.re), zero}, power);
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions. The circular ones are computed from them by rotation
//===----------------------------------------------------------------------===//

/// Computes sinh x cos y + i cosh x sin y.
Planes ComplexMath::sinh(Planes z) {
  Value re = e.mul(e.map<tx::SinhOp>({z.re}), cos(z.im));
  Value im = e.mul(e.map<tx::CoshOp>({z.re}), sin(z.im));
  Value keeps = both(either(isZero(z.re), isInf(z.re)), isNot(isFinite(z.im)));
  // C99 leaves the sign of an infinity unspecified. This is the choice of the C
  // library.
  Value kept = e.select(isZero(z.re), z.re, e.abs(z.re));
  return {e.select(keeps, kept, re), e.select(isZero(z.im), z.im, im)};
}

/// Computes cosh x cos y + i sinh x sin y.
Planes ComplexMath::cosh(Planes z) {
  Value re = e.mul(e.map<tx::CoshOp>({z.re}), cos(z.im));
  Value im = e.mul(e.map<tx::SinhOp>({z.re}), sin(z.im));
  Value isFlat = isZero(z.im), isMiddle = isZero(z.re);
  re = e.select(both(isInf(z.re), isNot(isFinite(z.im))), e.abs(z.re), re);
  Value zero = e.select(isFlat, e.mul(z.im, copysign(like(1, z.re), z.re)),
                        like(0, z.re));
  return {re, e.select(either(isFlat, both(isMiddle, isNot(isFinite(z.im)))),
                       zero, im)};
}

/// Kahan's formula: with t = tan y and s = sinh x,
/// ((1 + t^2) s sqrt(1 + s^2) + i t) / (1 + (1 + t^2) s^2).
Planes ComplexMath::tanh(Planes z) {
  bool isSingle = builder::dtypeOf(z.re) == DType::F32;
  Value length = e.abs(z.re);
  Value isFar = e.greaterOrEqual(length, isSingle ? 11.0 : 22.0);
  Value x = e.select(isFar, like(0, z.re), z.re);
  Value t = e.map<tx::TanOp>({z.im}), s = e.map<tx::SinhOp>({x});
  // Beyond the limit, z.im matters only if its tangent is finite or x is
  // infinite.
  isFar = both(isFar, either(isFinite(t), isInf(z.re)));
  Value beta = e.add(e.mul(t, t), 1.0), squared = e.mul(s, s);
  Value below = e.add(e.mul(beta, squared), 1.0);
  Value re = e.div(e.mul(e.mul(beta, s), e.sqrt(e.add(squared, 1.0))), below);
  // sin 2y = 2 t / (1 + t^2)
  Value far = e.mul(e.mul(e.div(t, beta), e.exp(e.mul(length, -2.0))), 4.0);
  far = e.select(isFinite(t), far, like(0, t));
  Value im = e.select(isFar, far, e.div(t, below));
  re = e.select(both(isZero(z.re), isNot(isFinite(z.im))), z.re, re);
  return {e.select(isFar, copysign(like(1, z.re), z.re), re),
          e.select(isZero(z.im), z.im, im)};
}

/// Kahan's asin, rotated: with w = i z, s = sqrt(1 + w) and c = sqrt(1 - w),
/// asin w = atan2(re w, re(s c)) + i asinh(im(conj(c) s)).
Planes ComplexMath::asinh(Planes z) {
  Planes w = timesI(z);
  Planes s = sqrt(plusOne(w)), c = sqrt(plusOne(neg(w)));
  Value re = atan2(w.re, e.sub(e.mul(s.re, c.re), e.mul(s.im, c.im)));
  Value im = e.map<tx::AsinhOp>({e.sub(e.mul(c.re, s.im), e.mul(c.im, s.re))});
  Planes result = timesMinusI({re, im});
  // If a part is infinite, the result does not depend on the other part.
  Value infinite = either(isInf(z.re), isInf(z.im));
  result = choose(infinite,
                  {copysign(like(inf, z.re), z.re), atan2(z.im, e.abs(z.re))},
                  result);
  return {result.re, e.select(isZero(z.im), z.im, result.im)};
}

/// Kahan's formula: with s = sqrt(1 - z) and c = sqrt(1 + z),
/// 2 atan2(re s, re c) + i asinh(im(conj(c) s)).
Planes ComplexMath::acos(Planes z) {
  Planes s = sqrt({e.add(e.neg(z.re), 1.0), e.neg(z.im)}), c = sqrt(plusOne(z));
  Value re = e.mul(atan2(s.re, c.re), 2.0);
  Value im = e.map<tx::AsinhOp>({e.sub(e.mul(c.re, s.im), e.mul(c.im, s.re))});
  Value infinite = either(isInf(z.re), isInf(z.im));
  Planes result =
      choose(infinite,
             {atan2(e.abs(z.im), z.re), e.neg(copysign(like(inf, z.im), z.im))},
             {re, im});
  Value isMiddle = both(isZero(z.re), isNan(z.im));
  return {e.select(isMiddle, like(pi / 2, re), result.re), result.im};
}

/// acosh is acos rotated to the half plane of positive real parts.
Planes ComplexMath::acosh(Planes z) {
  Planes w = acos(z);
  return {e.abs(w.im), copysign(w.re, z.im)};
}

/// Kahan's formula: log1p(4 |x| / ((1 - |x|)^2 + y^2)) / 4 with the sign of x,
/// and atan2(2 y, (1 - x)(1 + x) - y^2) / 2.
Planes ComplexMath::atanh(Planes z) {
  bool isSingle = builder::dtypeOf(z.re) == DType::F32;
  Value x = e.abs(z.re), y = e.abs(z.im);
  Value off = e.add(e.neg(x), 1.0), squared = e.mul(z.im, z.im);
  Value re = e.mul(
      e.log1p(e.div(e.mul(x, 4.0), e.add(e.mul(off, off), squared))), 0.25);
  // Near a pole y^2 underflows: log(2 / y) / 2 is exact up to y^2 / 16.
  Value isPole = both(isZero(off), e.less(y, 1e-10));
  re = e.select(isPole, e.mul(e.add(e.neg(e.log(y)), std::numbers::ln2), 0.5),
                re);
  // For large z the squares overflow: uses the real part of 1 / z, computed
  // from ratios.
  Value m = e.max(x, y), across = e.div(x, m), along = e.div(y, m);
  Value inverse = e.div(
      e.div(across, e.add(e.mul(across, across), e.mul(along, along))), m);
  re = e.select(e.greater(m, isSingle ? 1e18 : 1e150), inverse, re);
  Value im = e.mul(
      atan2(e.mul(z.im, 2.0), e.sub(e.mul(off, e.add(x, 1.0)), squared)), 0.5);
  Value infinite = either(isInf(z.re), isInf(z.im));
  Value quarter =
      e.select(isNan(z.im), z.im, copysign(like(pi / 2, z.im), z.im));
  Planes result = choose(infinite, {like(0, x), quarter}, {re, im});
  Value keeps = both(isZero(z.re), isNan(z.im));
  return {copysign(e.select(keeps, x, result.re), z.re), result.im};
}

/// Computes -i sinh(i z).
Planes ComplexMath::sin(Planes z) {
  Planes w = timesMinusI(sinh(timesI(z)));
  // C99 leaves the sign unspecified here, as in sinh.
  Value isOpen = both(isInf(z.im), isNot(isFinite(z.re)));
  return {w.re, e.select(isOpen, e.abs(z.im), w.im)};
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

std::optional<Planes> ComplexMath::map(StringRef op,
                                       ArrayRef<Planes> operands) {
  Planes x = operands.front(), y = operands.back();
  auto is = [&](StringRef name) { return op == name; };
  if (is("tx.add"))
    return Planes{e.add(x.re, y.re), e.add(x.im, y.im)};
  if (is("tx.sub"))
    return Planes{e.sub(x.re, y.re), e.sub(x.im, y.im)};
  if (is("tx.pow"))
    return pow(x, y);
  if (is("tx.mul"))
    return mul(x, y);
  if (is("tx.div"))
    return div(x, y);
  using Fn = Planes (*)(ComplexMath &, Planes);
  static const std::pair<StringRef, Fn> functions[] = {
      {"tx.neg", [](ComplexMath &m, Planes z) { return m.neg(z); }},
      {"tx.sign", [](ComplexMath &m, Planes z) { return m.sign(z); }},
      {"tx.exp", [](ComplexMath &m, Planes z) { return m.exp(z); }},
      {"tx.expm1", [](ComplexMath &m, Planes z) { return m.expm1(z); }},
      {"tx.log", [](ComplexMath &m, Planes z) { return m.log(z); }},
      {"tx.log2",
       [](ComplexMath &m, Planes z) {
         return m.scaled(m.log(z), std::numbers::log2e);
       }},
      {"tx.log10",
       [](ComplexMath &m, Planes z) {
         return m.scaled(m.log(z), std::numbers::log10e);
       }},
      {"tx.log1p", [](ComplexMath &m, Planes z) { return m.log1p(z); }},
      {"tx.sqrt", [](ComplexMath &m, Planes z) { return m.sqrt(z); }},
      {"tx.rsqrt",
       [](ComplexMath &m, Planes z) {
         Value one = m.like(1, z.re), zero = m.like(0, z.re);
         return m.div({one, zero}, m.sqrt(z));
       }},
      {"tx.sin", [](ComplexMath &m, Planes z) { return m.sin(z); }},
      {"tx.cos", [](ComplexMath &m, Planes z) { return m.cosh(m.timesI(z)); }},
      {"tx.tan", [](ComplexMath &m,
                    Planes z) { return m.timesMinusI(m.tanh(m.timesI(z))); }},
      {"tx.sinh", [](ComplexMath &m, Planes z) { return m.sinh(z); }},
      {"tx.cosh", [](ComplexMath &m, Planes z) { return m.cosh(z); }},
      {"tx.tanh", [](ComplexMath &m, Planes z) { return m.tanh(z); }},
      {"tx.asin", [](ComplexMath &m,
                     Planes z) { return m.timesMinusI(m.asinh(m.timesI(z))); }},
      {"tx.acos", [](ComplexMath &m, Planes z) { return m.acos(z); }},
      {"tx.atan", [](ComplexMath &m,
                     Planes z) { return m.timesMinusI(m.atanh(m.timesI(z))); }},
      {"tx.asinh", [](ComplexMath &m, Planes z) { return m.asinh(z); }},
      {"tx.acosh", [](ComplexMath &m, Planes z) { return m.acosh(z); }},
      {"tx.atanh", [](ComplexMath &m, Planes z) { return m.atanh(z); }},
  };
  const auto *found = llvm::find_if(
      functions, [&](const auto &entry) { return entry.first == op; });
  if (found == std::end(functions))
    return std::nullopt;
  return found->second(*this, x);
}

Value ComplexMath::test(StringRef op, ArrayRef<Planes> operands) {
  Planes x = operands.front(), y = operands.back();
  if (op == "tx.eq")
    return both(e.equal(x.re, y.re), e.equal(x.im, y.im));
  if (op == "tx.ne")
    return either(e.notEqual(x.re, y.re), e.notEqual(x.im, y.im));
  if (op == "tx.is_nan")
    return either(isNan(x.re), isNan(x.im));
  if (op == "tx.is_inf")
    return either(isInf(x.re), isInf(x.im));
  if (op == "tx.is_finite")
    return both(isFinite(x.re), isFinite(x.im));
  return {};
}

} // namespace tensorc::compiler
