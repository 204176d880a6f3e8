//===- ExpandMath.cpp - Expands math functions to arithmetic --------------===//
//
// %y = math.exp2 %x : vector<16xf32>
// ->
// %s = arith.addf %x, 1.5 * 2^23        n = round(x) in the low bits
// %r = arith.subf %x, %n
// %p = math.fma ... : 2^r by a polynomial
// %i = arith.shli %s, 23; arith.addi: n onto the exponent
//
// All targets use the same arithmetic, so none needs a math library. With the
// option `scalef`, the last step is an instruction of AVX-512, which gives the
// same bits.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/NarrowFloats.h"
#include "codegen/lowering/Passes.h"
#include "codegen/lowering/math/MathExpansions.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/FoldUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

/// True if the op is a function that no target has as an instruction.
bool isExpanded(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp,
             math::Log2Op, math::Log10Op, math::Log1pOp, math::TanhOp,
             math::ErfOp, math::SinOp, math::CosOp, math::TanOp, math::PowFOp,
             math::AsinOp, math::AcosOp, math::AtanOp, math::Atan2Op,
             math::SinhOp, math::CoshOp, math::AsinhOp, math::AcoshOp,
             math::AtanhOp, math::CbrtOp, math::RsqrtOp, math::RoundOp,
             arith::RemFOp, arith::MaxNumFOp, arith::MinNumFOp>(op);
}

/// Returns x if y is NaN, y if x is NaN, and otherwise x or y as `chooseX`
/// says.
Value expandMinMaxNum(FloatBuilder &e, Value chooseX, Value x, Value y) {
  return e.select(e.isNaN(y), x, e.select(chooseX, x, y));
}

Value expand(FloatBuilder &e, Operation *op) {
  Value x = op->getOperand(0);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return expandExp(e, x); })
      .Case([&](math::Exp2Op) { return expandExp2(e, x); })
      .Case([&](math::ExpM1Op) { return expandExpM1(e, x); })
      .Case([&](math::LogOp) { return expandLog(e, x); })
      .Case([&](math::Log2Op) { return expandLog2(e, x); })
      .Case([&](math::Log10Op) { return expandLog10(e, x); })
      .Case([&](math::Log1pOp) { return expandLog1p(e, x); })
      .Case([&](math::TanhOp) { return expandTanh(e, x); })
      .Case([&](math::ErfOp) { return expandErf(e, x); })
      .Case([&](math::SinOp) { return expandSin(e, x); })
      .Case([&](math::CosOp) { return expandCos(e, x); })
      .Case([&](math::TanOp) { return expandTan(e, x); })
      .Case([&](math::AsinOp) { return expandAsin(e, x); })
      .Case([&](math::AcosOp) { return expandAcos(e, x); })
      .Case([&](math::AtanOp) { return expandAtan(e, x); })
      .Case([&](math::Atan2Op) { return expandAtan2(e, x, op->getOperand(1)); })
      .Case([&](math::SinhOp) { return expandSinh(e, x); })
      .Case([&](math::CoshOp) { return expandCosh(e, x); })
      .Case([&](math::AsinhOp) { return expandAsinh(e, x); })
      .Case([&](math::AcoshOp) { return expandAcosh(e, x); })
      .Case([&](math::AtanhOp) { return expandAtanh(e, x); })
      .Case([&](math::CbrtOp) { return expandCbrt(e, x); })
      .Case([&](math::PowFOp) { return expandPow(e, x, op->getOperand(1)); })
      .Case([&](math::RsqrtOp) { return e.div(e.f(1.0), e.sqrt(x)); })
      .Case([&](math::RoundOp) { return expandRound(e, x); })
      .Case([&](arith::RemFOp) { return expandRemF(e, x, op->getOperand(1)); })
      .Case([&](arith::MaxNumFOp) {
        Value y = op->getOperand(1);
        return expandMinMaxNum(e, e.gt(x, y), x, y);
      })
      .Case([&](arith::MinNumFOp) {
        Value y = op->getOperand(1);
        return expandMinMaxNum(e, e.lt(x, y), x, y);
      });
}

