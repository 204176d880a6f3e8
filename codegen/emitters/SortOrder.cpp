//===- SortOrder.cpp - Keys and comparison of a sort ----------------------===//

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen {

SortOrder::SortOrder(KernelBuilder &kernel, const AxisNest &nest)
    : b(kernel.b), nest(nest),
      descending(nest.ops.front()->hasAttr("descending")) {
  positions = llvm::any_of(nest.ops, llvm::IsaPred<tx::ArgsortOp>);
  keys = !llvm::all_of(nest.ops, llvm::IsaPred<tx::ArgsortOp>);
  element = getElementTypeOrSelf(nest.ops.front()->getOperand(0).getType());
  bool widened =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  key = widened ? b.getF32Type() : kernelType(element);
}

FailureOr<Value> SortOrder::load(ExpressionEmitter &elements) {
  Value operand = nest.ops.front()->getOperand(0);
  FailureOr<Value> value = elements.emitLanes(operand, nest.loops.index);
  if (failed(value) || getElementTypeOrSelf(*value) == key)
    return value;
  return Value(
      arith::ExtFOp::create(b, shapedLike(key, value->getType()), *value));
}

LogicalResult SortOrder::store(ExpressionEmitter &elements, Value keyValue,
                               Value position) {
  Value value = keyValue;
  Type type = kernelType(element);
  if (keys && type != key)
    value =
        arith::TruncFOp::create(b, shapedLike(type, value.getType()), value);
  if (positions && getElementTypeOrSelf(position).isIndex())
    position = arith::IndexCastOp::create(
        b, shapedLike(b.getI64Type(), position.getType()), position);
  // The fusion may contain several sorts: a composite may add one that equals
  // the program's own.
  for (Operation *op : nest.ops)
    elements.bindValue(op->getResult(0),
                       isa<tx::ArgsortOp>(op) ? position : value);
  return elements.storeOutputs(nest.loops.index);
}

Value SortOrder::isBefore(Value x, Value y) {
  return descending ? comesBefore(b, b.getLoc(), element, y, x)
                    : comesBefore(b, b.getLoc(), element, x, y);
}

/// Maps floats to unsigned integers of the same order. +0 and -0 map to one
/// integer, and all NaNs map to the largest.
static Value ordinalOfFloat(ImplicitLocOpBuilder &b, Value x, Type integer) {
  unsigned width = integer.getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(integer, value));
  };
  Value sign = constant(APInt::getSignMask(width));
  Value zero = constantOf(b, b.getLoc(), x.getType(), 0);
  Value bits = arith::BitcastOp::create(b, integer, x);
  Value isZero = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, zero);
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  bits = arith::SelectOp::create(b, isZero, constant(APInt(width, 0)), bits);
  // All bits of negative numbers are flipped. This reverses their order, which
  // in sign-magnitude form is by magnitude.
  Value flips =
      arith::ShRSIOp::create(b, bits, constant(APInt(width, width - 1)));
  Value flipped =
      arith::XOrIOp::create(b, bits, arith::OrIOp::create(b, flips, sign));
  return arith::SelectOp::create(b, isNan, constant(APInt::getAllOnes(width)),
                                 flipped);
}

Value SortOrder::ordinal(Value x) {
  Type integer = b.getIntegerType(ordinalBits());
  bool isSigned = elementKind(element) == ElementKind::Signed;
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(integer, value));
  };
  if (isa<FloatType>(key)) {
    x = ordinalOfFloat(b, x, integer);
  } else {
    if (x.getType() != integer)
      x = isSigned ? Value(arith::ExtSIOp::create(b, integer, x))
                   : Value(arith::ExtUIOp::create(b, integer, x));
    if (isSigned)
      x = arith::XOrIOp::create(b, x,
                                constant(APInt::getSignMask(ordinalBits())));
  }
  return descending ? Value(arith::XOrIOp::create(
                          b, x, constant(APInt::getAllOnes(ordinalBits()))))
                    : x;
}

Value SortOrder::constantLike(Value x, const APInt &value) {
  TypedAttr scalar = b.getIntegerAttr(getElementTypeOrSelf(x.getType()), value);
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    scalar = DenseElementsAttr::get(vector, Attribute(scalar));
  return arith::ConstantOp::create(b, scalar);
}

