//===- Combiner.cpp - State and combination of a reduction ----------------===//

#include "codegen/emitters/Combiner.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "ir/tx/Combining.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen {

Combiner::Combiner(ImplicitLocOpBuilder &b, const TargetInfo &target,
                   Operation *op)
    : b(b), op(op), isArgument(isa<tx::ArgmaxOp, tx::ArgminOp>(op)),
      element(getElementTypeOrSelf(op->getOperand(0).getType())) {
  // Sums and products of f16 and bf16 need the precision of f32. Maxima and
  // minima give the same result, but need no rounding at every step.
  bool widened =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  accumulator = widened ? b.getF32Type() : kernelType(element);
  if (isa<tx::CountNonzeroOp>(op))
    accumulator = b.getI64Type();
  if (isa<tx::ReduceMaxOp, tx::ReduceMinOp>(op) &&
      isa<FloatType>(accumulator) && target.comparesAsIntegers(accumulator))
    ordinal = b.getIntegerType(accumulator.getIntOrFloatBitWidth());
}

/// Returns the offset between the integer of an infinity and the end of the
/// integer range: the number of NaNs of each sign. In the integer order,
/// negative NaNs lie below -infinity and positive NaNs above infinity. Adding
/// or subtracting the offset makes one infinity the end of the range, and the
/// NaNs beyond it wrap around to the other NaNs.
static Value farthestNan(ImplicitLocOpBuilder &b, Type accumulator,
                         Type integers) {
  auto type = cast<FloatType>(accumulator);
  unsigned width = type.getWidth();
  APInt payload = APInt::getLowBitsSet(width, type.getFPMantissaWidth() - 1);
  TypedAttr scalar = b.getIntegerAttr(b.getIntegerType(width), payload);
  if (auto vector = dyn_cast<VectorType>(integers))
    scalar = DenseElementsAttr::get(vector, Attribute(scalar));
  return arith::ConstantOp::create(b, scalar);
}

/// Converts floats to integers of the same order. NaNs become the largest
/// integers for a maximum, and the smallest for a minimum.
Value Combiner::toOrdinal(Value value) {
  Type type = shapedLike(ordinal, value.getType());
  Value bits =
      inOrderOfFloats(b, b.getLoc(), arith::BitcastOp::create(b, type, value));
  Value moved = farthestNan(b, accumulator, type);
  return isa<tx::ReduceMaxOp>(op)
             ? Value(arith::SubIOp::create(b, bits, moved))
             : Value(arith::AddIOp::create(b, bits, moved));
}

Value Combiner::fromOrdinal(Value value) {
  Value moved = farthestNan(b, accumulator, value.getType());
  Value bits = isa<tx::ReduceMaxOp>(op)
                   ? Value(arith::AddIOp::create(b, value, moved))
                   : Value(arith::SubIOp::create(b, value, moved));
  return arith::BitcastOp::create(b, shapedLike(accumulator, value.getType()),
                                  inOrderOfFloats(b, b.getLoc(), bits));
}

/// Returns the neutral element of the op.
static TypedAttr neutralElement(OpBuilder &b, Operation *op, Type element,
                                Type accumulator) {
  tx::Neutral neutral = tx::combiningOf(op)->neutral;
  bool lowest = neutral == tx::Neutral::Lowest;
  bool highest = neutral == tx::Neutral::Highest;
  bool isOne = neutral == tx::Neutral::One;
  if (auto f = dyn_cast<FloatType>(accumulator)) {
    if (lowest || highest)
      return b.getFloatAttr(
          f, APFloat::getInf(f.getFloatSemantics(), /*Negative=*/lowest));
    // The neutral element of a sum is -0, as -0 + x is x for every x. An
    // exclusive cumsum stores its neutral element first, which must be +0.
    if (auto cumsum = dyn_cast<tx::CumsumOp>(op))
      return b.getFloatAttr(f, cumsum.getExclusive() ? 0.0 : -0.0);
    return b.getFloatAttr(f, isOne ? 1.0 : 0.0);
  }
  unsigned width = accumulator.getIntOrFloatBitWidth();
  bool isSigned = elementKind(element) == ElementKind::Signed;
  APInt value(width, isOne ? 1 : 0);
  if (lowest && isSigned)
    value = APInt::getSignedMinValue(width);
  if (highest)
    value =
        isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  return b.getIntegerAttr(accumulator, value);
}

static Value splatConstant(ImplicitLocOpBuilder &b, TypedAttr value,
                           int64_t width) {
  if (width)
    value = DenseElementsAttr::get(VectorType::get({width}, value.getType()),
                                   Attribute(value));
  return arith::ConstantOp::create(b, value);
}

SmallVector<Type, 2> Combiner::stateTypes() {
  SmallVector<Type, 2> types{ordinal ? ordinal : accumulator};
  if (isArgument)
    types.push_back(b.getI64Type());
  return types;
}

