//===- TF32Products.cpp - Contractions of numbers of tf32 -----------------===//
//
// There is no dtype tf32: programs round the bits of f32.
//   %b = tx.and (bits of x, rounded), 0xFFFFE000
//   %r = tx.bitcast %b : ui32 -> f32
//   %0 = tx.dot_general %r, %s ... : (f32, f32) -> f32
// ->
//   %0 = tx.dot_general %r, %s ... {tx.tf32} : (f32, f32) -> f32
//
// A program may also leave it to the target whether operands are rounded
// (tx.rounds_to_tf32). They are if the target has instructions for tf32.
//
// Numbers of a recorded graph are arguments of its program, so graphs mark their
// products themselves (compiler/graph/TF32Factors.h).
//
// The attribute only states what the operands are. A target with instructions
// for tf32 may use them, because they multiply such numbers exactly. Other
// targets multiply in f32. At least one operand must be rounded explicitly: a
// product of f32 that happen to be few bits long keeps its order of additions.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/packing/TF32Products.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/tx/Tx.h"
#include "ir/tx/ops/ProductPrecision.h"
#include "ir/tx/ops/Rounding.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler {

/// Fraction bits of f32 that tf32 lacks.
static constexpr unsigned droppedBits = 13;
/// Maximum number of ops between a contraction and the rounding.
static constexpr unsigned maxDepth = 8;

/// Returns the bits of a constant with equal elements, also if it is broadcast.
static std::optional<APInt> bitsOfSplat(Value v) {
  while (auto broadcast = v.getDefiningOp<tx::BroadcastOp>())
    v = broadcast.getX();
  auto constant = v.getDefiningOp<tx::ConstantOp>();
  auto elements = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                           : SplatElementsAttr();
  if (!elements)
    return std::nullopt;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().bitcastToAPInt();
  return elements.getSplatValue<APInt>();
}

/// Returns the number whose bits the value has, or null.
static Value numberOfBits(Value bits) {
  auto cast = bits.getDefiningOp<tx::BitcastOp>();
  return cast ? Value(cast.getX()) : Value();
}

/// True if v is x for every x. Graphs write it as
/// bitcast((bits of x and mask) or (bits of x and not mask)).
static bool isOwnBits(Value v, Value x) {
  if (v == x)
    return true;
  auto cast = v.getDefiningOp<tx::BitcastOp>();
  auto both = cast ? cast.getX().getDefiningOp<tx::OrOp>() : tx::OrOp();
  if (!both)
    return false;
  auto left = both.getX().getDefiningOp<tx::AndOp>(),
       right = both.getY().getDefiningOp<tx::AndOp>();
  if (!left || !right || left.getX() != right.getX() ||
      numberOfBits(left.getX()) != x)
    return false;
  std::optional<APInt> high = bitsOfSplat(left.getY()),
                       low = bitsOfSplat(right.getY());
  return high && low && (*high | *low).isAllOnes();
}

namespace {
/// What is known about the elements of a value.
struct TF32Facts {
  /// All are numbers of tf32.
  bool isTF32 = false;
  /// Some are rounded to them explicitly.
  bool isRounded = false;

  TF32Facts both(TF32Facts other) const {
    return {isTF32 && other.isTF32, isRounded || other.isRounded};
  }
};
} // namespace

static TF32Facts findTF32(Value v, unsigned depth);

static TF32Facts findConverted(tx::ConvertOp op) {
  Type from = op.getX().getType().getElementType();
  unsigned maxBits = isa<FloatType>(from) ? 16 : 8;
  return {from.getIntOrFloatBitWidth() <= maxBits, false};
}

static TF32Facts findSelected(tx::SelectOp op, unsigned depth) {
  // Rounding does not change infinities, and a sum is not a signaling NaN. A
  // NaN itself could have only bits that tf32 drops.
  auto test = op.getPred().getDefiningOp<tx::IsFiniteOp>();
  auto special = op.getY().getDefiningOp<tx::AddOp>();
  if (test && special && test.getX() == special.getX())
    return findTF32(op.getX(), depth);
  return findTF32(op.getX(), depth).both(findTF32(op.getY(), depth));
}

/// Graphs add x - x to a rounded x in order to attach a gradient to it. The sum
/// is used for finite x only.
static TF32Facts findSum(tx::AddOp op, unsigned depth) {
  auto difference = op.getY().getDefiningOp<tx::SubOp>();
  if (!difference || !isOwnBits(difference.getY(), difference.getX()))
    return {};
  return findTF32(op.getX(), depth);
}

