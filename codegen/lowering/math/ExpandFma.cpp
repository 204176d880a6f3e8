//===- ExpandFma.cpp - Emulate fused multiply-adds ------------------------===//
//
// %r = math.fma %x, %y, %z : f32
// ->
// %p = arith.mulf (extf %x), (extf %y) : f64        exact
// %s = arith.addf %p, (extf %z), rounded to odd     (an odd last bit keeps the
// %r = arith.truncf %s : f32                         second rounding right)
//
// %r = math.fma %x, %y, %z fastmath<contract>     (polynomials)
// -> arith.mulf, arith.addf
//
// %r = vector.fma %x, %y, %z                         (products of matrices)
// in a module with txk.fast_math
// -> arith.mulf, arith.addf
//
// For x86-64 before v3 and WebAssembly, where LLVM would call fmaf. The f64 version is from S.
// Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums"
// (2008).
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/FastMath.h"
#include "codegen/lowering/Passes.h"
#include "codegen/lowering/math/FloatBuilder.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDFMAPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

/// Returns x + y with rounding to odd: the last bit of an inexact result is
/// set.
Value addToOdd(FloatBuilder &e, Value x, Value y) {
  auto sum = e.twoSum(x, y);
  Value zero = e.f(0.0);
  Value bits = e.bits(sum.hi);
  Value even = e.icmp(arith::CmpIPredicate::eq, e.iand(bits, e.i(1)), e.i(0));
  // If the sum overflows, its error is NaN and the comparison false.
  Value inexact = e.gt(e.abs(sum.lo), zero);
  Value outwards = arith::CmpIOp::create(
      e.getBuilder(), e.getLoc(), arith::CmpIPredicate::eq, e.gt(sum.lo, zero),
      e.gt(sum.hi, zero));
  Value step = e.select(outwards, e.i(1), e.i(-1));
  Value odd = e.fromBits(e.iadd(bits, step));
  return e.select(e.both(even, inexact), odd, sum.hi);
}

Value expandSingle(OpBuilder &b, Location loc, Value x, Value y, Value z) {
  FloatBuilder e(b, loc, x.getType());
  FloatBuilder d(b, loc, e.withElement(b.getF64Type()));
  auto widen = [&](Value v) -> Value {
    return arith::ExtFOp::create(b, loc, d.getType(), v);
  };
  Value product = d.mul(widen(x), widen(y));
  Value sum = addToOdd(d, product, widen(z));
  return arith::TruncFOp::create(b, loc, e.getType(), sum);
}

/// Returns the exact value of x * y without FMA, by Veltkamp's splitting and
/// Dekker's product.
FloatBuilder::Pair dekkerProduct(FloatBuilder &e, Value x, Value y) {
  auto split = [&](Value v) -> FloatBuilder::Pair {
    Value c = e.mul(v, e.f(0x1p27 + 1));
    Value hi = e.sub(c, e.sub(c, v));
    return {hi, e.sub(v, hi)};
  };
  auto a = split(x), b = split(y);
  Value product = e.mul(x, y);
  Value error = e.sub(e.mul(a.hi, b.hi), product);
  error = e.add(error, e.mul(a.hi, b.lo));
  error = e.add(error, e.mul(a.lo, b.hi));
  return {product, e.add(error, e.mul(a.lo, b.lo))};
}

/// Returns x * y + z with a single rounding, if splitting stays within the
/// exponent range. The low part has the sign of the rounding error.
FloatBuilder::Pair fusedInRange(FloatBuilder &e, Value x, Value y, Value z) {
  auto product = dekkerProduct(e, x, y);
  auto low = e.twoSum(z, product.lo);
  auto high = e.twoSum(product.hi, low.hi);
  return e.twoSum(high.hi, addToOdd(e, low.lo, high.lo));
}

/// Returns sum * 2^-500 with a single rounding. If the high part is a tie
/// between two subnormal numbers, the low part decides it.
Value scaleDown(FloatBuilder &e, const FloatBuilder::Pair &sum) {
  // half of the smallest subnormal number, times 2^500
  constexpr double half = 0x1p-575;
  Value scale = e.f(0x1p-500), zero = e.f(0.0);
  Value y = e.mul(sum.hi, scale);
  Value distance = e.sub(sum.hi, e.mul(y, e.f(0x1p500)));
  Value isTie =
      e.both(e.eq(e.abs(distance), e.f(half)), e.gt(e.abs(sum.lo), zero));
  Value decided = e.add(sum.hi, e.copysign(e.f(half), sum.lo));
  return e.select(isTie, e.mul(decided, scale), y);
}

