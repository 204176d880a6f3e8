//===- MathToSpirv.cpp - Math ops that upstream does not convert ----------===//
//
// Expands ops to arithmetic that upstream's patterns convert.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/spirv/ToSpirv.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tensorc::codegen {
namespace {

/// Emits arithmetic on values of one type.
struct Arithmetic {
  OpBuilder &b;
  Location loc;
  Type type;

  template <typename Op> Value make(Value x, Value y) {
    return Op::create(b, loc, x, y);
  }
  Value constant(const APInt &value) {
    TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, value);
    return arith::ConstantOp::create(b, loc, attr);
  }
  unsigned width() {
    return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  }

  /// Returns the number of set bits, by adding pairs, groups of four, and
  /// bytes.
  Value countOnes(Value x) {
    unsigned bits = width();
    auto repeat = [&](uint64_t byte) {
      return constant(APInt::getSplat(bits, APInt(8, byte)));
    };
    auto shift = [&](Value v, unsigned by) {
      return make<arith::ShRUIOp>(v, constant(APInt(bits, by)));
    };
    Value pairs =
        make<arith::SubIOp>(x, make<arith::AndIOp>(shift(x, 1), repeat(0x55)));
    Value fours =
        make<arith::AddIOp>(make<arith::AndIOp>(pairs, repeat(0x33)),
                            make<arith::AndIOp>(shift(pairs, 2), repeat(0x33)));
    Value bytes = make<arith::AndIOp>(
        make<arith::AddIOp>(fours, shift(fours, 4)), repeat(0x0f));
    if (bits == 8)
      return bytes;
    return shift(make<arith::MulIOp>(bytes, repeat(1)), bits - 8);
  }
  Value invert(Value x) {
    return make<arith::XOrIOp>(x, constant(APInt::getAllOnes(width())));
  }
};

template <typename Op> struct MathPattern : OpConversionPattern<Op> {
  MathPattern(const SPIRVTypeConverter &converter, MLIRContext *context)
      : OpConversionPattern<Op>(converter, context, /*benefit=*/10) {}
  /// The original operands are expanded; the conversion replaces them later.
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Arithmetic e{rewriter, op.getLoc(), op->getResult(0).getType()};
    Value result = expand(op, e);
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }
  virtual Value expand(Op op, Arithmetic &e) const = 0;
};

struct CountOnes : MathPattern<math::CtPopOp> {
  using MathPattern::MathPattern;
  Value expand(math::CtPopOp op, Arithmetic &e) const override {
    return e.countOnes(op.getOperand());
  }
};

/// Copies the highest set bit to all lower positions. The zeros that remain are
/// the leading ones.
struct CountLeadingZeros : MathPattern<math::CountLeadingZerosOp> {
  using MathPattern::MathPattern;
  Value expand(math::CountLeadingZerosOp op, Arithmetic &e) const override {
    Value x = op.getOperand();
    for (unsigned by = 1; by < e.width(); by *= 2)
      x = e.make<arith::OrIOp>(
          x, e.make<arith::ShRUIOp>(x, e.constant(APInt(e.width(), by))));
    return e.countOnes(e.invert(x));
  }
};

/// ~x & (x - 1) has a set bit for each trailing zero.
struct CountTrailingZeros : MathPattern<math::CountTrailingZerosOp> {
  using MathPattern::MathPattern;
  Value expand(math::CountTrailingZerosOp op, Arithmetic &e) const override {
    Value x = op.getOperand();
    Value below = e.make<arith::SubIOp>(x, e.constant(APInt(e.width(), 1)));
    return e.countOnes(e.make<arith::AndIOp>(e.invert(x), below));
  }
};

struct Truncate : MathPattern<math::TruncOp> {
  using MathPattern::MathPattern;
  Value expand(math::TruncOp op, Arithmetic &e) const override {
    Value size = math::AbsFOp::create(e.b, e.loc, op.getOperand());
    Value whole = math::FloorOp::create(e.b, e.loc, size);
    return e.make<math::CopySignOp>(whole, op.getOperand());
  }
};

