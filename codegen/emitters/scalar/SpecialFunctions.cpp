//===- SpecialFunctions.cpp - Error, Bessel and logarithmic functions -----===//

#include "codegen/emitters/scalar/SpecialFunctions.h"
#include "codegen/emitters/scalar/GammaFunctions.h"
#include "codegen/emitters/scalar/SpecialTables.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tensorc::codegen {

//===----------------------------------------------------------------------===//
// Error functions and the normal distribution
//===----------------------------------------------------------------------===//

/// Returns erfcx(x) for x >= 0, by a Chebyshev series in (x - 3.75) / (x +
/// 3.75): M. M. Shepherd and J. G. Laframboise, Math. Comp. 36 (1981).
Value positiveErfcx(SpecialBuilder &e, Value x) {
  Value finite = e.atMost(x, 0x1p500);
  Value t = e.div(e.sub(finite, e.f(3.75)), e.add(finite, e.f(3.75)));
  return e.div(e.chebyshev(t, tables::kErfcx), e.add(x, e.f(0.5)));
}

Value erfcOf(SpecialBuilder &e, Value x) {
  Value a = e.abs(x);
  Value y = e.mul(e.expOfMinusSquare(a, 1.0), positiveErfcx(e, a));
  return e.select(e.lt(x, e.f(0.0)), e.sub(e.f(2.0), y), y);
}

/// Returns the normal distribution's tail probability above a >= 0, as e^(-a^2
/// / 2) erfcx(a / sqrt(2)) / 2. The exponent is computed from a itself, so
/// rounding a / sqrt(2) hardly matters.
static Value normalTail(SpecialBuilder &e, Value a) {
  Value scaled = positiveErfcx(e, e.mul(a, e.f(0.7071067811865476)));
  return e.mul(e.expOfMinusSquare(a, 0.5), e.mul(scaled, e.f(0.5)));
}

static Value erfc(SpecialBuilder &e, ValueRange x) { return erfcOf(e, x[0]); }

static Value erfcx(SpecialBuilder &e, ValueRange x) {
  Value a = e.abs(x[0]), y = positiveErfcx(e, a);
  // Computes e^(x^2) with a correction for the rounding error of the square.
  auto square = e.twoProduct(a, a);
  Value high = e.exp(square.hi);
  Value grown = e.mulAdd(high, square.lo, high);
  grown = e.select(e.lt(high, e.inf()), grown, high);
  Value below = e.sub(e.add(grown, grown), y);
  return e.select(e.lt(x[0], e.f(0.0)), below, y);
}

static Value ndtr(SpecialBuilder &e, ValueRange x) {
  Value tail = normalTail(e, e.abs(x[0]));
  return e.select(e.gt(x[0], e.f(0.0)), e.sub(e.f(1.0), tail), tail);
}

static Value logNdtr(SpecialBuilder &e, ValueRange x) {
  Value a = e.abs(x[0]), tail = normalTail(e, a);
  Value small = e.log1p(e.neg(tail)); // the result for x > 0
  Value scaled = positiveErfcx(e, e.mul(a, e.f(0.7071067811865476)));
  Value half = e.mul(e.mul(a, a), e.f(-0.5));
  Value far = e.add(half, e.log(e.mul(scaled, e.f(0.5))));
  // If a is infinite, so are both terms, with opposite signs.
  far = e.select(e.eq(a, e.inf()), e.neg(e.inf()), far);
  Value y = e.select(e.lt(a, e.f(1.0)), e.log(tail), far);
  return e.select(e.gt(x[0], e.f(0.0)), small, y);
}

/// Returns the quantile of the normal distribution at 1/2 + q by algorithm AS
/// 241, PPND16 (M. J. Wichura, Appl. Stat. 37, 1988). `tail` is the exact value
/// of 1/2 - |q|.
static Value quantile(SpecialBuilder &e, Value q, Value tail) {
  auto quotient = [&](Value x, ArrayRef<double> above, ArrayRef<double> below) {
    return e.div(e.poly(x, above), e.poly(x, below));
  };
  Value z = e.mulAdd(e.neg(q), q, e.f(0.180625));
  Value centre =
      e.mul(q, quotient(z,
                        {3.387132872796366608, 133.14166789178437745,
                         1971.5909503065514427, 13731.693765509461125,
                         45921.953931549871457, 67265.770927008700853,
                         33430.575583588128105, 2509.0809287301226727},
                        {1.0, 42.313330701600911252, 687.1870074920579083,
                         5394.1960214247511077, 21213.794301586595867,
                         39307.89580009271061, 28729.085735721942674,
                         5226.495278852854561}));
  Value root = e.sqrt(e.neg(e.log(tail)));
  Value near = quotient(
      e.sub(root, e.f(1.6)),
      {1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055,
       3.64784832476320460504, 1.27045825245236838258, 0.24178072517745061177,
       0.0227238449892691845833, 7.7454501427834140764e-4},
      {1.0, 2.05319162663775882187, 1.6763848301838038494,
       0.68976733498510000455, 0.14810397642748007459, 0.0151986665636164571966,
       5.475938084995344946e-4, 1.05075007164441684324e-9});
  Value far = quotient(e.sub(root, e.f(5.0)),
                       {6.6579046435011037772, 5.4637849111641143699,
                        1.7848265399172913358, 0.29656057182850489123,
                        0.026532189526576123093, 0.0012426609473880784386,
                        2.71155556874348757815e-5, 2.01033439929228813265e-7},
                       {1.0, 0.59983220655588793769, 0.13692988092273580531,
                        0.0148753612908506148525, 7.868691311456132591e-4,
                        1.8463183175100546818e-5, 1.4215117583164458887e-7,
                        2.04426310338993978564e-15});
  Value out = e.select(e.gt(root, e.f(5.0)), far, near);
  out = e.select(e.eq(tail, e.f(0.0)), e.inf(), out);
  out = e.select(e.ge(tail, e.f(0.0)), e.copysign(out, q), e.nan());
  return e.select(e.le(e.abs(q), e.f(0.425)), centre, out);
}

