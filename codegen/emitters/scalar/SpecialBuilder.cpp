//===- SpecialBuilder.cpp - Series and loops for special functions --------===//

#include "codegen/emitters/scalar/SpecialBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::codegen {

Value SpecialBuilder::logicalNot(Value condition) {
  OpBuilder &b = getBuilder();
  Type type = condition.getType();
  TypedAttr ones = b.getBoolAttr(true);
  if (auto vector = dyn_cast<VectorType>(type))
    ones = DenseElementsAttr::get(vector, true);
  Value all = arith::ConstantOp::create(b, getLoc(), ones);
  return arith::XOrIOp::create(b, getLoc(), condition, all);
}

Value SpecialBuilder::chebyshev(Value t, ArrayRef<double> c) {
  Value twice = add(t, t), next = f(c.back()), last = f(0.0);
  for (double term : llvm::reverse(c.drop_front().drop_back())) {
    Value sum = mulAdd(twice, next, sub(f(term), last));
    last = next;
    next = sum;
  }
  return mulAdd(t, next, sub(f(c.front()), last));
}

Value SpecialBuilder::expOfMinusSquare(Value x, double factor) {
  // The factor is a power of two, so multiplying by it is exact and only the
  // square rounds.
  Pair square = twoProduct(x, mul(x, f(factor)));
  Value high = exp(neg(square.hi));
  // If the square of a large x overflows, its error term is NaN and is dropped.
  Value low = select(gt(high, f(0.0)), square.lo, f(0.0));
  return sub(high, mul(high, low));
}

SmallVector<Value> SpecialBuilder::iterate(ArrayRef<Value> state, int maxSteps,
                                           Step step) {
  OpBuilder &b = getBuilder();
  Location loc = getLoc();
  // The step counter is a float, because steps use it in float arithmetic.
  SmallVector<Value> init{
      arith::ConstantOp::create(b, loc, b.getF64FloatAttr(1))};
  llvm::append_range(init, state);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange(ValueRange(init)), init,
      [&](OpBuilder &b, Location loc, ValueRange x) {
        Value any = x.back();
        if (isa<VectorType>(any.getType()))
          any = vector::ReductionOp::create(b, loc, vector::CombiningKind::OR,
                                            any);
        Value limit =
            arith::ConstantOp::create(b, loc, b.getF64FloatAttr(maxSteps));
        Value below = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE,
                                            x[0], limit);
        Value goesOn = arith::AndIOp::create(b, loc, below, any);
        scf::ConditionOp::create(b, loc, goesOn, x);
      },
      [&](OpBuilder &b, Location loc, ValueRange x) {
        Value k = x[0],
              one = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(1));
        if (isa<VectorType>(getType()))
          k = vector::BroadcastOp::create(b, loc, getType(), k);
        SmallVector<Value> next{arith::AddFOp::create(b, loc, x[0], one)};
        llvm::append_range(next, step(x.drop_front(), k));
        scf::YieldOp::create(b, loc, next);
      });
  SmallVector<Value> results(loop.getResults());
  return SmallVector<Value>(llvm::drop_begin(results));
}

} // namespace tensorc::codegen
