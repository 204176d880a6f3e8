//===- ScalarOps.cpp - Ops on single elements or vectors of elements ------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/scalar/FloatFunctions.h"
#include "codegen/emitters/scalar/SpecialFunctions.h"
#include "codegen/kernel/FastMath.h"
#include "codegen/lowering/math/SafeArith.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;

namespace tensorc::codegen {

ElementKind elementKind(Type element) {
  if (isa<FloatType>(element))
    return ElementKind::Float;
  if (element.isInteger(1))
    return ElementKind::Bool;
  return element.isUnsignedInteger() ? ElementKind::Unsigned
                                     : ElementKind::Signed;
}

Value comesBefore(OpBuilder &b, Location loc, Type element, Value x, Value y) {
  if (isa<FloatType>(element)) {
    // ULT is true if x or y is NaN, so x must also be a number.
    Value less = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ULT, x, y);
    Value number =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, x, x);
    return arith::AndIOp::create(b, loc, less, number);
  }
  bool isSigned = elementKind(element) == ElementKind::Signed;
  return arith::CmpIOp::create(
      b, loc, isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult,
      x, y);
}

Type kernelType(Type element) {
  if (auto i = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), i.getWidth());
  return element;
}

Type shapedLike(Type element, Type like) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(element);
  return element;
}

Value constantOf(OpBuilder &b, Location loc, Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr scalar;
  if (auto f = dyn_cast<FloatType>(element))
    scalar = b.getFloatAttr(f, value);
  else
    scalar = b.getIntegerAttr(element, static_cast<int64_t>(value));
  if (auto vector = dyn_cast<VectorType>(type))
    scalar = DenseElementsAttr::get(vector, scalar);
  return arith::ConstantOp::create(b, loc, scalar);
}

Value inOrderOfFloats(OpBuilder &b, Location loc, Value bits) {
  unsigned width = getElementTypeOrSelf(bits).getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) -> Value {
    TypedAttr scalar = b.getIntegerAttr(b.getIntegerType(width), value);
    if (auto vector = dyn_cast<VectorType>(bits.getType()))
      scalar = DenseElementsAttr::get(vector, Attribute(scalar));
    return arith::ConstantOp::create(b, loc, scalar);
  };
  // All bits are set if the number is negative, and none otherwise.
  Value sign =
      arith::ShRSIOp::create(b, loc, bits, constant(APInt(width, width - 1)));
  Value magnitude = constant(APInt::getSignedMaxValue(width));
  return arith::XOrIOp::create(b, loc, bits,
                               arith::AndIOp::create(b, loc, sign, magnitude));
}

//===----------------------------------------------------------------------===//
// Functions named by op definitions
//===----------------------------------------------------------------------===//

static Value identity(OpBuilder &, Location, Operation *, ValueRange x, Type) {
  return x[0];
}

static Value negateInteger(OpBuilder &b, Location loc, Operation *,
                           ValueRange x, Type result) {
  return arith::SubIOp::create(b, loc, constantOf(b, loc, result, 0), x[0]);
}

static Value complement(OpBuilder &b, Location loc, Operation *, ValueRange x,
                        Type result) {
  return arith::XOrIOp::create(b, loc, x[0], constantOf(b, loc, result, -1));
}

using SafeBinary = Value (*)(OpBuilder &, Location, Value, Value);
template <SafeBinary build>
static Value safely(OpBuilder &b, Location loc, Operation *, ValueRange x,
                    Type) {
  return build(b, loc, x[0], x[1]);
}

/// Emits min(max(x, low), high), where x[1] and x[2] are low and high.
template <typename Max, typename Min>
static Value clampBetween(OpBuilder &b, Location loc, Operation *, ValueRange x,
                          Type) {
  Value raised = Max::create(b, loc, x[1], x[0]);
  return Min::create(b, loc, raised, x[2]);
}
constexpr auto clampFloat = clampBetween<arith::MaximumFOp, arith::MinimumFOp>;
constexpr auto clampSigned = clampBetween<arith::MaxSIOp, arith::MinSIOp>;
constexpr auto clampUnsigned = clampBetween<arith::MaxUIOp, arith::MinUIOp>;

static Value signInteger(OpBuilder &b, Location loc, Operation *op,
                         ValueRange x, Type type) {
  Value one = constantOf(b, loc, type, 1);
  bool isUnsigned =
      getElementTypeOrSelf(op->getOperand(0).getType()).isUnsignedInteger();
  if (isUnsigned)
    return arith::MinUIOp::create(b, loc, x[0], one);
  Value atMost = arith::MinSIOp::create(b, loc, x[0], one);
  return arith::MaxSIOp::create(b, loc, atMost, constantOf(b, loc, type, -1));
}

