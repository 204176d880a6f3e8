//===- ProgramSizes.cpp - Sizes as words of the host program --------------===//

#include "compiler/passes/ProgramSizes.h"

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

Value ProgramSizes::value(AffineExpr expr) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return word(c.getValue());
  if (auto s = dyn_cast<AffineSymbolExpr>(expr))
    return of.lookup(s.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value x = value(binary.getLHS()), y = value(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return b.createOrFold<arith::AddIOp>(x, y);
  case AffineExprKind::Mul:
    return b.createOrFold<arith::MulIOp>(x, y);
  case AffineExprKind::FloorDiv:
    return b.createOrFold<arith::FloorDivSIOp>(x, y);
  case AffineExprKind::CeilDiv:
    return b.createOrFold<arith::CeilDivSIOp>(x, y);
  default:
    return b.createOrFold<arith::RemSIOp>(x, y);
  }
}

Value ProgramSizes::bytesOf(Type type) {
  return value(names.bytesOf(cast<RankedTensorType>(type)));
}

} // namespace tensorc::compiler