static Value ndtri(SpecialBuilder &e, ValueRange x) {
  Value above = e.sub(e.f(1.0), x[0]);
  Value tail = e.select(e.lt(x[0], above), x[0], above);
  return quantile(e, e.sub(x[0], e.f(0.5)), tail);
}

static Value erfinv(SpecialBuilder &e, ValueRange x) {
  Value tail = e.mul(e.sub(e.f(1.0), e.abs(x[0])), e.f(0.5));
  Value y =
      e.mul(quantile(e, e.mul(x[0], e.f(0.5)), tail), e.f(0.7071067811865476));
  // Tiny x use x sqrt(pi) / 2 directly, because half of the smallest subnormal
  // number would round to 0.
  Value tiny = e.mul(x[0], e.f(0.886226925452758));
  return e.select(e.lt(e.abs(x[0]), e.f(0x1p-500)), tiny, y);
}

//===----------------------------------------------------------------------===//
// Modified Bessel functions
//===----------------------------------------------------------------------===//

/// Returns e^-|x| I_order(x) for order 0 or 1. The table for order 1 and |x| <=
/// 8 is of I1(x) / x.
static Value scaledBessel(SpecialBuilder &e, Value x, int order) {
  Value a = e.abs(x);
  Value t = e.sub(e.mul(e.atMost(a, 8.0), e.f(0.25)), e.f(1.0));
  Value near = e.chebyshev(t, order == 0 ? ArrayRef<double>(tables::kI0)
                                         : ArrayRef<double>(tables::kI1));
  Value u = e.sub(e.div(e.f(16.0), e.atLeast(a, 8.0)), e.f(1.0));
  Value far =
      e.div(e.chebyshev(u, order == 0 ? ArrayRef<double>(tables::kI0Tail)
                                      : ArrayRef<double>(tables::kI1Tail)),
            e.sqrt(a));
  if (order == 1) {
    near = e.mul(near, x);
    far = e.copysign(far, x);
  }
  return e.select(e.le(a, e.f(8.0)), near, far);
}

/// Returns e^|x| y. If x is large, multiplies twice by e^(|x| / 2), so that the
/// product overflows only if the result does.
static Value unscaled(SpecialBuilder &e, Value y, Value x) {
  Value a = e.abs(x);
  Value half = e.exp(e.mul(a, e.f(0.5)));
  Value once = e.mul(y, e.exp(a));
  Value twice = e.mul(e.mul(y, half), half);
  Value grown = e.select(e.lt(a, e.f(700.0)), once, twice);
  return e.select(e.eq(a, e.inf()), e.copysign(a, y), grown);
}

static Value besselI0e(SpecialBuilder &e, ValueRange x) {
  return scaledBessel(e, x[0], 0);
}
static Value besselI1e(SpecialBuilder &e, ValueRange x) {
  return scaledBessel(e, x[0], 1);
}
static Value besselI0(SpecialBuilder &e, ValueRange x) {
  return unscaled(e, scaledBessel(e, x[0], 0), x[0]);
}
static Value besselI1(SpecialBuilder &e, ValueRange x) {
  return unscaled(e, scaledBessel(e, x[0], 1), x[0]);
}

//===----------------------------------------------------------------------===//
// Logarithmic functions and sinc
//===----------------------------------------------------------------------===//

