//===- ExpandTrig.cpp - sin, cos and tan ----------------------------------===//
//
// |x| = n pi/2 + r with |r| <= pi/4. For |x| up to 2^20, n pi/2 is subtracted
// in three parts (Cody and Waite), in the type of the function. For larger |x|,
// in a branch that is taken if any lane needs it, x 2/pi modulo 4 is summed in
// f64 from exact products of x and pieces of 2/pi with 53 bits (the idea of
// Payne and Hanek). The polynomials are from fit/fit_polynomials.py. The f64
// corrections for the tail of r are those of fdlibm's k_sin.c and k_cos.c.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/MathExpansions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tensorc::codegen {

namespace {

constexpr double kHalfPi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                              -0x1.f1976b7ed8fbcp-110};
/// pi/2 as a sum of three f32.
constexpr double kHalfPiSingle[] = {0x1.921fb6p+0, -0x1.777a5cp-25,
                                    -0x1.ee59dap-50};

/// 2/pi as a sum of f64, scaled by 2^200 because the last one would be
/// subnormal.
constexpr double kTwoOverPi[] = {
    0x1.45f306dc9c882p+199, 0x1.4a7f09d5f47d4p+146, 0x1.a6ee06db14accp+93,
    0x1.3c439041fe516p+40,  0x1.d5ef5de2b0db9p-15,  0x1.1b8e909374b80p-70,
    0x1.924bba8274648p-126, 0x1.cfe1deb1cb129p-180, 0x1.4e7dd1046bea5p-233,
    0x1.aed1213a671c0p-286, 0x1.35a2fbf209cc8p-339, 0x1.d639835339f49p-392,
    0x1.908bf177bf250p-445, 0x1.d8ffc4bffef02p-499, 0x1.980fef2f118b5p-552,
    0x1.414da3eda6cfdp-605, 0x1.3c9f2c26dd3d1p-658, 0x1.1fb34f2ff516bp-711,
    0x1.527bac7ebe5f1p-764, 0x1.ecf41ce7de294p-818, 0x1.497535fdafd88p-871,
    0x1.f8d5d08560330p-924};
constexpr double kPieceScale = 0x1p-200;

constexpr double kLargest = 0x1p20;

struct ReducedAngle {
  Value shifted; // n + 1.5 * 2^52: n in the low bits
  Value r, tail;
};

ReducedAngle reduceSmall(FloatBuilder &d, Value a) {
  Value magic = d.f(d.roundingMagic());
  Value shifted = d.mulAdd(a, d.f(0x1.45f306dc9c883p-1), magic);
  Value n = d.sub(shifted, magic);
  Value minusN = d.neg(n);
  Value first = d.fma(minusN, d.f(kHalfPi[0]), a); // exact
  auto second = d.twoProduct(minusN, d.f(kHalfPi[1]));
  auto r = d.twoSum(first, second.hi);
  Value tail = d.add(r.lo, second.lo);
  tail = d.fma(minusN, d.f(kHalfPi[2]), tail);
  r = d.fastTwoSum(r.hi, tail);
  return {shifted, r.hi, r.lo};
}

/// Returns the exact value of x modulo 4, in [-2, 2].
Value modulo4(FloatBuilder &d, Value x) {
  Value quarter = d.mul(x, d.f(0.25));
  Value n = math::RoundEvenOp::create(d.getBuilder(), d.getLoc(), quarter);
  return d.fma(n, d.f(-4.0), x);
}

Value splat(FloatBuilder &d, Value scalar) {
  if (!isa<VectorType>(d.getType()))
    return scalar;
  return vector::BroadcastOp::create(d.getBuilder(), d.getLoc(), d.getType(),
                                     scalar);
}

/// Returns `a` * 2/pi modulo 4 as an unevaluated sum of two floats.
FloatBuilder::Pair sumPieces(FloatBuilder &d, Value a) {
  OpBuilder &b = d.getBuilder();
  Location loc = d.getLoc();
  Value scaled = d.mul(a, d.f(kPieceScale));
  auto pieces = VectorType::get(std::size(kTwoOverPi), b.getF64Type());
  Value table = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(pieces, ArrayRef(kTwoOverPi)));
  Value begin = arith::ConstantIndexOp::create(b, loc, 0);
  Value end = arith::ConstantIndexOp::create(b, loc, std::size(kTwoOverPi));
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, begin, end, one,
                                 ValueRange{d.f(0.0), d.f(0.0)});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value piece =
      vector::ExtractOp::create(b, loc, table, loop.getInductionVar());
  auto product = d.twoProduct(scaled, splat(d, piece));
  auto sum = d.twoSum(loop.getRegionIterArg(0), modulo4(d, product.hi));
  Value low = d.add(loop.getRegionIterArg(1), sum.lo);
  sum = d.twoSum(sum.hi, modulo4(d, product.lo));
  low = d.add(low, sum.lo);
  scf::YieldOp::create(b, loc, ValueRange{sum.hi, low});
  return {loop.getResult(0), loop.getResult(1)};
}

