//===- ExpandHyperbolic.cpp - sinh, cosh and the inverse functions --------===//
//
// With h = e^|x| / 2, which overflows only if the result does:
//   cosh(x) = h + 1 / (4 h)
//   sinh(x) = h - 1 / (4 h), or its series for |x| < 1
// The inverse functions are log1p of a term that is small if x is:
//   asinh(x) = log1p(x + x^2 / (1 + sqrt(1 + x^2)))
//   acosh(x) = log1p(t + sqrt(2 t + t^2)) with t = x - 1
//   atanh(x) = log1p(2 x / (1 - x)) / 2
// They are computed in f64 even for f32, so that the sum of their rounding
// errors stays below 1 ulp of f32.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/MathExpansions.h"

using namespace mlir;

namespace tensorc::codegen {

namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;

/// Returns e^a / 2 as 2^(a log2(e) - 1), with the product as a sum of two
/// floats.
Value halfExp(FloatBuilder &e, Value a) {
  double high = e.isDouble() ? kLog2E : double(float(kLog2E));
  double low = e.isDouble() ? kLog2ETail : kLog2E - double(float(kLog2E));
  // For a greater than the bound all results overflow. NaN stays NaN.
  Value bounded = e.atMost(a, e.isDouble() ? 720.0 : 100.0);
  Value product = e.mul(bounded, e.f(high));
  Value tail = e.fma(bounded, e.f(high), e.neg(product));
  tail = e.mulAdd(bounded, e.f(low), tail);
  return expandExp2WithTail(e, e.sub(product, e.f(1.0)), tail);
}

/// Computes `fn` in f64, even if x is f32.
template <typename Fn> Value inDouble(FloatBuilder &e, Value x, Fn fn) {
  if (e.isDouble())
    return fn(e, x);
  OpBuilder &b = e.getBuilder();
  FloatBuilder d(b, e.getLoc(), e.withElement(b.getF64Type()));
  Value wide = arith::ExtFOp::create(b, e.getLoc(), d.getType(), x);
  return arith::TruncFOp::create(b, e.getLoc(), e.getType(), fn(d, wide));
}

/// Returns log1p(small). If a is so large that its square might overflow and 1
/// is negligible, returns ln(2 a), with ln(a) as log1p(a - 1).
Value logOfSum(FloatBuilder &d, Value small, Value a) {
  Value isLarge = d.gt(a, d.f(0x1p30));
  Value argument = d.select(isLarge, d.sub(a, d.f(1.0)), small);
  Value log = expandLog1p(d, argument);
  return d.select(isLarge, d.add(log, d.f(kLn2)), log);
}

} // namespace

Value expandSinh(FloatBuilder &e, Value x) {
  Value a = e.abs(x), z = e.mul(x, x);
  Value p =
      e.isDouble()
          ? e.poly(z, {1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880,
                       1.0 / 39916800, 1.0 / 6227020800, 1.0 / 1307674368000,
                       1.0 / 355687428096000, 1.0 / 121645100408832000})
          : e.poly(z, {1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880,
                       1.0 / 39916800});
  Value small = e.mulAdd(e.mul(a, z), p, a);
  Value h = halfExp(e, a);
  Value large = e.sub(h, e.div(e.f(0.25), h));
  return e.copysign(e.select(e.lt(a, e.f(1.0)), small, large), x);
}

Value expandCosh(FloatBuilder &e, Value x) {
  Value h = halfExp(e, e.abs(x));
  return e.add(h, e.div(e.f(0.25), h));
}

Value expandAsinh(FloatBuilder &e, Value x) {
  return inDouble(e, x, [](FloatBuilder &d, Value x) {
    Value a = d.abs(x), z = d.mul(a, a), one = d.f(1.0);
    Value root = d.sqrt(d.add(one, z));
    Value small = d.add(a, d.div(z, d.add(one, root)));
    return d.copysign(logOfSum(d, small, a), x);
  });
}

Value expandAcosh(FloatBuilder &e, Value x) {
  return inDouble(e, x, [](FloatBuilder &d, Value x) {
    Value t = d.sub(x, d.f(1.0));
    Value small = d.add(t, d.sqrt(d.mulAdd(t, t, d.add(t, t))));
    return d.select(d.lt(x, d.f(1.0)), d.nan(), logOfSum(d, small, x));
  });
}

Value expandAtanh(FloatBuilder &e, Value x) {
  return inDouble(e, x, [](FloatBuilder &d, Value x) {
    Value a = d.abs(x);
    Value ratio = d.div(d.add(a, a), d.sub(d.f(1.0), a));
    Value y = d.mul(expandLog1p(d, ratio), d.f(0.5));
    return d.copysign(y, x);
  });
}

} // namespace tensorc::codegen
