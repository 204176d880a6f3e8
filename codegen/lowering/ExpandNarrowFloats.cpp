//===- ExpandNarrowFloats.cpp - Compute f16, bf16 and f8 in f32 -----------===//
//
// %y = math.exp %x : vector<16xbf16>
// ->
// %w = (shift %x into the upper half of an i32) : vector<16xf32>
// %e = math.exp %w : vector<16xf32>
// %y = (round to nearest even, by integer arithmetic) : vector<16xbf16>
//
// Every op rounds its result to its own type. For + - * / and sqrt, rounding to
// f32 first does not change the result, because f32 has more than twice as many
// bits.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/NarrowFloats.h"
#include "codegen/lowering/Passes.h"
#include "codegen/lowering/math/FloatBuilder.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDNARROWFLOATSPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16() ||
         isa<Float8E4M3FNType, Float8E5M2Type>(element);
}

/// True if the op is arithmetic on narrow floats. Ops that only move data are
/// not expanded.
bool isNarrowArithmetic(Operation *op) {
  if (isa<arith::ConstantOp, arith::BitcastOp>(op))
    return false;
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
      !isa<vector::FMAOp, vector::ReductionOp>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isNarrow) ||
         llvm::any_of(op->getResultTypes(), isNarrow);
}

class NarrowFloatExpansion {
public:
  NarrowFloatExpansion(Operation *op, NativeConversions native)
      : op(op), b(op), loc(op->getLoc()), convert(b, native), native(native) {}

  void run() {
    Value result = expand();
    if (!result)
      return;
    op->replaceAllUsesWith(ValueRange{result});
    op->erase();
  }

private:
  Value expand() {
    Type type = op->getResult(0).getType();
    if (isa<arith::ExtFOp>(op))
      return expandExtend(type);
    if (isa<arith::TruncFOp>(op))
      return expandTruncate(type);
    if (isa<arith::NegFOp, math::AbsFOp>(op))
      return expandSignBit(type);
    if (isa<arith::SelectOp>(op))
      return expandSelect(type);
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
      return expandFromInteger(type);
    return expandInSingle(type);
  }

  Value expandExtend(Type type) {
    if (!isNarrow(op->getOperand(0).getType()))
      return Value();
    bool toSingle = getElementTypeOrSelf(type).isF32();
    bool half = getElementTypeOrSelf(op->getOperand(0).getType()).isF16();
    if (toSingle && half && native.f16)
      return Value(); // not expanded
    Value wide = convert.widen(loc, op->getOperand(0));
    if (getElementTypeOrSelf(type).isBF16()) // f8 is exact in bf16
      return convert.truncateToBFloat(loc, wide, type);
    if (isNarrow(type)) // f8 to a narrow float
      return convert.round(loc, wide, type);
    return toSingle ? wide : Value(arith::ExtFOp::create(b, loc, type, wide));
  }

  Value expandTruncate(Type type) {
    Type from = getElementTypeOrSelf(op->getOperand(0).getType());
    bool half = getElementTypeOrSelf(type).isF16();
    if (from.isF32() && half && native.f16)
      return Value(); // not expanded
    Value x = op->getOperand(0);
    return convert.round(loc, isNarrow(x.getType()) ? convert.widen(loc, x) : x,
                         type);
  }

  Value expandSignBit(Type type) {
    Type i16 = withElement(type, b.getI16Type());
    bool negate = isa<arith::NegFOp>(op);
    TypedAttr mask = b.getI16IntegerAttr(negate ? int16_t(0x8000) : 0x7fff);
    if (auto vector = dyn_cast<VectorType>(i16))
      mask = DenseElementsAttr::get(vector, mask);
    Value bits = arith::BitcastOp::create(b, loc, i16, op->getOperand(0));
    Value sign = arith::ConstantOp::create(b, loc, mask);
    Value result = negate ? Value(arith::XOrIOp::create(b, loc, bits, sign))
                          : Value(arith::AndIOp::create(b, loc, bits, sign));
    return arith::BitcastOp::create(b, loc, type, result);
  }