/// Converts between the bits of keys and signed integers of the same order. The
/// function is its own inverse.
Value SortOrder::flipOrderBits(Value x) {
  unsigned width = ordinalBits();
  if (isa<FloatType>(key))
    return inOrderOfFloats(b, b.getLoc(), x);
  if (elementKind(element) == ElementKind::Signed)
    return x;
  return arith::XOrIOp::create(b, x,
                               constantLike(x, APInt::getSignMask(width)));
}

Value SortOrder::toSigned(Value x) {
  Type type = shapedLike(b.getIntegerType(ordinalBits()), x.getType());
  if (x.getType() != type)
    x = arith::BitcastOp::create(b, type, x);
  x = flipOrderBits(x);
  return descending
             ? arith::XOrIOp::create(
                   b, x, constantLike(x, APInt::getAllOnes(ordinalBits())))
             : x;
}

Value SortOrder::fromSigned(Value x) {
  if (descending)
    x = arith::XOrIOp::create(
        b, x, constantLike(x, APInt::getAllOnes(ordinalBits())));
  x = flipOrderBits(x);
  Type type = shapedLike(key, x.getType());
  return x.getType() == type ? x : arith::BitcastOp::create(b, type, x);
}

static APFloat usualNan(Type type) {
  return APFloat::getQNaN(cast<FloatType>(type).getFloatSemantics());
}

Value SortOrder::canonical(Value x) {
  if (!isa<FloatType>(key))
    return x;
  auto replaced = [&](arith::CmpFPredicate predicate, Value y,
                      TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(x.getType()))
      value = DenseElementsAttr::get(vector, Attribute(value));
    Value is = arith::CmpFOp::create(b, predicate, x, y);
    Value other = arith::ConstantOp::create(b, value);
    return arith::SelectOp::create(b, is, other, x);
  };
  Value zero = constantOf(b, b.getLoc(), x.getType(), 0);
  x = replaced(arith::CmpFPredicate::OEQ, zero, b.getFloatAttr(key, 0));
  return replaced(arith::CmpFPredicate::UNO, x,
                  b.getFloatAttr(key, usualNan(key)));
}

Value SortOrder::isAmbiguous(Value x) {
  Value bits = arith::BitcastOp::create(
      b, shapedLike(b.getIntegerType(ordinalBits()), x.getType()), x);
  auto compare = [&](arith::CmpIPredicate predicate, const APInt &value) {
    return arith::CmpIOp::create(b, predicate, bits, constantLike(bits, value));
  };
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  Value isOther =
      compare(arith::CmpIPredicate::ne, usualNan(key).bitcastToAPInt());
  return arith::OrIOp::create(
      b, compare(arith::CmpIPredicate::eq, APInt::getSignMask(ordinalBits())),
      arith::AndIOp::create(b, isNan, isOther));
}

TypedAttr SortOrder::lastKey() const {
  if (auto type = dyn_cast<FloatType>(key))
    return b.getFloatAttr(type, descending
                                    ? APFloat::getInf(type.getFloatSemantics(),
                                                      /*Negative=*/true)
                                    : usualNan(key));
  unsigned width = key.getIntOrFloatBitWidth();
  bool isSigned = elementKind(element) == ElementKind::Signed;
  APInt maxValue =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt minValue = isSigned ? APInt::getSignedMinValue(width) : APInt(width, 0);
  return b.getIntegerAttr(key, descending ? minValue : maxValue);
}

FailureOr<Value> mergePasses(KernelBuilder &kernel, Value length, Value first,
                             Value second, MergePass body) {
  ImplicitLocOpBuilder &b = kernel.b;
  Type index = b.getIndexType();
  LogicalResult made = success();
  auto loop = scf::WhileOp::create(
      b, TypeRange{index, index, index},
      ValueRange{indexConstant(kernel, 1), first, second},
      [&](OpBuilder &builder, Location loc, ValueRange at) {
        Value more = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, at[0], length);
        scf::ConditionOp::create(builder, loc, more, at);
      },
      [&](OpBuilder &builder, Location loc, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        made = body(at[0], at[1], at[2]);
        Value doubled = arith::AddIOp::create(b, at[0], at[0]);
        scf::YieldOp::create(b, ValueRange{doubled, at[2], at[1]});
      });
  if (failed(made))
    return failure();
  return Value(loop.getResult(1));
}

} // namespace tensorc::codegen
