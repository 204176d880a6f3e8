//===- ExpandCbrt.cpp - Cube roots ----------------------------------------===//
//
// x = m 2^(3k) with m in [1/2, 4). A polynomial approximates the root of m with
// an error of at most 7e-4 (least squares, reweighted until errors were equal).
// Halley's steps t <- t (t^3 + 2 m) / (2 t^3 + m) each cube the error. A final
// Newton step uses the residual t^3 - m, which exact products give.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/MathExpansions.h"

using namespace mlir;

namespace tensorc::codegen {

namespace {

Value halley(FloatBuilder &e, Value t, Value m) {
  Value cube = e.mul(e.mul(t, t), t);
  Value above = e.add(cube, e.add(m, m));
  Value below = e.add(e.add(cube, cube), m);
  return e.mul(t, e.div(above, below));
}

Value newton(FloatBuilder &e, Value t, Value m) {
  auto square = e.twoProduct(t, t);
  auto cube = e.twoProduct(square.hi, t);
  Value tail = e.mulAdd(square.lo, t, cube.lo);
  Value residual = e.add(e.sub(cube.hi, m), tail);
  return e.sub(t, e.div(residual, e.mul(e.f(3.0), square.hi)));
}

} // namespace

Value expandCbrt(FloatBuilder &e, Value x) {
  int mantissa = e.mantissaBits();
  // Subnormal numbers are scaled by a power of two whose exponent is a multiple
  // of 3.
  int lift = e.isDouble() ? 54 : 24;
  Value a = e.abs(x);
  Value tiny = e.lt(a, e.f(e.minNormal()));
  Value scale = e.select(tiny, e.f(e.isDouble() ? 0x1p54 : 0x1p24), e.f(1.0));
  Value bits = e.bits(e.mul(a, scale));
  Value exponent = e.isub(e.lshr(bits, mantissa), e.i(e.exponentBias()));
  Value magic = e.f(e.roundingMagic());
  Value third = e.mulAdd(e.toFloat(exponent), e.f(1.0 / 3), magic);
  Value k = e.toInt(e.sub(third, magic));
  Value threeK = e.iadd(e.iadd(k, k), k);
  Value m = e.fromBits(e.isub(bits, e.shl(threeK, mantissa)));

  Value t = e.poly(
      m, {0.465987, 0.8352456, -0.4271387, 0.15357, -0.02931621, 0.002238514});
  t = halley(e, t, m);
  if (e.isDouble())
    t = halley(e, t, m);
  t = newton(e, t, m);

  k = e.isub(k, e.select(tiny, e.i(lift / 3), e.i(0)));
  Value root = e.fromBits(e.iadd(e.bits(t), e.shl(k, mantissa)));
  // Zero, infinity and NaN are returned unchanged.
  Value regular = e.both(e.gt(a, e.f(0.0)), e.lt(a, e.inf()));
  return e.select(regular, e.copysign(root, x), x);
}

} // namespace tensorc::codegen
