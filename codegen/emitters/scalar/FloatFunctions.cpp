//===- FloatFunctions.cpp - Float ops that expand to several arith ops ----===//

#include "codegen/emitters/scalar/FloatFunctions.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/lowering/math/MathExpansions.h"
#include "codegen/lowering/math/SafeArith.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

using namespace mlir;

namespace tensorc::codegen {

/// Calls `fn` on the operands converted to the wider float type `element`, and
/// rounds the result to `type`.
template <typename Fn>
static Value widened(OpBuilder &b, Location loc, ValueRange x, Type type,
                     Type element, Fn fn) {
  Type wide = element;
  if (auto vector = dyn_cast<VectorType>(type))
    wide = vector.clone(element);
  FloatBuilder e(b, loc, wide);
  if (wide == type)
    return fn(e, x);
  SmallVector<Value> operands;
  for (Value v : x)
    operands.push_back(arith::ExtFOp::create(b, loc, wide, v));
  return arith::TruncFOp::create(b, loc, type, fn(e, ValueRange(operands)));
}

/// Calls `fn` on f16 and bf16 operands in f32, and on other operands in their
/// own type.
template <typename Fn>
static Value atLeastSingle(OpBuilder &b, Location loc, ValueRange x, Type type,
                           Fn fn) {
  Type element = getElementTypeOrSelf(type);
  if (element.getIntOrFloatBitWidth() < 32)
    element = b.getF32Type();
  return widened(b, loc, x, type, element, fn);
}

Value signFloat(OpBuilder &b, Location loc, Operation *, ValueRange x,
                Type type) {
  return atLeastSingle(b, loc, x, type, [](FloatBuilder &e, ValueRange x) {
    Value isNumber = e.gt(e.abs(x[0]), e.f(0.0)); // false for zeros and NaN
    return e.select(isNumber, e.copysign(e.f(1.0), x[0]), x[0]);
  });
}

/// Returns two remainders of x / y: one with the sign of y (as in Python) and
/// one with the sign of x (as in C).
static std::pair<Value, Value> remainders(FloatBuilder &e, Value x, Value y) {
  Value rem = arith::RemFOp::create(e.getBuilder(), e.getLoc(), x, y);
  Value zero = e.f(0.0);
  Value differ =
      e.lt(e.mul(e.copysign(e.f(1.0), rem), e.copysign(e.f(1.0), y)), zero);
  Value isZero = e.eq(rem, zero);
  Value moved = e.select(differ, e.add(rem, y), rem);
  return {e.select(isZero, e.copysign(zero, y), moved), rem};
}

Value modFloat(OpBuilder &b, Location loc, Operation *, ValueRange x,
               Type type) {
  return atLeastSingle(b, loc, x, type, [](FloatBuilder &e, ValueRange x) {
    return remainders(e, x[0], x[1]).first;
  });
}

/// Emits NumPy's floor_divide. x minus the remainder is a multiple of y up to
/// rounding, so the quotient of the two is close to an integer and is rounded
/// to it.
Value floorDivFloat(OpBuilder &b, Location loc, Operation *, ValueRange x,
                    Type type) {
  return atLeastSingle(b, loc, x, type, [&](FloatBuilder &e, ValueRange x) {
    Value zero = e.f(0.0), quotient = e.div(x[0], x[1]);
    auto [mod, rem] = remainders(e, x[0], x[1]);
    Value whole = e.div(e.sub(x[0], rem), x[1]);
    Value moved = e.either(e.lt(mod, rem), e.gt(mod, rem));
    whole = e.select(moved, e.sub(whole, e.f(1.0)), whole);
    Value down = math::FloorOp::create(b, loc, whole);
    Value up = e.add(down, e.f(1.0));
    Value near = e.select(e.gt(e.sub(whole, down), e.f(0.5)), up, down);
    near = e.select(e.eq(whole, zero), e.copysign(zero, quotient), near);
    return e.select(e.eq(x[1], zero), quotient, near);
  });
}

/// Returns hypot of f64: the square root of the sum of squares, corrected by
/// its residual, which exact products give (Borges, arXiv 1904.09481).
static Value hypotDouble(FloatBuilder &e, Value x, Value y) {
  Value a = e.abs(x), b = e.abs(y);
  Value swap = e.lt(a, b);
  Value large = e.select(swap, b, a), small = e.select(swap, a, b);
  // x and y are scaled so that neither the squares nor their residuals leave
  // the normal range.
  Value isHuge = e.gt(large, e.f(0x1p500)), isTiny = e.lt(large, e.f(0x1p-450));
  auto scale = [&](double huge, double tiny) {
    return e.select(isHuge, e.f(huge), e.select(isTiny, e.f(tiny), e.f(1.0)));
  };
  Value down = scale(0x1p-600, 0x1p600), up = scale(0x1p600, 0x1p-600);
  Value p = e.mul(large, down), q = e.mul(small, down);
  Value h = e.sqrt(e.fma(p, p, e.mul(q, q)));
  Value hh = e.mul(h, h), pp = e.mul(p, p);
  Value error =
      e.sub(e.add(e.fma(e.neg(q), q, e.sub(hh, pp)), e.fma(h, h, e.neg(hh))),
            e.fma(p, p, e.neg(pp)));
  Value refined = e.sub(h, e.div(error, e.add(h, h)));
  Value regular = e.both(e.gt(h, e.f(0.0)), e.lt(h, e.inf()));
  Value result = e.mul(e.select(regular, refined, h), up);
  Value infinite = e.either(e.eq(a, e.inf()), e.eq(b, e.inf()));
  return e.select(infinite, e.inf(), result);
}

/// Returns hypot of f32 without f64, which has half as many lanes per register.
static Value hypotSingle(FloatBuilder &e, Value x, Value y) {
  Value a = e.abs(x), b = e.abs(y);
  Value large = e.select(e.lt(a, b), b, a);
  // x and y are scaled so that no square leaves the normal range unless it is
  // negligible.
  Value isHuge = e.gt(large, e.f(0x1p60)), isTiny = e.lt(large, e.f(0x1p-40));
  auto scale = [&](double huge, double tiny) {
    return e.select(isHuge, e.f(huge), e.select(isTiny, e.f(tiny), e.f(1.0)));
  };
  Value down = scale(0x1p-80, 0x1p100), up = scale(0x1p80, 0x1p-100);
  Value p = e.mul(a, down), q = e.mul(b, down);
  Value h = e.sqrt(e.add(e.mul(p, p), e.mul(q, q)));
  Value infinite = e.either(e.eq(a, e.inf()), e.eq(b, e.inf()));
  return e.select(infinite, e.inf(), e.mul(h, up));
}

Value hypotFloat(OpBuilder &b, Location loc, Operation *, ValueRange x,
                 Type type) {
  return atLeastSingle(b, loc, x, type, [&](FloatBuilder &e, ValueRange x) {
    return getElementTypeOrSelf(x[0].getType()).isF64()
               ? hypotDouble(e, x[0], x[1])
               : hypotSingle(e, x[0], x[1]);
  });
}

/// Computes log(e^x + e^y). f32 is computed in f64, because the sum below
/// cancels if its two terms are nearly opposite.
Value logAddExpFloat(OpBuilder &b, Location loc, Operation *, ValueRange x,
                     Type type) {
  return widened(b, loc, x, type, b.getF64Type(),
                 [&](FloatBuilder &e, ValueRange x) {
                   Value larger = arith::MaximumFOp::create(b, loc, x[0], x[1]);
                   Value distance = e.abs(e.sub(x[0], x[1]));
                   // The difference of equal infinities is NaN, but their
                   // distance is 0.
                   distance = e.select(e.eq(x[0], x[1]), e.f(0.0), distance);
                   Value small = math::ExpOp::create(b, loc, e.neg(distance));
                   return e.add(larger, math::Log1pOp::create(b, loc, small));
                 });
}

Value sigmoidFloat(OpBuilder &b, Location loc, Operation *, ValueRange x,
                   Type type) {
  return atLeastSingle(b, loc, x, type, [](FloatBuilder &e, ValueRange x) {
    return expandSigmoid(e, x[0]);
  });
}

Value nextAfterFloat(OpBuilder &b, Location loc, Operation *, ValueRange x,
                     Type type) {
  using Predicate = arith::CmpFPredicate;
  Type element = getElementTypeOrSelf(type);
  Type integers =
      shapedLike(b.getIntegerType(element.getIntOrFloatBitWidth()), type);
  auto compare = [&](Predicate predicate, Value p, Value q) -> Value {
    return arith::CmpFOp::create(b, loc, predicate, p, q);
  };
  auto bitsOf = [&](Value v) -> Value {
    return arith::BitcastOp::create(b, loc, integers, v);
  };
  auto floatOf = [&](Value v) -> Value {
    return arith::BitcastOp::create(b, loc, type, v);
  };
  auto select = [&](Value condition, Value p, Value q) -> Value {
    return arith::SelectOp::create(b, loc, condition, p, q);
  };
  Value zero = constantOf(b, loc, type, 0.0);
  Value one = constantOf(b, loc, integers, 1);
  Value minusOne = constantOf(b, loc, integers, -1);
  Value isTowardZero =
      arith::XOrIOp::create(b, loc, compare(Predicate::OGT, x[1], x[0]),
                            compare(Predicate::OGT, x[0], zero));
  Value step = select(isTowardZero, minusOne, one);
  Value moved = floatOf(arith::AddIOp::create(b, loc, bitsOf(x[0]), step));
  // The float after either zero is the smallest subnormal number with the sign
  // of y.
  Value tiny = math::CopySignOp::create(b, loc, floatOf(one), x[1]);
  moved = select(compare(Predicate::OEQ, x[0], zero), tiny, moved);
  moved = select(compare(Predicate::OEQ, x[0], x[1]), x[1], moved);
  Value nan =
      constantOf(b, loc, type, std::numeric_limits<double>::quiet_NaN());
  return select(compare(Predicate::UNO, x[0], x[1]), nan, moved);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// True if a quotient that was rounded toward zero is greater than the exact
/// one.
static Value isAbove(OpBuilder &b, Location loc, Value rem, Value y,
                     Value zero) {
  using Predicate = arith::CmpIPredicate;
  Value inexact = arith::CmpIOp::create(b, loc, Predicate::ne, rem, zero);
  Value signs = arith::XOrIOp::create(b, loc, rem, y);
  Value differ = arith::CmpIOp::create(b, loc, Predicate::slt, signs, zero);
  return arith::AndIOp::create(b, loc, inexact, differ);
}

Value floorDivSigned(OpBuilder &b, Location loc, Operation *, ValueRange x,
                     Type type) {
  Value zero = constantOf(b, loc, type, 0);
  Value quotient = safeDivSigned(b, loc, x[0], x[1]);
  Value product = arith::MulIOp::create(b, loc, quotient, x[1]);
  Value rem = arith::SubIOp::create(b, loc, x[0], product);
  // A quotient by 0 is defined as 0 (SafeArith.h), so it is not corrected.
  Value some =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x[1], zero);
  Value above =
      arith::AndIOp::create(b, loc, some, isAbove(b, loc, rem, x[1], zero));
  Value less =
      arith::SubIOp::create(b, loc, quotient, constantOf(b, loc, type, 1));
  return arith::SelectOp::create(b, loc, above, less, quotient);
}

Value modSigned(OpBuilder &b, Location loc, Operation *, ValueRange x,
                Type type) {
  Value zero = constantOf(b, loc, type, 0);
  Value rem = safeRemSigned(b, loc, x[0], x[1]);
  Value moved = arith::AddIOp::create(b, loc, rem, x[1]);
  return arith::SelectOp::create(b, loc, isAbove(b, loc, rem, x[1], zero),
                                 moved, rem);
}

} // namespace tensorc::codegen