static TF32Facts findCast(tx::BitcastOp op) {
  auto mask = op.getX().getDefiningOp<tx::AndOp>();
  if (!mask)
    return {};
  std::optional<APInt> bits = bitsOfSplat(mask.getY());
  bool isTF32 = bits && bits->countr_zero() >= droppedBits;
  return {isTF32, isTF32};
}

static TF32Facts findTF32(Value v, unsigned depth = maxDepth) {
  Operation *op = v.getDefiningOp();
  if (!op || depth == 0)
    return {};
  if (std::optional<APInt> bits = bitsOfSplat(v))
    return {bits->countr_zero() >= droppedBits, false};
  return TypeSwitch<Operation *, TF32Facts>(op)
      .Case<tx::BroadcastOp, tx::ReshapeOp, tx::TransposeOp, tx::SliceOp,
            tx::WindowsOp>(
          [&](auto op) { return findTF32(op.getX(), depth - 1); })
      .Case([&](tx::PadOp op) {
        return findTF32(op.getX(), depth - 1)
            .both(findTF32(op.getValue(), depth - 1));
      })
      .Case([](tx::ConvertOp op) { return findConverted(op); })
      .Case([&](tx::SelectOp op) { return findSelected(op, depth - 1); })
      .Case([&](tx::AddOp op) { return findSum(op, depth - 1); })
      .Case([](tx::BitcastOp op) { return findCast(op); })
      .Default([](Operation *) { return TF32Facts(); });
}

namespace {
struct MarkTF32Products : OpRewritePattern<tx::DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::DotGeneralOp dot,
                                PatternRewriter &b) const override {
    auto isF32 = [](Value v) {
      return getElementTypeOrSelf(v.getType()).isF32();
    };
    if (dot->hasAttr(tx::tf32Attr) || !isF32(dot.getX()) ||
        !isF32(dot.getY()) || !isF32(dot.getResult()))
      return failure();
    TF32Facts known = findTF32(dot.getX()).both(findTF32(dot.getY()));
    if (!known.isTF32 || !known.isRounded)
      return failure();
    b.modifyOpInPlace(dot,
                      [&] { dot->setAttr(tx::tf32Attr, b.getUnitAttr()); });
    return success();
  }
};

/// Rounds the operands of products that should be rounded on this target.
struct RoundToTF32 : OpRewritePattern<tx::DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::DotGeneralOp dot,
                                PatternRewriter &b) const override {
    if (!dot->hasAttr(tx::roundsToTF32Attr))
      return failure();
    Value x = rounded(dot.getX(), b, dot.getLoc());
    Value y =
        dot.getY() == dot.getX() ? x : rounded(dot.getY(), b, dot.getLoc());
    b.modifyOpInPlace(dot, [&] {
      dot.getXMutable().assign(x);
      dot.getYMutable().assign(y);
      dot->removeAttr(tx::roundsToTF32Attr);
      dot->setAttr(tx::tf32Attr, b.getUnitAttr());
    });
    return success();
  }

private:
  /// Rounds to the nearest number of tf32, ties to even.
  static Value rounded(Value x, PatternRewriter &rewriter, Location loc) {
    builder::TensorBuilder b(rewriter, loc);
    constexpr int64_t unit = int64_t(1) << droppedBits;
    Value bits = b.bitcast(x, tx::DType::I32);
    Value shift = b.full(int64_t(droppedBits), tx::DType::I32);
    Value last = b.logicalAnd(b.map<tx::ShrLogicalOp>({bits, shift}), 1);
    Value half = b.add(last, unit / 2 - 1);
    Value kept = b.logicalAnd(b.add(bits, half), -unit);
    Value isFinite = b.test<tx::IsFiniteOp>({x});
    return b.select(isFinite, b.bitcast(kept, tx::DType::F32), b.add(x, x));
  }
};

/// Removes the attribute for a target that multiplies in f32.
struct UnmarkTF32Products : OpRewritePattern<tx::DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::DotGeneralOp dot,
                                PatternRewriter &b) const override {
    if (!dot->hasAttr(tx::tf32Attr) && !dot->hasAttr(tx::roundsToTF32Attr))
      return failure();
    b.modifyOpInPlace(dot, [&] {
      dot->removeAttr(tx::tf32Attr);
      dot->removeAttr(tx::roundsToTF32Attr);
    });
    return success();
  }
};
} // namespace

void addTF32ProductPatterns(RewritePatternSet &patterns,
                            const std::optional<codegen::TargetInfo> &target) {
  MLIRContext *context = patterns.getContext();
  if (target && target->multipliesTiles(FloatTF32Type::get(context)))
    patterns.add<MarkTF32Products, RoundToTF32>(context);
  else
    patterns.add<UnmarkTF32Products>(context);
}

} // namespace tensorc::compiler