ReducedAngle reduceLarge(FloatBuilder &d, Value a) {
  auto quarterTurns = sumPieces(d, a);
  Value magic = d.f(d.roundingMagic());
  Value shifted = d.add(quarterTurns.hi, magic);
  Value fraction = d.sub(quarterTurns.hi, d.sub(shifted, magic));
  auto f = d.fastTwoSum(fraction, quarterTurns.lo);
  auto r = d.twoProduct(f.hi, d.f(kHalfPi[0]));
  Value tail = d.fma(f.hi, d.f(kHalfPi[1]), r.lo);
  tail = d.fma(f.lo, d.f(kHalfPi[0]), tail);
  r = d.fastTwoSum(r.hi, tail);
  return {shifted, r.hi, r.lo};
}

/// Reduces a small f32. The first difference is exact, the second one rounds
/// once, and the third part of pi/2 only contributes to the tail. A second
/// rounding would exceed an error of 2 ulp.
ReducedAngle reduceSmallSingle(FloatBuilder &e, Value a) {
  Value magic = e.f(e.roundingMagic());
  Value shifted = e.mulAdd(a, e.f(0x1.45f306p-1), magic);
  Value minusN = e.neg(e.sub(shifted, magic));
  Value r = e.fma(minusN, e.f(kHalfPiSingle[0]), a);
  r = e.fma(minusN, e.f(kHalfPiSingle[1]), r);
  return {shifted, r, e.mul(minusN, e.f(kHalfPiSingle[2]))};
}

/// Reduces a large f32 in f64. The low bits of `shifted` hold the rounded n.
ReducedAngle reduceLargeSingle(FloatBuilder &e, Value a) {
  OpBuilder &b = e.getBuilder();
  Location loc = e.getLoc();
  FloatBuilder d(b, loc, e.withElement(b.getF64Type()));
  ReducedAngle wide =
      reduceLarge(d, arith::ExtFOp::create(b, loc, d.getType(), a));
  Value n = arith::TruncIOp::create(b, loc, e.withElement(b.getI32Type()),
                                    d.bits(wide.shifted));
  Value r = arith::TruncFOp::create(b, loc, e.getType(), wide.r);
  return {e.fromBits(n), r, e.f(0.0)};
}

ReducedAngle reduce(FloatBuilder &e, Value a) {
  OpBuilder &b = e.getBuilder();
  Location loc = e.getLoc();
  ReducedAngle small =
      e.isDouble() ? reduceSmall(e, a) : reduceSmallSingle(e, a);
  Value isLarge = e.ge(a, e.f(kLargest));
  Value any = isLarge;
  if (isa<VectorType>(e.getType()))
    any =
        vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, isLarge);
  auto branch = scf::IfOp::create(
      b, loc, TypeRange{e.getType(), e.getType(), e.getType()}, any,
      /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  ReducedAngle large =
      e.isDouble() ? reduceLarge(e, a) : reduceLargeSingle(e, a);
  scf::YieldOp::create(
      b, loc,
      ValueRange{e.select(isLarge, large.shifted, small.shifted),
                 e.select(isLarge, large.r, small.r),
                 e.select(isLarge, large.tail, small.tail)});
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, ValueRange{small.shifted, small.r, small.tail});
  return {branch.getResult(0), branch.getResult(1), branch.getResult(2)};
}

/// sin(r), cos(r), and n as an integer of the float's width.
struct Parts {
  Value sin, cos, n;
  /// The rounding errors of sin and cos. Set only in f64.
  Value sinLow, cosLow;
};

Parts evaluateDouble(FloatBuilder &e, const ReducedAngle &x) {
  Value z = e.mul(x.r, x.r), half = e.mul(z, e.f(0.5));
  Value one = e.f(1.0), whole = e.sub(one, half);
  Value p = e.poly(z, {-0.16666666666666666, 0.008333333333333038,
                       -0.0001984126984095589, 2.7557319069626835e-06,
                       -2.505206961423966e-08, 1.6054128790727374e-10,
                       -7.379816084521472e-13});
  Value q = e.poly(z, {0.041666666666666664, -0.0013888888888888376,
                       2.4801587301161627e-05, -2.7557319050138035e-07,
                       2.0876719269530196e-09, -1.1466521607727741e-11,
                       4.5763996656545984e-14});
  Value sinTail = e.mulAdd(e.mul(x.r, z), p, e.mul(x.tail, whole));
  Value cosTail = e.mulAdd(e.mul(z, z), q, e.neg(e.mul(x.r, x.tail)));
  cosTail = e.add(e.sub(e.sub(one, whole), half), cosTail);
  auto sin = e.fastTwoSum(x.r, sinTail), cos = e.fastTwoSum(whole, cosTail);
  return {sin.hi, cos.hi, e.bits(x.shifted), sin.lo, cos.lo};
}