Value expandDouble(OpBuilder &b, Location loc, Value x, Value y, Value z) {
  FloatBuilder e(b, loc, x.getType());
  Value plain = e.mul(x, y);
  // Operands near either end of the exponent range are scaled to its middle.
  Value xIsLarger = e.ge(e.abs(x), e.abs(y));
  Value large = e.select(xIsLarger, x, y), small = e.select(xIsLarger, y, x);
  auto above = [&](double bound) {
    return e.either(e.gt(e.abs(plain), e.f(bound)), e.gt(e.abs(z), e.f(bound)));
  };
  Value one = e.f(1.0), down = e.f(0x1p-200), up = e.f(0x1p200);
  Value high = above(0x1p900), middle = above(0x1p-700);
  auto pick = [&](Value ifHigh, Value ifMiddle, Value ifLow) {
    return e.select(high, ifHigh, e.select(middle, ifMiddle, ifLow));
  };
  // In the middle range, a huge operand is scaled down and the other one up, so
  // that the product stays the same.
  Value isHuge = e.gt(e.abs(large), e.f(0x1p960));
  Value ofLarge = pick(down, e.select(isHuge, down, one), e.f(0x1p500));
  Value ofSmall = pick(one, e.select(isHuge, up, one), one);
  // A tiny z may decide a tie, so scaling must not make it 0. Apart from that,
  // its magnitude is irrelevant.
  Value isTiny = e.lt(e.abs(z), e.f(0x1p-700));
  Value highZ = e.select(isTiny, e.copysign(e.f(0x1p-900), z), e.mul(z, down));
  auto sum = fusedInRange(e, e.mul(large, ofLarge), e.mul(small, ofSmall),
                          pick(highZ, z, e.mul(z, e.f(0x1p500))));
  Value exact = pick(e.mul(sum.hi, up), sum.hi, scaleDown(e, sum));
  // Infinite and NaN operands make the error terms NaN. If z is infinite and x
  // and y are finite, the result is z, because the exact product is finite even
  // where it overflows here.
  Value zero = e.f(0.0);
  Value finite = e.both(e.lt(e.abs(x), e.inf()), e.lt(e.abs(y), e.inf()));
  Value infinite = e.both(finite, e.eq(e.abs(z), e.inf()));
  Value special = e.select(infinite, z, e.add(plain, z));
  Value result = e.select(e.lt(e.abs(exact), e.inf()), exact, special);
  // Products of 0, and products that underflow, keep their sign.
  Value some = e.both(e.gt(e.abs(x), zero), e.gt(e.abs(y), zero));
  result = e.select(some, result, e.add(plain, z));
  return e.select(e.both(some, e.eq(z, zero)), plain, result);
}

Value expandContracted(OpBuilder &b, Location loc, Value x, Value y, Value z) {
  Value product = arith::MulFOp::create(b, loc, x, y);
  return arith::AddFOp::create(b, loc, product, z);
}

/// True for polynomials and, with fast math, for products of matrices. In the
/// latter case the emulation would take most of the time.
bool mayRoundTwice(Operation *op, bool isFast) {
  auto fma = dyn_cast<math::FmaOp>(op);
  if (!fma)
    return isFast;
  return bitEnumContainsAll(fma.getFastmath(), arith::FastMathFlags::contract);
}

struct ExpandFma : impl::ExpandFmaPassBase<ExpandFma> {
  void runOnOperation() override {
    auto program = getOperation()->getParentOfType<ModuleOp>();
    bool isFast = program && program->hasAttr(kFastMathAttr);
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<math::FmaOp, vector::FMAOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      Type element = getElementTypeOrSelf(op->getResult(0).getType());
      if (!element.isF32() && !element.isF64())
        continue;
      OpBuilder b(op);
      auto expand = mayRoundTwice(op, isFast) ? expandContracted
                    : element.isF64()         ? expandDouble
                                              : expandSingle;
      Value result = expand(b, op->getLoc(), op->getOperand(0),
                            op->getOperand(1), op->getOperand(2));
      op->replaceAllUsesWith(ValueRange{result});
      op->erase();
    }
  }
};

} // namespace
} // namespace tensorc::codegen