Combiner::State Combiner::neutral(int64_t width) {
  if (ordinal) { // -infinity for a maximum, infinity for a minimum
    unsigned bits = ordinal.getWidth();
    APInt end = isa<tx::ReduceMaxOp>(op) ? APInt::getSignedMinValue(bits)
                                         : APInt::getSignedMaxValue(bits);
    return {splatConstant(b, b.getIntegerAttr(ordinal, end), width)};
  }
  State state{
      splatConstant(b, neutralElement(b, op, element, accumulator), width)};
  if (isArgument)
    state.push_back(splatConstant(b, b.getI64IntegerAttr(INT64_MAX), width));
  return state;
}

Combiner::State Combiner::of(Value value, Value position) {
  Type wanted = shapedLike(accumulator, value.getType());
  if (isa<tx::CountNonzeroOp>(op)) {
    value = convertElements(b, b.getLoc(), value, element, b.getI1Type());
    return {arith::ExtUIOp::create(b, wanted, value)};
  }
  if (value.getType() != wanted)
    value = arith::ExtFOp::create(b, wanted, value);
  if (ordinal)
    return {toOrdinal(value)};
  State state{value};
  if (isArgument)
    state.push_back(position);
  return state;
}

/// True if x comes before y. That is so if x is larger (smaller for argmin), if
/// x is NaN and y is not, or if they are equal and x is earlier.
static Value comesFirst(ImplicitLocOpBuilder &b, Type element, bool smallest,
                        ValueRange x, ValueRange y) {
  auto andOp = [&](Value p, Value q) -> Value {
    return arith::AndIOp::create(b, p, q);
  };
  auto orOp = [&](Value p, Value q) -> Value {
    return arith::OrIOp::create(b, p, q);
  };
  Value better, same;
  if (isa<FloatType>(element)) {
    auto isNan = [&](Value v) -> Value {
      return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, v, v);
    };
    Value xNan = isNan(x[0]), yNan = isNan(y[0]);
    // UGT is also true if either is NaN, so require that y is a number.
    Value differs = arith::CmpFOp::create(
        b, smallest ? arith::CmpFPredicate::ULT : arith::CmpFPredicate::UGT,
        x[0], y[0]);
    Value yNumber =
        arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, y[0], y[0]);
    better = andOp(differs, yNumber);
    same = orOp(arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x[0], y[0]),
                andOp(xNan, yNan));
  } else {
    using enum arith::CmpIPredicate;
    bool isSigned = elementKind(element) == ElementKind::Signed;
    auto predicate = smallest ? (isSigned ? slt : ult) : (isSigned ? sgt : ugt);
    better = arith::CmpIOp::create(b, predicate, x[0], y[0]);
    same = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x[0], y[0]);
  }
  Value earlier =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x[1], y[1]);
  return orOp(better, andOp(same, earlier));
}

FailureOr<Combiner::State> Combiner::combine(ValueRange x, ValueRange y) {
  if (isArgument) {
    Value first = comesFirst(b, element, isa<tx::ArgminOp>(op), x, y);
    return State{arith::SelectOp::create(b, first, x[0], y[0]),
                 arith::SelectOp::create(b, first, x[1], y[1])};
  }
  if (isa<tx::CountNonzeroOp>(op))
    return State{arith::AddIOp::create(b, x[0], y[0])};
  if (ordinal && isa<tx::ReduceMaxOp>(op))
    return State{arith::MaxSIOp::create(b, x[0], y[0])};
  if (ordinal)
    return State{arith::MinSIOp::create(b, x[0], y[0])};
  FailureOr<Value> value =
      emitScalar(b, b.getLoc(), op, ValueRange{x[0], y[0]});
  if (failed(value))
    return failure();
  return State{*value};
}

FailureOr<Combiner::State> Combiner::acrossLanes(State lanes) {
  int64_t width = cast<VectorType>(lanes[0].getType()).getNumElements();
  for (; width > 1; width /= 2) {
    State low, high;
    for (Value v : lanes) {
      SmallVector<int64_t> front(width / 2), back(width / 2);
      std::iota(front.begin(), front.end(), 0);
      std::iota(back.begin(), back.end(), width / 2);
      low.push_back(vector::ShuffleOp::create(b, v, v, front));
      high.push_back(vector::ShuffleOp::create(b, v, v, back));
    }
    FailureOr<State> combined = combine(low, high);
    if (failed(combined))
      return failure();
    lanes = *combined;
  }
  State scalars;
  for (Value v : lanes)
    scalars.push_back(vector::ExtractOp::create(b, v, ArrayRef<int64_t>{0}));
  return scalars;
}

Value Combiner::result(ValueRange state) {
  Type to = kernelType(getElementTypeOrSelf(op->getResult(0).getType()));
  Type type = shapedLike(to, state[0].getType());
  if (isArgument)
    return to.isInteger(64) ? state[1]
                            : Value(arith::TruncIOp::create(b, type, state[1]));
  Value value = ordinal ? fromOrdinal(state[0]) : state[0];
  return accumulator != to ? Value(arith::TruncFOp::create(b, type, value))
                           : value;
}

} // namespace tensorc::codegen