/// Emits the greatest common divisor of unsigned integers by Stein's algorithm,
/// which vectorizes because it shifts and subtracts instead of dividing.
static Value gcdUnsigned(OpBuilder &b, Location loc, Operation *, ValueRange x,
                         Type type) {
  using Predicate = arith::CmpIPredicate;
  Value zero = constantOf(b, loc, type, 0);
  auto isSome = [&](OpBuilder &b, Value v) -> Value {
    return arith::CmpIOp::create(b, loc, Predicate::ne, v, zero);
  };
  auto makeOdd = [&](OpBuilder &b, Value v) -> Value {
    // For v = 0 the count is the bit width. arith leaves a shift by it
    // undefined, so the shift must be a safe one.
    Value count = math::CountTrailingZerosOp::create(b, loc, v);
    return safeShiftRightUnsigned(b, loc, v, count);
  };
  Value either = arith::OrIOp::create(b, loc, x[0], x[1]);
  // The exponent of the divisor's power of two; the loop computes the odd part.
  // If both operands are 0, the exponent is the bit width, and the final shift
  // gives 0.
  Value twos = math::CountTrailingZerosOp::create(b, loc, either);
  // If x is 0, the divisor is y and the loop ends at once.
  Value first = makeOdd(b, x[0]), second = makeOdd(b, x[1]);
  Value some = isSome(b, first);
  Value divisor = arith::SelectOp::create(b, loc, some, first, second);
  Value rest = arith::SelectOp::create(b, loc, some, second, zero);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange{type, type}, ValueRange{divisor, rest},
      [&](OpBuilder &b, Location loc, ValueRange state) {
        Value any = isSome(b, state[1]);
        if (isa<VectorType>(type))
          any = vector::ReductionOp::create(b, loc, vector::CombiningKind::OR,
                                            any);
        scf::ConditionOp::create(b, loc, any, state);
      },
      [&](OpBuilder &b, Location loc, ValueRange state) {
        Value low = arith::MinUIOp::create(b, loc, state[0], state[1]);
        Value high = arith::MaxUIOp::create(b, loc, state[0], state[1]);
        // The difference of two odd numbers is even, so it can be made odd
        // again. A lane that has finished keeps its divisor.
        Value gap = makeOdd(b, arith::SubIOp::create(b, loc, high, low));
        Value goesOn = isSome(b, state[1]);
        Value divisor = arith::SelectOp::create(b, loc, goesOn, low, state[0]);
        Value rest = arith::SelectOp::create(b, loc, goesOn, gap, zero);
        scf::YieldOp::create(b, loc, ValueRange{divisor, rest});
      });
  return safeShiftLeft(b, loc, loop.getResult(0), twos);
}

/// abs of the minimum integer overflows to that integer. This is correct if the
/// result is read as unsigned.
static Value gcdSigned(OpBuilder &b, Location loc, Operation *op, ValueRange x,
                       Type type) {
  Value magnitudes[] = {math::AbsIOp::create(b, loc, x[0]),
                        math::AbsIOp::create(b, loc, x[1])};
  return gcdUnsigned(b, loc, op, magnitudes, type);
}

static Value lcmUnsigned(OpBuilder &b, Location loc, Operation *op,
                         ValueRange x, Type type) {
  Value divisor = gcdUnsigned(b, loc, op, x, type);
  Value quotient = safeDivUnsigned(b, loc, x[0], divisor);
  return arith::MulIOp::create(b, loc, quotient, x[1]);
}

static Value lcmSigned(OpBuilder &b, Location loc, Operation *op, ValueRange x,
                       Type type) {
  Value magnitudes[] = {math::AbsIOp::create(b, loc, x[0]),
                        math::AbsIOp::create(b, loc, x[1])};
  return lcmUnsigned(b, loc, op, magnitudes, type);
}

template <bool value>
static Value constantly(OpBuilder &b, Location loc, Operation *, ValueRange,
                        Type type) {
  return constantOf(b, loc, type, value);
}
constexpr auto never = constantly<false>;
constexpr auto always = constantly<true>;

static Value isNaN(OpBuilder &b, Location loc, Operation *, ValueRange x,
                   Type) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x[0], x[0]);
}

/// Compares |x| with infinity by the given predicate.
template <arith::CmpFPredicate predicate>
static Value compareMagnitude(OpBuilder &b, Location loc, Operation *,
                              ValueRange x, Type) {
  Value magnitude = math::AbsFOp::create(b, loc, x[0]);
  Value infinity = constantOf(b, loc, x[0].getType(),
                              std::numeric_limits<double>::infinity());
  return arith::CmpFOp::create(b, loc, predicate, magnitude, infinity);
}
constexpr auto isInfinite = compareMagnitude<arith::CmpFPredicate::OEQ>;
constexpr auto isFinite = compareMagnitude<arith::CmpFPredicate::OLT>;

template <arith::CmpFPredicate predicate>
static Value compareFloat(OpBuilder &b, Location loc, Operation *, ValueRange x,
                          Type) {
  return arith::CmpFOp::create(b, loc, predicate, x[0], x[1]);
}

template <arith::CmpIPredicate predicate>
static Value compareInteger(OpBuilder &b, Location loc, Operation *,
                            ValueRange x, Type) {
  return arith::CmpIOp::create(b, loc, predicate, x[0], x[1]);
}

