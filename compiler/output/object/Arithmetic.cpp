//===- Arithmetic.cpp - i64 arithmetic of programs as LLVM ops ------------===//
//
// Computes the same as runtime/program/Arithmetic.cpp, with the same errors: a
// size that wraps around would make an allocation too small.
//
//===----------------------------------------------------------------------===//
#include "compiler/output/object/ProgramLowering.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

Value FunctionWriter::divide(Quotient kind, Value x, Value y) {
  failIf(compare(Predicate::eq, y, word(0)), byZero);
  bool isRest = kind == Quotient::Rest || kind == Quotient::Mod;
  Value smallest = compare(Predicate::eq, x, word(INT64_MIN));
  Value minusOne = compare(Predicate::eq, y, word(-1));
  Value wraps = LLVM::AndOp::create(b, smallest, minusOne);
  if (isRest) // x rem -1 is 0, like x rem 1
    y = LLVM::SelectOp::create(b, wraps, word(1), y);
  else
    failIf(wraps, overflows);
  Value rest = LLVM::SRemOp::create(b, x, y);
  if (kind == Quotient::Rest)
    return rest;
  Value isExact = compare(Predicate::eq, rest, word(0));
  Value sign = LLVM::XOrOp::create(b, x, y);
  Value negative = compare(Predicate::slt, sign, word(0));
  if (kind == Quotient::Mod) { // The result has the divisor's sign.
    Value fits = LLVM::OrOp::create(
        b, isExact, LLVM::XOrOp::create(b, negative, truth(true)));
    return LLVM::SelectOp::create(b, fits, rest, add(rest, y));
  }
  Value quotient = LLVM::SDivOp::create(b, x, y);
  if (kind == Quotient::Signed)
    return quotient;
  bool isFloor = kind == Quotient::Floor;
  Value towards =
      isFloor ? negative : Value(LLVM::XOrOp::create(b, negative, truth(true)));
  Value moves = LLVM::AndOp::create(
      b, towards, LLVM::XOrOp::create(b, isExact, truth(true)));
  Value moved = add(quotient, word(isFloor ? -1 : 1));
  return LLVM::SelectOp::create(b, moves, moved, quotient);
}

Value FunctionWriter::divideUnsigned(bool rest, Value x, Value y) {
  failIf(compare(Predicate::eq, y, word(0)), byZero);
  if (rest)
    return LLVM::URemOp::create(b, x, y);
  return LLVM::UDivOp::create(b, x, y);
}

static LLVM::ICmpPredicate predicateOf(arith::CmpIPredicate predicate) {
  return static_cast<LLVM::ICmpPredicate>(predicate); // Equal numbers.
}

Value FunctionWriter::arithmetic(Operation &op, ValueRange operands) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<IntegerAttr>(constant.getValue());
    if (!value)
      return Value();
    return LLVM::ConstantOp::create(b, value.getType(), value);
  }
  if (operands.empty())
    return Value();
  Value x = operands[0], y = operands.size() > 1 ? operands[1] : Value();
  auto shift = [&]() {
    failIf(compare(Predicate::ugt, y, word(63)),
           "a shift by more than 63 bits");
  };
  bool isTruth = op.getResult(0).getType().isInteger(1);
  if (isTruth && isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return Value();
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case([&](arith::AddIOp) { return checkedAdd(x, y); })
      .Case([&](arith::SubIOp) {
        return checked<LLVM::SSubWithOverflowOp>(x, y);
      })
      .Case([&](arith::MulIOp) { return checkedMul(x, y); })
      .Case([&](arith::DivSIOp) { return divide(Quotient::Signed, x, y); })
      .Case([&](arith::FloorDivSIOp) { return divide(Quotient::Floor, x, y); })
      .Case([&](arith::CeilDivSIOp) { return divide(Quotient::Ceil, x, y); })
      .Case([&](arith::RemSIOp) { return divide(Quotient::Rest, x, y); })
      .Case([&](arith::DivUIOp) { return divideUnsigned(false, x, y); })
      .Case([&](arith::RemUIOp) { return divideUnsigned(true, x, y); })
      .Case([&](arith::MinSIOp) { return LLVM::SMinOp::create(b, x, y); })
      .Case([&](arith::MaxSIOp) { return LLVM::SMaxOp::create(b, x, y); })
      .Case([&](arith::MinUIOp) { return LLVM::UMinOp::create(b, x, y); })
      .Case([&](arith::MaxUIOp) { return LLVM::UMaxOp::create(b, x, y); })
      .Case([&](arith::AndIOp) { return LLVM::AndOp::create(b, x, y); })
      .Case([&](arith::OrIOp) { return LLVM::OrOp::create(b, x, y); })
      .Case([&](arith::XOrIOp) { return LLVM::XOrOp::create(b, x, y); })
      .Case(
          [&](arith::ShLIOp) { return shift(), LLVM::ShlOp::create(b, x, y); })
      .Case([&](arith::ShRSIOp) {
        return shift(), LLVM::AShrOp::create(b, x, y);
      })
      .Case([&](arith::ShRUIOp) {
        return shift(), LLVM::LShrOp::create(b, x, y);
      })
      .Case([&](arith::ExtUIOp) { return LLVM::ZExtOp::create(b, i64(), x); })
      .Case([&](arith::ExtSIOp) { return LLVM::SExtOp::create(b, i64(), x); })
      .Case([&](arith::TruncIOp) {
        return LLVM::TruncOp::create(b, b.getI1Type(), x);
      })
      .Case([&](arith::CmpIOp cmp) {
        return compare(predicateOf(cmp.getPredicate()), x, y);
      })
      .Case([&](arith::SelectOp) {
        return LLVM::SelectOp::create(b, x, y, operands[2]);
      })
      .Default([](Operation *) { return Value(); });
}