/// If one operand is NaN, the result is NaN, and -0 < +0. The instructions of
/// OpenCL and Vulkan leave both cases open.
template <typename Op, arith::CmpFPredicate first, typename OfEqualBits>
struct Extremum : MathPattern<Op> {
  using MathPattern<Op>::MathPattern;
  Value expand(Op op, Arithmetic &e) const override {
    Value x = op.getLhs(), y = op.getRhs();
    auto compare = [&](arith::CmpFPredicate predicate, Value p,
                       Value q) -> Value {
      return arith::CmpFOp::create(e.b, e.loc, predicate, p, q);
    };
    auto select = [&](Value condition, Value p, Value q) -> Value {
      return arith::SelectOp::create(e.b, e.loc, condition, p, q);
    };
    Type bits = e.b.getIntegerType(e.width());
    if (auto vector = dyn_cast<VectorType>(e.type))
      bits = vector.clone(bits);
    auto toBits = [&](Value v) -> Value {
      return arith::BitcastOp::create(e.b, e.loc, bits, v);
    };
    Value both = arith::BitcastOp::create(
        e.b, e.loc, e.type, e.make<OfEqualBits>(toBits(x), toBits(y)));
    // If y is NaN, the comparison selects y. If x is NaN, the last select does.
    Value result = select(compare(first, x, y), x, y);
    result = select(compare(arith::CmpFPredicate::OEQ, x, y), both, result);
    return select(compare(arith::CmpFPredicate::UNO, x, x), x, result);
  }
};

/// The maximum or minimum of i1. If it is signed, the bit 1 stands for -1.
template <typename Op, typename OfBits> struct BitExtremum : MathPattern<Op> {
  using MathPattern<Op>::MathPattern;
  Value expand(Op op, Arithmetic &e) const override {
    return getElementTypeOrSelf(e.type).isInteger(1)
               ? e.make<OfBits>(op.getLhs(), op.getRhs())
               : Value();
  }
};

/// Vulkan leaves the remainder of negative numbers open. Upstream's pattern
/// divides |x|, and takes the smallest x, which equals its own |x|, for a
/// positive number.
struct SignedRemainder : MathPattern<arith::RemSIOp> {
  using MathPattern::MathPattern;
  Value expand(arith::RemSIOp op, Arithmetic &e) const override {
    Value x = op.getLhs(), y = op.getRhs();
    Value whole = e.make<arith::MulIOp>(e.make<arith::DivSIOp>(x, y), y);
    return e.make<arith::SubIOp>(x, whole);
  }
};

/// Reduces the elements of a vector in order.
struct Reduction : MathPattern<vector::ReductionOp> {
  using MathPattern::MathPattern;
  Value expand(vector::ReductionOp op, Arithmetic &e) const override {
    Value result = op.getAcc();
    for (int64_t i = 0; i < op.getSourceVectorType().getNumElements(); ++i) {
      Value lane = vector::ExtractOp::create(e.b, e.loc, op.getVector(), i);
      result = result ? vector::makeArithReduction(e.b, e.loc, op.getKind(),
                                                   result, lane)
                      : lane;
    }
    return result;
  }
};

} // namespace

void populateMathToSpirv(const SPIRVTypeConverter &converter,
                         RewritePatternSet &patterns) {
  using arith::CmpFPredicate;
  patterns.add<CountOnes, CountLeadingZeros, CountTrailingZeros, Truncate,
               Extremum<arith::MaximumFOp, CmpFPredicate::OGT, arith::AndIOp>,
               Extremum<arith::MinimumFOp, CmpFPredicate::OLT, arith::OrIOp>,
               BitExtremum<arith::MaxUIOp, arith::OrIOp>,
               BitExtremum<arith::MinUIOp, arith::AndIOp>,
               BitExtremum<arith::MaxSIOp, arith::AndIOp>,
               BitExtremum<arith::MinSIOp, arith::OrIOp>, SignedRemainder,
               Reduction>(converter, patterns.getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
}

} // namespace tensorc::codegen