  /// Selects the bits as integers. Backends may widen a select of 16-bit
  /// floats, and have no select of 8-bit floats.
  Value expandSelect(Type type) {
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    Type integer = withElement(type, b.getIntegerType(width));
    Value x = arith::BitcastOp::create(b, loc, integer, op->getOperand(1));
    Value y = arith::BitcastOp::create(b, loc, integer, op->getOperand(2));
    Value bits = arith::SelectOp::create(b, loc, op->getOperand(0), x, y);
    return arith::BitcastOp::create(b, loc, type, bits);
  }

  /// Converts through f64, which represents every i32. Before that, wider
  /// integers lose the low bits that f64 cannot represent, and keep a sticky
  /// bit for the final rounding.
  Value expandFromInteger(Type type) {
    Value x = op->getOperand(0);
    Type element = getElementTypeOrSelf(x.getType());
    if (element.getIntOrFloatBitWidth() > 32) {
      FloatBuilder d(b, loc, withElement(x.getType(), b.getF64Type()));
      Value low = d.iand(x, d.i(0x7ff));
      Value none = d.icmp(arith::CmpIPredicate::eq, low, d.i(0));
      Value sticky = d.select(none, d.i(0), d.i(0x800));
      Value coarse = d.ior(d.iand(x, d.i(~int64_t(0x7ff))), sticky);
      // Small values are exact in f64.
      Value top = d.ashr(x, 52);
      Value small =
          d.icmp(arith::CmpIPredicate::ult, d.iadd(top, d.i(1)), d.i(2));
      x = d.select(small, x, coarse);
    }
    Type f64 = withElement(type, b.getF64Type());
    Value wide = isa<arith::SIToFPOp>(op)
                     ? Value(arith::SIToFPOp::create(b, loc, f64, x))
                     : Value(arith::UIToFPOp::create(b, loc, f64, x));
    return convert.round(loc, wide, type);
  }

  Value expandInSingle(Type type) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          isNarrow(operand.getType()) ? convert.widen(loc, operand) : operand);
    Type wideType = isNarrow(type) ? withElement(type, b.getF32Type()) : type;
    OperationState state(loc, op->getName(), operands, wideType,
                         op->getAttrs());
    Value wide = b.create(state)->getResult(0);
    return isNarrow(type) ? convert.round(loc, wide, type) : wide;
  }

  Operation *op;
  OpBuilder b;
  Location loc;
  NarrowFloats convert;
  NativeConversions native;
};

/// Converts f8 to bf16 in one step where emitters convert it by way of f32,
/// because the second step need not round.
void foldConversionsToBFloat(Operation *root) {
  root->walk([](arith::TruncFOp narrow) {
    auto wide = narrow.getIn().getDefiningOp<arith::ExtFOp>();
    if (!wide || !getElementTypeOrSelf(narrow.getType()).isBF16() ||
        !isa<Float8E4M3FNType, Float8E5M2Type>(
            getElementTypeOrSelf(wide.getIn().getType())))
      return;
    OpBuilder b(narrow);
    narrow.replaceAllUsesWith(Value(arith::ExtFOp::create(
        b, narrow.getLoc(), narrow.getType(), wide.getIn())));
    narrow.erase();
    if (wide.use_empty())
      wide.erase();
  });
}

struct ExpandNarrowFloats
    : impl::ExpandNarrowFloatsPassBase<ExpandNarrowFloats> {
  using ExpandNarrowFloatsPassBase::ExpandNarrowFloatsPassBase;

  void runOnOperation() override {
    foldConversionsToBFloat(getOperation());
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isNarrowArithmetic(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      NarrowFloatExpansion(op, {f16Converts, bf16Rounds}).run();
  }
};

} // namespace
} // namespace tensorc::codegen