static Value sinc(SpecialBuilder &e, ValueRange x) {
  Value a = e.abs(x[0]), n = e.round(a), r = e.sub(a, n);
  // The sign (-1)^n depends on the lowest bit of n. Large floats are even.
  Value half = e.mul(n, e.f(0.5));
  Value odd = e.logicalNot(e.eq(half, e.round(half)));
  Value sine = e.call<math::SinOp>(e.mul(r, e.f(3.141592653589793)));
  sine = e.select(odd, e.neg(sine), sine);
  Value y = e.div(sine, e.mul(a, e.f(3.141592653589793)));
  y = e.select(e.lt(a, e.f(0x1p-30)), e.f(1.0), y);
  return e.select(e.eq(a, e.inf()), e.f(0.0), y);
}

/// Returns x * logarithm, or 0 if x is 0 and y is not NaN. `logarithm` is a
/// function of y.
static Value timesLog(SpecialBuilder &e, Value x, Value y, Value logarithm) {
  Value none = e.both(e.eq(x, e.f(0.0)), e.logicalNot(e.isNaN(y)));
  return e.select(none, e.f(0.0), e.mul(x, logarithm));
}

static Value xlogy(SpecialBuilder &e, ValueRange x) {
  return timesLog(e, x[0], x[1], e.log(x[1]));
}
static Value xlog1py(SpecialBuilder &e, ValueRange x) {
  return timesLog(e, x[0], x[1], e.log1p(x[1]));
}

static Value log1mexp(SpecialBuilder &e, ValueRange x) {
  Value minus = e.neg(x[0]);
  Value near = e.log(e.neg(e.expm1(minus))), far = e.log1p(e.neg(e.exp(minus)));
  return e.select(e.lt(x[0], e.f(0.6931471805599453)), near, far);
}

static Value logit(SpecialBuilder &e, ValueRange x) {
  Value rest = e.sub(e.f(1.0), x[0]);
  Value far = e.log(e.div(x[0], rest));
  // Near 1/2 the result is log1p(x / (1 - x) - 1), where 2 x - 1 is exact.
  Value near = e.log1p(e.div(e.sub(e.add(x[0], x[0]), e.f(1.0)), rest));
  Value isNear = e.both(e.gt(x[0], e.f(0.3)), e.lt(x[0], e.f(0.65)));
  return e.select(isNear, near, far);
}

static Value entr(SpecialBuilder &e, ValueRange x) {
  Value y = e.neg(e.mul(x[0], e.log(x[0])));
  y = e.select(e.eq(x[0], e.f(0.0)), e.f(0.0), y);
  return e.select(e.lt(x[0], e.f(0.0)), e.neg(e.inf()), y);
}

//===----------------------------------------------------------------------===//
// Gamma and beta functions
//===----------------------------------------------------------------------===//

static Value lgamma(SpecialBuilder &e, ValueRange x) {
  return lgammaOf(e, x[0]);
}
static Value digamma(SpecialBuilder &e, ValueRange x) {
  return digammaOf(e, x[0]);
}
static Value polygamma(SpecialBuilder &e, ValueRange x) {
  return polygammaOf(e, x[0], x[1]);
}
static Value zeta(SpecialBuilder &e, ValueRange x) {
  return zetaOf(e, x[0], x[1]);
}
static Value gammainc(SpecialBuilder &e, ValueRange x) {
  return incompleteGamma(e, x[0], x[1], false);
}
static Value gammaincc(SpecialBuilder &e, ValueRange x) {
  return incompleteGamma(e, x[0], x[1], true);
}
static Value betainc(SpecialBuilder &e, ValueRange x) {
  return incompleteBeta(e, x[0], x[1], x[2]);
}

//===----------------------------------------------------------------------===//
// Functions named by op definitions
//===----------------------------------------------------------------------===//

/// Computes in f64 and rounds to the type. For types narrower than f32, rounds
/// to f32 first.
static Value inDouble(OpBuilder &b, Location loc, ValueRange x, Type type,
                      Value (*function)(SpecialBuilder &, ValueRange)) {
  auto shaped = [&](Type element) -> Type {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? Type(vector.clone(element)) : element;
  };
  Type wide = shaped(b.getF64Type()), single = shaped(b.getF32Type());
  SpecialBuilder e(b, loc, wide);
  if (type == wide)
    return function(e, x);
  SmallVector<Value> operands;
  for (Value v : x) {
    if (type != single)
      v = arith::ExtFOp::create(b, loc, single, v);
    operands.push_back(arith::ExtFOp::create(b, loc, wide, v));
  }
  e.precision = 0x1p-36;
  Value y = function(e, operands);
  y = arith::TruncFOp::create(b, loc, single, y);
  return type == single ? y : arith::TruncFOp::create(b, loc, type, y);
}

#define TENSORC_DEFINE(name)                                                   \
  Value name##Float(OpBuilder &b, Location loc, Operation *, ValueRange x,     \
                    Type type) {                                               \
    return inDouble(b, loc, x, type, name);                                    \
  }
TENSORC_SPECIAL_FUNCTIONS(TENSORC_DEFINE)
#undef TENSORC_DEFINE

} // namespace tensorc::codegen
