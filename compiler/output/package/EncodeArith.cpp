//===- EncodeArith.cpp - encodes arith ops as bytecode --------------------===//
#include "compiler/output/package/FunctionEncoder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tensorc;
using namespace tensorc::compiler;

/// Returns the instruction of an op on two i64, if there is one.
static std::optional<rt::Op> binary(Operation &op) {
  using rt::Op;
  return llvm::TypeSwitch<Operation *, std::optional<Op>>(&op)
      .Case([](arith::AddIOp) { return Op::Add; })
      .Case([](arith::SubIOp) { return Op::Sub; })
      .Case([](arith::MulIOp) { return Op::Mul; })
      .Case([](arith::DivSIOp) { return Op::DivSigned; })
      .Case([](arith::DivUIOp) { return Op::DivUnsigned; })
      .Case([](arith::FloorDivSIOp) { return Op::FloorDiv; })
      .Case([](arith::CeilDivSIOp) { return Op::CeilDiv; })
      .Case([](arith::RemSIOp) { return Op::RemSigned; })
      .Case([](arith::RemUIOp) { return Op::RemUnsigned; })
      .Case([](arith::MinSIOp) { return Op::MinSigned; })
      .Case([](arith::MaxSIOp) { return Op::MaxSigned; })
      .Case([](arith::MinUIOp) { return Op::MinUnsigned; })
      .Case([](arith::MaxUIOp) { return Op::MaxUnsigned; })
      .Case([](arith::ShLIOp) { return Op::ShiftLeft; })
      .Case([](arith::ShRSIOp) { return Op::ShiftRight; })
      .Case([](arith::ShRUIOp) { return Op::ShiftRightUnsigned; })
      .Case([](arith::AndIOp) { return Op::And; })
      .Case([](arith::OrIOp) { return Op::Or; })
      .Case([](arith::XOrIOp) { return Op::Xor; })
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult FunctionEncoder::arithmetic(Operation &op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<IntegerAttr>(constant.getValue());
    if (!value)
      return op.emitOpError("cannot be part of a program");
    // Registers hold i1 as 0 or 1.
    registers[constant] = emitConstant(
        &op, value.getType().isInteger(1) ? value.getValue().getZExtValue()
                                          : value.getInt());
    return success();
  }
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return compare(cmp);
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return select(choice);
  if (auto code = binary(op)) {
    bool isLogic = isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op);
    if (!op.getResult(0).getType().isInteger(64) && !isLogic)
      return op.emitOpError("is not done on i1 in a program");
    uint32_t a = use(op.getOperand(0)), b = use(op.getOperand(1));
    return emit(&op, *code, {define(op.getResult(0)), a, b});
  }
  if (isa<arith::ExtUIOp>(op)) {
    registers[op.getResult(0)] = use(op.getOperand(0));
    return success();
  }
  if (isa<arith::ExtSIOp>(op)) {
    uint32_t zero = emitConstant(&op, 0);
    return emit(&op, Op::Sub,
                {define(op.getResult(0)), zero, use(op.getOperand(0))});
  }
  if (isa<arith::TruncIOp>(op)) {
    uint32_t one = emitConstant(&op, 1);
    return emit(&op, Op::And,
                {define(op.getResult(0)), use(op.getOperand(0)), one});
  }
  return op.emitOpError("cannot be part of a program");
}

LogicalResult FunctionEncoder::compare(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  uint32_t a = use(op.getLhs()), b = use(op.getRhs());
  P predicate = op.getPredicate();
  // As a signed i1, true is -1.
  bool isSigned = predicate == P::slt || predicate == P::sle ||
                  predicate == P::sgt || predicate == P::sge;
  if (op.getLhs().getType().isInteger(1) && isSigned)
    std::swap(a, b);
  uint32_t out = define(op.getResult());
  switch (predicate) {
  case P::eq:
    return emit(op, Op::Equal, {out, a, b});
  case P::ne:
    return emit(op, Op::NotEqual, {out, a, b});
  case P::slt:
    return emit(op, Op::LessSigned, {out, a, b});
  case P::sle:
    return emit(op, Op::LessEqualSigned, {out, a, b});
  case P::sgt:
    return emit(op, Op::LessSigned, {out, b, a});
  case P::sge:
    return emit(op, Op::LessEqualSigned, {out, b, a});
  case P::ult:
    return emit(op, Op::LessUnsigned, {out, a, b});
  case P::ule:
    return emit(op, Op::LessEqualUnsigned, {out, a, b});
  case P::ugt:
    return emit(op, Op::LessUnsigned, {out, b, a});
  case P::uge:
    return emit(op, Op::LessEqualUnsigned, {out, b, a});
  }
  llvm_unreachable("every predicate is above");
}

LogicalResult FunctionEncoder::select(arith::SelectOp op) {
  uint32_t condition = use(op.getCondition());
  uint32_t yes = use(op.getTrueValue()), no = use(op.getFalseValue());
  bool isBuffer = isa<txp::BufferType>(op.getType());
  return emit(op, isBuffer ? Op::SelectBuffer : Op::Select,
              {define(op.getResult()), condition, yes, no});
}