static Value convertElement(OpBuilder &b, Location loc, Operation *op,
                            ValueRange x, Type) {
  auto convert = cast<tx::ConvertOp>(op);
  return convertElements(b, loc, x[0],
                         getElementTypeOrSelf(convert.getX().getType()),
                         getElementTypeOrSelf(convert.getType()));
}

static Value bitcastElement(OpBuilder &b, Location loc, Operation *,
                            ValueRange x, Type result) {
  if (x[0].getType() == result)
    return x[0]; // i32 and ui32 are the same in kernels.
  return arith::BitcastOp::create(b, loc, result, x[0]);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static Value inSingle(OpBuilder &b, Location loc, Value x) {
  Type f32 = shapedLike(b.getF32Type(), x.getType());
  return arith::ExtFOp::create(b, loc, f32, x);
}

static Value fromFloat(OpBuilder &b, Location loc, Value x, Type to,
                       Type result) {
  // f8 values are converted to f32 first, because no arithmetic is done in f8.
  if (getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth() == 8)
    x = inSingle(b, loc, x);
  auto source = cast<FloatType>(getElementTypeOrSelf(x.getType()));
  switch (elementKind(to)) {
  case ElementKind::Bool:
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, x,
                                 constantOf(b, loc, x.getType(), 0));
  case ElementKind::Signed:
    return saturatingFloatToSigned(b, loc, x, result);
  case ElementKind::Unsigned:
    return saturatingFloatToUnsigned(b, loc, x, result);
  case ElementKind::Float:
    break;
  }
  // Neither f16 nor bf16 represents all values of the other, so the conversion
  // goes through f32.
  unsigned into = cast<FloatType>(to).getWidth();
  if (source.getWidth() < 32 && into < 32)
    x = inSingle(b, loc, x);
  source = cast<FloatType>(getElementTypeOrSelf(x.getType()));
  if (source == to)
    return x;
  if (source.getWidth() < into)
    return arith::ExtFOp::create(b, loc, result, x);
  return arith::TruncFOp::create(b, loc, result, x);
}

static Value fromInteger(OpBuilder &b, Location loc, Value x, Type from,
                         Type to, Type result) {
  unsigned width = from.getIntOrFloatBitWidth();
  bool isSigned = elementKind(from) == ElementKind::Signed;
  switch (elementKind(to)) {
  case ElementKind::Bool:
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x,
                                 constantOf(b, loc, x.getType(), 0));
  case ElementKind::Float:
    if (isSigned)
      return arith::SIToFPOp::create(b, loc, result, x);
    return arith::UIToFPOp::create(b, loc, result, x);
  default:
    break;
  }
  unsigned into = to.getIntOrFloatBitWidth();
  if (width == into)
    return x;
  if (width > into)
    return arith::TruncIOp::create(b, loc, result, x);
  if (isSigned)
    return arith::ExtSIOp::create(b, loc, result, x);
  return arith::ExtUIOp::create(b, loc, result, x);
}

Value convertElements(OpBuilder &b, Location loc, Value x, Type from, Type to) {
  if (from == to)
    return x;
  Type result = shapedLike(kernelType(to), x.getType());
  if (isa<FloatType>(from))
    return fromFloat(b, loc, x, to, result);
  return fromInteger(b, loc, x, from, to, result);
}

//===----------------------------------------------------------------------===//
// The generated table
//===----------------------------------------------------------------------===//

static FailureOr<Value> emitScalar(OpBuilder &b, Location loc, Operation *txOp,
                                   ElementKind kind, ValueRange operands,
                                   Type result) {
#include "codegen/emitters/ScalarOps.inc"
}

/// Sets fast-math flags on arithmetic ops of the user's program. Ops of our
/// expansions rely on exact rounding and get none.
static void allowFastMath(Operation *op, Value value) {
  if (!isa<tx::AddOp, tx::SubOp, tx::MulOp, tx::SumOp, tx::ProdOp, tx::CumsumOp,
           tx::CumprodOp>(op) ||
      !isa<FloatType>(getElementTypeOrSelf(value)))
    return;
  auto module = op->getParentOfType<ModuleOp>();
  if (!module || !module->hasAttr(kFastMathAttr))
    return;
  using enum arith::FastMathFlags;
  value.getDefiningOp()->setAttr(
      "fastmath",
      arith::FastMathFlagsAttr::get(op->getContext(), reassoc | contract));
}

FailureOr<Value> emitScalar(OpBuilder &b, Location loc, Operation *op,
                            ValueRange operands) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<tx::SelectOp>(op))
    from = to;
  Type result = shapedLike(kernelType(to), operands.back().getType());
  // Reductions and scans are computed in the type of their accumulator.
  if (op->hasTrait<tx::Reduction>() || op->hasTrait<tx::Scan>())
    result = operands[0].getType();
  FailureOr<Value> value =
      emitScalar(b, loc, op, elementKind(from), operands, result);
  if (failed(value))
    return op->emitError() << "is not defined for dtype " << from;
  allowFastMath(op, *value);
  return value;
}

} // namespace tensorc::codegen
