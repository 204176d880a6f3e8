//===- ExpandExtrema.cpp - Minimum and maximum of floats on x86 -----------===//
//
// %r = arith.maximumf %x, %c : vector<16xf32>     // %c is uniform in all lanes
// ->
// %m = arith.select (arith.cmpf ogt, %c, %x), %c, %x      // vmaxps %c, %x
// %r = arith.addf %m, %z     // +0 if c is +0, NaN if c is NaN, else -0
//
// On x86, vmaxps returns its second operand if either operand is NaN or both
// are zeros. LLVM adds five instructions to order +0 above -0 and NaN above
// all. If x is the second operand, only c must be tested, once for all vectors.
// A minimum sets the sign bit by `or`, because no addition changes +0 to -0.
//
// If neither operand is uniform, vrangeps (AVX-512) orders the zeros, and a
// masked addition yields NaN.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDEXTREMAPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

/// Returns the scalar that is in all lanes of `v`, or null if lanes may differ.
/// A constant is created at `b`.
Value uniformOf(OpBuilder &b, Value v) {
  if (auto broadcast = v.getDefiningOp<vector::BroadcastOp>())
    return isa<FloatType>(broadcast.getSource().getType())
               ? broadcast.getSource()
               : Value();
  SplatElementsAttr splat;
  if (!matchPattern(v, m_Constant(&splat)))
    return {};
  return arith::ConstantOp::create(b, v.getLoc(),
                                   splat.getSplatValue<FloatAttr>());
}

class ExtremaExpansion {
public:
  ExtremaExpansion(Operation *op, bool hasRange)
      : op(op), b(op), loc(op->getLoc()),
        type(cast<VectorType>(op->getResult(0).getType())),
        isMax(isa<arith::MaximumFOp>(op)), hasRange(hasRange) {}

  /// Returns the expansion, or null if the op should be left to LLVM.
  Value expand() {
    Value x = op->getOperand(0), y = op->getOperand(1);
    if (Value scalar = uniformOf(b, y))
      return besideUniform(x, y, scalar);
    if (Value scalar = uniformOf(b, x))
      return besideUniform(y, x, scalar);
    return hasRange && type.getNumElements() * width() == 512 ? ofRange(x, y)
                                                              : Value();
  }

private:
  int64_t width() const { return type.getElementTypeBitWidth(); }

  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }

  Value besideUniform(Value x, Value c, Value scalar) {
    Value chosen = select(
        compare(isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT,
                c, x),
        c, x);
    FloatAttr known;
    if (matchPattern(scalar, m_Constant(&known))) {
      APFloat value = known.getValue();
      bool isRight =
          value.isZero() ? value.isNegative() == isMax : !value.isNaN();
      if (isRight)
        return chosen;
    }
    return isMax
               ? arith::AddFOp::create(b, loc, chosen, spread(addendOf(scalar)))
               : withBits(chosen, bitsFor(scalar));
  }

  Value spread(Value scalar) {
    auto vector = VectorType::get(type.getShape(), scalar.getType());
    return vector::BroadcastOp::create(b, loc, vector, scalar);
  }
  Type integer() { return b.getIntegerType(static_cast<unsigned>(width())); }
  Value bits(const APInt &value) {
    return arith::ConstantOp::create(b, loc,
                                     b.getIntegerAttr(integer(), value));
  }
  Value isZeroOf(Value scalar, bool isNegative) {
    auto wide = static_cast<unsigned>(width());
    APInt zero = isNegative ? APInt::getSignMask(wide) : APInt(wide, 0);
    return arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq,
        arith::BitcastOp::create(b, loc, integer(), scalar), bits(zero));
  }
  Value number(double value) {
    return arith::ConstantOp::create(
        b, loc, b.getFloatAttr(type.getElementType(), value));
  }
  Value isNan(Value scalar) {
    return compare(arith::CmpFPredicate::UNO, scalar, scalar);
  }

  Value addendOf(Value scalar) {
    return select(isNan(scalar), scalar,
                  select(isZeroOf(scalar, /*isNegative=*/false), number(0.0),
                         number(-0.0)));
  }
  Value bitsFor(Value scalar) {
    auto wide = static_cast<unsigned>(width());
    APInt nan = APFloat::getQNaN(
                    cast<FloatType>(type.getElementType()).getFloatSemantics())
                    .bitcastToAPInt();
    return select(isNan(scalar), bits(nan),
                  select(isZeroOf(scalar, /*isNegative=*/true),
                         bits(APInt::getSignMask(wide)), bits(APInt(wide, 0))));
  }
  Value withBits(Value x, Value scalar) {
    Value wide = spread(scalar);
    return arith::BitcastOp::create(
        b, loc, type,
        arith::OrIOp::create(
            b, loc, arith::BitcastOp::create(b, loc, wide.getType(), x), wide));
  }

  Value ofRange(Value x, Value y) {
    auto scalar = [&](unsigned bits, int64_t value) -> Value {
      return arith::ConstantOp::create(
          b, loc, b.getIntegerAttr(b.getIntegerType(bits), value));
    };
    // The immediate of vrange: bits 0 and 1 select the operation; bit 2 keeps
    // the sign of the result.
    Value which = scalar(32, isMax ? 5 : 4);
    Value all = scalar(static_cast<unsigned>(type.getNumElements()), -1);
    Value usual = scalar(32, 4); // the default, _MM_FROUND_CUR_DIRECTION
    StringRef name = width() == 32 ? "llvm.x86.avx512.mask.range.ps.512"
                                   : "llvm.x86.avx512.mask.range.pd.512";
    Value found =
        LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name),
                                      ValueRange{x, y, which, x, all, usual})
            .getResults();
    return select(compare(arith::CmpFPredicate::UNO, x, y),
                  arith::AddFOp::create(b, loc, x, y), found);
  }

  Operation *op;
  OpBuilder b;
  Location loc;
  VectorType type;
  bool isMax, hasRange;
};

struct ExpandExtrema : impl::ExpandExtremaPassBase<ExpandExtrema> {
  using ExpandExtremaPassBase::ExpandExtremaPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (!isa<arith::MaximumFOp, arith::MinimumFOp>(op))
        return;
      auto type = dyn_cast<VectorType>(op->getResult(0).getType());
      if (!type ||
          !(type.getElementType().isF32() || type.getElementType().isF64()))
        return;
      if (Value result = ExtremaExpansion(op, hasRange).expand()) {
        op->getResult(0).replaceAllUsesWith(result);
        op->erase();
      }
    });
  }
};

} // namespace

} // namespace tensorc::codegen