/// Expands a conversion from f64 through f32 to f16 by integer arithmetic. LLVM
/// moves a sign op past both conversions and would then merge these into one
/// from f64 to f16, for which x86 has no instruction.
void roundTwiceByIntegers(arith::TruncFOp op) {
  auto first = op.getIn().getDefiningOp<arith::TruncFOp>();
  if (!getElementTypeOrSelf(op.getType()).isF16() || !first ||
      !getElementTypeOrSelf(first.getIn().getType()).isF64())
    return;
  OpBuilder b(op);
  NarrowFloats convert(b, NativeConversions());
  op.replaceAllUsesWith(convert.round(op.getLoc(), op.getIn(), op.getType()));
  op.erase();
}

/// Folds math functions and arithmetic of constants, by emitting their
/// expansions and folding these.
class ConstantMath {
public:
  explicit ConstantMath(MLIRContext *context) : folder(context) {}

  void fold(Operation *op) {
    if (!ofConstants(op))
      return;
    if (isExpanded(op))
      foldFunction(op);
    else if (isa<arith::ArithDialect, vector::VectorDialect>(op->getDialect()))
      (void)folder.tryToFold(op);
  }

private:
  static bool ofConstants(Operation *op) {
    return op->getNumOperands() > 0 && op->getNumResults() == 1 &&
           llvm::all_of(op->getOperands(), [](Value operand) {
             return matchPattern(operand, m_Constant());
           });
  }
  static Type typeOf(Operation *op) {
    return getElementTypeOrSelf(op->getResult(0).getType());
  }

  void foldFunction(Operation *op) {
    Operation *before = op->getPrevNode();
    OpBuilder b(op);
    Value result;
    if (isa<Float32Type, Float64Type>(typeOf(op))) {
      FloatBuilder e(b, op->getLoc(), op->getResult(0).getType());
      result = expand(e, op);
    } else {
      result = inSingle(b, op);
    }
    // Each created op is folded before the next one, which uses its result.
    Operation *made = before ? before->getNextNode() : &op->getBlock()->front();
    op->replaceAllUsesWith(ValueRange{result});
    while (made != op) {
      Operation *next = made->getNextNode();
      fold(made);
      made = next;
    }
    op->erase();
  }

  /// Computes narrow floats in f32 and rounds once, as kernels do.
  static Value inSingle(OpBuilder &b, Operation *op) {
    Type narrow = op->getResult(0).getType(), wide = b.getF32Type();
    if (auto vector = dyn_cast<VectorType>(narrow))
      wide = vector.clone(wide);
    IRMapping widened;
    for (Value x : op->getOperands())
      if (!widened.contains(x))
        widened.map(x, arith::ExtFOp::create(b, op->getLoc(), wide, x));
    Operation *computed = b.clone(*op, widened);
    computed->getResult(0).setType(wide);
    return arith::TruncFOp::create(b, op->getLoc(), narrow,
                                   computed->getResult(0));
  }

  OperationFolder folder;
};

struct ExpandMath : impl::ExpandMathPassBase<ExpandMath> {
  using ExpandMathPassBase::ExpandMathPassBase;

  void runOnOperation() override {
    if (constants) {
      ConstantMath math(&getContext());
      SmallVector<Operation *> all;
      getOperation()->walk([&](Operation *op) { all.push_back(op); });
      for (Operation *op : all)
        math.fold(op);
      return;
    }
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isExpanded(op) && isa<Float32Type, Float64Type>(getElementTypeOrSelf(
                                op->getResult(0).getType())))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder b(op);
      FloatBuilder e(b, op->getLoc(), op->getResult(0).getType(), hasScalef);
      op->replaceAllUsesWith(ValueRange{expand(e, op)});
      op->erase();
    }
    getOperation()->walk(roundTwiceByIntegers);
  }
};

} // namespace
} // namespace tensorc::codegen
