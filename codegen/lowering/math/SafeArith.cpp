//===- SafeArith.cpp - Arithmetic without undefined results ---------------===//

#include "codegen/lowering/math/SafeArith.h"
#include "codegen/lowering/NarrowFloats.h"
#include "codegen/lowering/math/FloatBuilder.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace tensorc::codegen {

namespace {

unsigned getWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

/// Emits integer ops on one type.
struct IntBuilder {
  OpBuilder &b;
  Location loc;
  Type type;

  Value constant(const APInt &value) {
    Type element = getElementTypeOrSelf(type);
    TypedAttr attr = b.getIntegerAttr(element, value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, attr);
    return arith::ConstantOp::create(b, loc, attr);
  }
  Value constant(int64_t value) {
    return constant(APInt(getWidth(type), value, /*isSigned=*/true,
                          /*implicitTrunc=*/true));
  }
  Value compare(CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
};

/// Returns x / y for a y that is not 0 (nor -1 if signed). Vectors of up to 32
/// bits are divided as floats with more than twice the bits, which is exact.
/// CPUs and GPUs have no vector instruction for integer division, and would
/// divide lane by lane.
Value divide(IntBuilder &e, Value x, Value y, bool isSigned) {
  unsigned width = getWidth(e.type);
  if (!isa<VectorType>(e.type) || width > 32) {
    if (isSigned)
      return arith::DivSIOp::create(e.b, e.loc, x, y);
    return arith::DivUIOp::create(e.b, e.loc, x, y);
  }
  Type element = width > 16 ? Type(e.b.getF64Type()) : e.b.getF32Type();
  Type floats = withElement(e.type, element);
  auto toFloat = [&](Value v) -> Value {
    if (isSigned)
      return arith::SIToFPOp::create(e.b, e.loc, floats, v);
    return arith::UIToFPOp::create(e.b, e.loc, floats, v);
  };
  Value quotient = arith::DivFOp::create(e.b, e.loc, toFloat(x), toFloat(y));
  if (isSigned)
    return arith::FPToSIOp::create(e.b, e.loc, e.type, quotient);
  return arith::FPToUIOp::create(e.b, e.loc, e.type, quotient);
}

/// Returns `shifted` in lanes where `amount` is less than the width, and
/// `otherwise` elsewhere.
Value withinWidth(IntBuilder &e, Value amount, Value shifted, Value otherwise) {
  Value width = e.constant(getWidth(e.type));
  Value fits = e.compare(CmpIPredicate::ult, amount, width);
  return e.select(fits, shifted, otherwise);
}

/// The range of an integer type. As floats, `low` and `end` are its bounds:
/// floats below `low`, and floats of at least `end`, truncate to integers out
/// of range.
struct Range {
  double low, end;
  APInt min, max;
};

Range getRange(unsigned width, bool isSigned) {
  if (isSigned)
    return {-std::ldexp(1.0, width - 1), std::ldexp(1.0, width - 1),
            APInt::getSignedMinValue(width), APInt::getSignedMaxValue(width)};
  return {0.0, std::ldexp(1.0, width), APInt(width, 0),
          APInt::getMaxValue(width)};
}

Value toInteger(IntBuilder &e, Value x, bool isSigned) {
  if (isSigned)
    return arith::FPToSIOp::create(e.b, e.loc, e.type, x);
  return arith::FPToUIOp::create(e.b, e.loc, e.type, x);
}

Value saturate(OpBuilder &b, Location loc, Value x, Type type, bool isSigned) {
  if (getWidth(x.getType()) < 32)
    x = arith::ExtFOp::create(b, loc, withElement(x.getType(), b.getF32Type()),
                              x);
  FloatBuilder f(b, loc, x.getType());
  unsigned width = getWidth(type);
  Range range = getRange(width, isSigned);
  x = f.select(f.isNaN(x), f.f(0.0), x);
  // If the float type represents the bounds, clamping is sufficient. The
  // conversion goes through a signed i32, for which conversions are fast.
  if (int(width) <= f.mantissaBits()) {
    x = f.atMost(f.atLeast(x, range.low), range.end - 1);
    IntBuilder wide{b, loc, withElement(type, b.getI32Type())};
    if (width >= 32)
      return toInteger(wide, x, isSigned);
    Value value = toInteger(wide, x, /*isSigned=*/true);
    return arith::TruncIOp::create(b, loc, type, value);
  }
  IntBuilder e{b, loc, type};
  Value tooLow = f.lt(x, f.f(range.low)), tooHigh = f.ge(x, f.f(range.end));
  Value inside = f.select(f.either(tooLow, tooHigh), f.f(0.0), x);
  Value value = toInteger(e, inside, isSigned);
  value = e.select(tooLow, e.constant(range.min), value);
  return e.select(tooHigh, e.constant(range.max), value);
}

} // namespace

Value safeDivSigned(OpBuilder &b, Location loc, Value x, Value y) {
  IntBuilder e{b, loc, x.getType()};
  Value zero = e.constant(0), one = e.constant(1);
  Value isZero = e.compare(CmpIPredicate::eq, y, zero);
  Value isMinusOne = e.compare(CmpIPredicate::eq, y, e.constant(-1));
  Value special = arith::OrIOp::create(b, loc, isZero, isMinusOne);
  Value quotient = divide(e, x, e.select(special, one, y), /*isSigned=*/true);
  Value negated = arith::SubIOp::create(b, loc, zero, x);
  quotient = e.select(isMinusOne, negated, quotient);
  return e.select(isZero, zero, quotient);
}

Value safeDivUnsigned(OpBuilder &b, Location loc, Value x, Value y) {
  IntBuilder e{b, loc, x.getType()};
  Value zero = e.constant(0);
  Value isZero = e.compare(CmpIPredicate::eq, y, zero);
  Value divisor = e.select(isZero, e.constant(1), y);
  Value quotient = divide(e, x, divisor, /*isSigned=*/false);
  return e.select(isZero, zero, quotient);
}

static Value remainder(OpBuilder &b, Location loc, Value x, Value y,
                       Value quotient) {
  Value product = arith::MulIOp::create(b, loc, quotient, y);
  return arith::SubIOp::create(b, loc, x, product);
}

Value safeRemSigned(OpBuilder &b, Location loc, Value x, Value y) {
  return remainder(b, loc, x, y, safeDivSigned(b, loc, x, y));
}

Value safeRemUnsigned(OpBuilder &b, Location loc, Value x, Value y) {
  return remainder(b, loc, x, y, safeDivUnsigned(b, loc, x, y));
}

Value safeShiftLeft(OpBuilder &b, Location loc, Value x, Value amount) {
  IntBuilder e{b, loc, x.getType()};
  Value shifted = arith::ShLIOp::create(b, loc, x, amount);
  return withinWidth(e, amount, shifted, e.constant(0));
}

Value safeShiftRightUnsigned(OpBuilder &b, Location loc, Value x,
                             Value amount) {
  IntBuilder e{b, loc, x.getType()};
  Value shifted = arith::ShRUIOp::create(b, loc, x, amount);
  return withinWidth(e, amount, shifted, e.constant(0));
}

Value safeShiftRightSigned(OpBuilder &b, Location loc, Value x, Value amount) {
  // A clamped amount fills the result with the sign bit.
  IntBuilder e{b, loc, x.getType()};
  Value last = e.constant(getWidth(e.type) - 1);
  amount = arith::MinUIOp::create(b, loc, amount, last);
  return arith::ShRSIOp::create(b, loc, x, amount);
}

Value saturatingFloatToSigned(OpBuilder &b, Location loc, Value x, Type type) {
  return saturate(b, loc, x, type, /*isSigned=*/true);
}

Value saturatingFloatToUnsigned(OpBuilder &b, Location loc, Value x,
                                Type type) {
  return saturate(b, loc, x, type, /*isSigned=*/false);
}

} // namespace tensorc::codegen