/// Returns sin(r) and cos(r) with the precision of f32, computed in the type of
/// `e`.
FloatBuilder::Pair evaluateShort(FloatBuilder &e, const ReducedAngle &x) {
  Value r = x.r, z = e.mul(r, r);
  Value p = e.poly(z, {-0.1666666716337204, 0.008333380334079266,
                       -0.00019853509729728103, 2.837479769368656e-06});
  Value sinTail = e.mulAdd(e.mul(r, z), p, x.tail);
  Value cos = e.poly(z, {1.0, -0.5, 0.04166664555668831, -0.00138873013202101,
                         2.4430697521893308e-05});
  return {e.add(r, sinTail), cos};
}

/// Reduces |x|, and returns sin and cos of r.
Parts evaluate(FloatBuilder &e, Value x) {
  ReducedAngle reduced = reduce(e, e.abs(x));
  if (e.isDouble())
    return evaluateDouble(e, reduced);
  auto [sin, cos] = evaluateShort(e, reduced);
  return {sin, cos, e.bits(reduced.shifted), {}, {}};
}

Value isOdd(FloatBuilder &e, Value n) {
  return e.icmp(arith::CmpIPredicate::ne, e.iand(n, e.i(1)), e.i(0));
}

/// Returns x, negated if bit 1 of n is set.
Value flipByQuadrant(FloatBuilder &e, Value x, Value n) {
  Value sign = e.shl(e.iand(n, e.i(2)), e.isDouble() ? 62 : 30);
  return e.fromBits(e.ixor(e.bits(x), sign));
}

/// Returns y, negated if x is negative. Used for odd functions.
Value withSignOf(FloatBuilder &e, Value y, Value x) {
  Value sign = e.iand(e.bits(x), e.i(INT64_MIN >> (e.isDouble() ? 0 : 32)));
  return e.fromBits(e.ixor(e.bits(y), sign));
}

} // namespace

Value expandSin(FloatBuilder &e, Value x) {
  Parts parts = evaluate(e, x);
  Value y = e.select(isOdd(e, parts.n), parts.cos, parts.sin);
  return withSignOf(e, flipByQuadrant(e, y, parts.n), x);
}

Value expandCos(FloatBuilder &e, Value x) {
  Parts parts = evaluate(e, x);
  Value y = e.select(isOdd(e, parts.n), parts.sin, parts.cos);
  return flipByQuadrant(e, y, e.iadd(parts.n, e.i(1)));
}

/// Returns sin / cos or -cos / sin, depending on the quadrant.
static Value tangent(FloatBuilder &e, const Parts &parts) {
  Value odd = isOdd(e, parts.n);
  Value above = e.select(odd, e.neg(parts.cos), parts.sin);
  Value below = e.select(odd, parts.sin, parts.cos);
  if (!parts.sinLow)
    return e.div(above, below);
  // The quotient of two rounded values would exceed an error of 2 ulp. So the
  // rounding errors of both values and of the quotient are taken into account.
  Value aboveLow = e.select(odd, e.neg(parts.cosLow), parts.sinLow);
  Value belowLow = e.select(odd, parts.sinLow, parts.cosLow);
  Value inverse = e.div(e.f(1.0), below);
  Value quotient = e.mul(above, inverse);
  Value rest = e.fma(e.neg(quotient), below, above);
  rest = e.add(rest, e.mulAdd(e.neg(quotient), belowLow, aboveLow));
  return e.mulAdd(rest, inverse, quotient);
}

Value expandTan(FloatBuilder &e, Value x) {
  if (e.isDouble())
    return withSignOf(e, tangent(e, evaluate(e, x)), x);
  // f32 is computed in f64, where sin and cos with the precision of f32 are
  // accurate enough for the quotient.
  OpBuilder &b = e.getBuilder();
  FloatBuilder d(b, e.getLoc(), e.withElement(b.getF64Type()));
  Value wide = arith::ExtFOp::create(b, e.getLoc(), d.getType(), e.abs(x));
  ReducedAngle reduced = reduce(d, wide);
  auto [sin, cos] = evaluateShort(d, {reduced.shifted, reduced.r, d.f(0.0)});
  Value y = tangent(d, {sin, cos, d.bits(reduced.shifted), {}, {}});
  y = arith::TruncFOp::create(b, e.getLoc(), e.getType(), y);
  return withSignOf(e, y, x);
}

} // namespace tensorc::codegen
