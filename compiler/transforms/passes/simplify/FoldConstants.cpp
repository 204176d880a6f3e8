//===- FoldConstants.cpp - Ops and branches on constants ------------------===//
//
//   lt 0.0, 20.0                 -> true
//   nextafter 20.0, -inf         -> 19.9999981
//   if true { a } else { b }     -> a
//
// Programs that were traced in Python compute many scalars from constants. Each
// would otherwise be computed at every run, in a kernel of its own if a loop
// needs it in memory. Only ops that every device and the reference interpreter
// compute exactly are folded, so the bits of results do not change.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/simplify/FoldConstants.h"
#include "ir/reference/Elementwise.h"
#include "ir/tx/Control.h"
#include "ir/tx/Tx.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tensorc::compiler {

using reference::Array;

/// True for types of elements whose arithmetic is exact on all devices: packed
/// integers, floats of 8 bits and complex numbers are left out.
static bool isFolded(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.getWidth() == 1 || integer.getWidth() >= 8;
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
}

/// True for ops whose results are never rounded, except by conversions, which
/// round once.
static bool isExact(Operation *op) {
  if (isa<tx::DivOp, tx::FloorDivOp, tx::RemOp, tx::ModOp>(op))
    return isa<IntegerType>(getElementTypeOrSelf(op->getResult(0)));
  return isa<tx::EqOp, tx::NeOp, tx::LtOp, tx::LeOp, tx::GtOp, tx::GeOp,
             tx::IsNanOp, tx::IsInfOp, tx::IsFiniteOp, tx::AndOp, tx::OrOp,
             tx::XorOp, tx::NotOp, tx::ShlOp, tx::ShrArithOp, tx::ShrLogicalOp,
             tx::MaxOp, tx::MinOp, tx::ClampOp, tx::NegOp, tx::AbsOp,
             tx::SignOp, tx::FloorOp, tx::CeilOp, tx::TruncOp, tx::RoundEvenOp,
             tx::CopysignOp, tx::NextafterOp, tx::ConvertOp, tx::BitcastOp>(op);
}

/// Returns the element that all elements of the value are equal to, or nullopt
/// if they are not known to be equal.
static std::optional<Array> splatElement(Value value) {
  auto constant = value.getDefiningOp<tx::ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                        : SplatElementsAttr();
  if (!splat || !isFolded(splat.getElementType()))
    return std::nullopt;
  APInt bits = isa<FloatType>(splat.getElementType())
                   ? splat.getSplatValue<APFloat>().bitcastToAPInt()
                   : splat.getSplatValue<APInt>();
  auto element = Array::create(*tx::dtypeOf(splat.getElementType()), {});
  uint64_t word = bits.getZExtValue();
  for (uint8_t &byte : element->bytes) {
    byte = static_cast<uint8_t>(word);
    word >>= 8;
  }
  return element;
}

/// Returns a constant with these equal elements, or null if they are NaN, whose
/// bits differ between devices.
static DenseElementsAttr splatOf(RankedTensorType type, const Array &element) {
  uint64_t word = 0;
  for (uint8_t byte : llvm::reverse(element.bytes))
    word = word << 8 | byte;
  Type kind = type.getElementType();
  APInt bits(kind.getIntOrFloatBitWidth(), word, /*isSigned=*/false,
             /*implicitTrunc=*/true);
  auto floats = dyn_cast<FloatType>(kind);
  if (!floats)
    return DenseElementsAttr::get(type, bits);
  APFloat value(floats.getFloatSemantics(), bits);
  return value.isNaN() ? DenseElementsAttr()
                       : DenseElementsAttr::get(type, value);
}

namespace {
/// Matches any op, as ElementwiseOfUnitDims does.
struct FoldElementwise : RewritePattern {
  FoldElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &b) const override {
    if (op->getNumOperands() == 0 || op->getNumResults() != 1 ||
        !op->getOperand(0).getDefiningOp<tx::ConstantOp>() || !isExact(op))
      return failure();
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !type.hasStaticShape() || !isFolded(type.getElementType()))
      return failure();
    SmallVector<Array> elements;
    for (Value operand : op->getOperands()) {
      std::optional<Array> element = splatElement(operand);
      if (!element)
        return failure();
      elements.push_back(std::move(*element));
    }
    SmallVector<const Array *> operands;
    for (const Array &element : elements)
      operands.push_back(&element);
    auto result = Array::create(*tx::dtypeOf(type.getElementType()), {});
    if (!reference::evaluateElementwise(op->getName().getStringRef(), operands,
                                        *result))
      return failure();
    DenseElementsAttr splat = splatOf(type, *result);
    if (!splat)
      return failure();
    b.replaceOpWithNewOp<tx::ConstantOp>(op, type, splat);
    return success();
  }
};

/// Replaces a branch by the region that a constant selects.
template <typename Branch> struct FoldBranch : OpRewritePattern<Branch> {
  using OpRewritePattern<Branch>::OpRewritePattern;

  LogicalResult matchAndRewrite(Branch op, PatternRewriter &b) const override {
    std::optional<Array> selector = splatElement(op->getOperand(0));
    if (!selector)
      return failure();
    int64_t last = op->getNumRegions() - 1;
    int64_t number = reference::read<int64_t>(*selector)[0];
    // The first region of an if is for true.
    if (std::is_same_v<Branch, tx::IfOp>)
      number = number == 0;
    Block &chosen = op->getRegion(std::clamp<int64_t>(number, 0, last)).front();
    Operation *end = chosen.getTerminator();
    b.inlineBlockBefore(&chosen, op, op->getOperands().drop_front());
    SmallVector<Value> results(end->getOperands());
    b.eraseOp(end);
    b.replaceOp(op, results);
    return success();
  }
};
} // namespace

void populateFoldConstants(RewritePatternSet &patterns) {
  patterns.add<FoldElementwise, FoldBranch<tx::IfOp>, FoldBranch<tx::SwitchOp>>(
      patterns.getContext());
}

} // namespace tensorc::compiler
