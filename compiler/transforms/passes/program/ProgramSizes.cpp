//===- ProgramSizes.cpp - Sizes as i64 values of the host program ---------===//

#include "compiler/transforms/passes/program/ProgramSizes.h"

#include "ir/shape/Evaluate.h"

using namespace mlir;

namespace tensorc::compiler {

void ProgramSizes::require(Value holds, const Twine &message) {
  if (!matchPattern(holds, m_One()))
    txp::AssertOp::create(b, holds, b.getStringAttr(message));
}

void ProgramSizes::require(arith::CmpIPredicate predicate, Value x, Value y,
                           const Twine &message) {
  require(b.createOrFold<arith::CmpIOp>(predicate, x, y), message);
}

Value ProgramSizes::value(shape::Dim dim) {
  using shape::DimOp;
  auto leaf = [&](shape::Dim dim) {
    return std::optional(dim.isNumber() ? word(dim.constant())
                                        : of.lookup(dim));
  };
  auto combine = [&](DimOp op, Value x, Value y) -> std::optional<Value> {
    switch (op) {
    case DimOp::Add:
      return b.createOrFold<arith::AddIOp>(x, y);
    case DimOp::Mul:
      return b.createOrFold<arith::MulIOp>(x, y);
    case DimOp::FloorDiv:
      return b.createOrFold<arith::FloorDivSIOp>(x, y);
    case DimOp::CeilDiv:
      return b.createOrFold<arith::CeilDivSIOp>(x, y);
    case DimOp::Mod:
      return b.createOrFold<arith::RemSIOp>(x, y);
    case DimOp::Min:
      return b.createOrFold<arith::MinSIOp>(x, y);
    case DimOp::Max:
      return b.createOrFold<arith::MaxSIOp>(x, y);
    }
    return std::nullopt;
  };
  auto size = shape::Evaluator<Value>(leaf, combine)(dim);
  // A size that always overflows is replaced by the largest number, which makes
  // the allocation fail.
  return size ? *size : word(INT64_MAX);
}

Value ProgramSizes::bytesOf(Type type) {
  return value(tx::bytesOf(cast<RankedTensorType>(type)));
}

} // namespace tensorc::compiler
