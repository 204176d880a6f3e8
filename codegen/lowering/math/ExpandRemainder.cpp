//===- ExpandRemainder.cpp - fmod and round -------------------------------===//
//
// fmod by long division. Each step computes as many bits of the quotient as an
// FMA can subtract exactly, so a quotient near 1 takes one step.
//
//   while (any lane: |r| >= |y|) { t = |y| * 2^k; r -= trunc(r / t) * t; }
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/MathExpansions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tensorc::codegen {

namespace {

/// Returns an i1 that is true if `condition` holds in any lane.
Value any(FloatBuilder &e, Value condition) {
  if (!isa<VectorType>(condition.getType()))
    return condition;
  return vector::ReductionOp::create(e.getBuilder(), e.getLoc(),
                                     vector::CombiningKind::OR, condition);
}

/// Emits one step, r - trunc(r / t) * t with t = y * 2^k, where k is such that
/// the quotient has at most mantissaBits - 2 bits. The rounded quotient may be
/// too large by one. Then the remainder is negative and is corrected.
Value reduceOnce(FloatBuilder &e, Value r, Value y) {
  int m = e.mantissaBits();
  Value exponentMask = e.i(((int64_t(1) << (e.isDouble() ? 11 : 8)) - 1) << m);
  Value gap =
      e.isub(e.iand(e.bits(r), exponentMask), e.iand(e.bits(y), exponentMask));
  Value k = e.isub(gap, e.i(int64_t(m - 2) << m));
  Value positive = e.icmp(arith::CmpIPredicate::sgt, k, e.i(0));
  k = e.select(positive, k, e.i(0));
  Value t = e.fromBits(e.iadd(e.bits(y), k));
  Value q = e.trunc(e.div(r, t));
  Value next = e.fma(e.neg(q), t, r);
  return e.select(e.lt(next, e.f(0.0)), e.add(next, t), next);
}

/// Returns |x| mod |y| for finite normal operands with y > 0.
Value divideLong(FloatBuilder &e, Value x, Value y) {
  OpBuilder &b = e.getBuilder();
  auto loop = scf::WhileOp::create(
      b, e.getLoc(), TypeRange{e.getType()}, ValueRange{x},
      [&](OpBuilder &, Location loc, ValueRange args) {
        Value more = any(e, e.ge(args[0], y));
        scf::ConditionOp::create(b, loc, more, args);
      },
      [&](OpBuilder &, Location loc, ValueRange args) {
        Value next = reduceOnce(e, args[0], y);
        // Lanes that have finished keep their remainder.
        Value r = e.select(e.ge(args[0], y), next, args[0]);
        scf::YieldOp::create(b, loc, r);
      });
  return loop.getResult(0);
}

} // namespace

Value expandRemF(FloatBuilder &e, Value x, Value y) {
  Value a = e.abs(x), d = e.abs(y), zero = e.f(0.0), one = e.f(1.0);
  Value regular = e.both(e.lt(a, e.inf()), e.gt(d, zero));
  // If the divisor is tiny, both operands are scaled up, because exponents are
  // computed from the bits. A large dividend is first reduced by a multiple of
  // the divisor, so that scaling does not overflow.
  Value tiny = e.lt(d, e.f(e.minNormal()));
  Value up = e.select(tiny, e.f(e.isDouble() ? 0x1p54 : 0x1p25), one);
  Value down = e.select(tiny, e.f(e.isDouble() ? 0x1p-54 : 0x1p-25), one);
  Value divisor = e.select(regular, d, one);
  Value dividend = e.select(regular, a, zero);
  // Any multiple of the divisor is suitable for this first reduction. 2^j d is
  // used, which is a normal number.
  Value coarse =
      e.mul(divisor, e.select(tiny, e.f(e.isDouble() ? 0x1p60 : 0x1p30), one));
  Value start = divideLong(e, dividend, coarse);
  Value r = divideLong(e, e.mul(start, up), e.mul(divisor, up));
  r = e.mul(r, down);
  // x mod inf is x. The result is NaN if x is infinite, y is 0, or either is
  // NaN.
  r = e.select(regular, r, e.nan());
  r = e.select(e.either(e.isNaN(x), e.isNaN(y)), e.nan(), r);
  return e.copysign(r, x);
}

Value expandRound(FloatBuilder &e, Value x) {
  // Rounds half away from zero. x - trunc(x) is exact. NaN and infinities are
  // returned unchanged.
  Value whole = e.trunc(x);
  Value away = e.ge(e.abs(e.sub(x, whole)), e.f(0.5));
  Value step = e.select(away, e.copysign(e.f(1.0), x), e.copysign(e.f(0.0), x));
  return e.add(whole, step);
}

} // namespace tensorc::codegen
