//===- SimplifyTensors.cpp - Simplifications that preserve every bit ------===//
//
//   broadcast (broadcast x)         -> broadcast x
//   broadcast x                     -> reshape x     (unit dims only, in memory)
//   dot_general (transpose x), y    -> dot_general x, y over other dims
//   dot_general x, (reshape q)      -> dot_general (reshape x), q over groups
//   convert (reshape q)             -> reshape (convert q)
//   slice (slice x)                 -> slice x
//   dynamic_update_slice x, y[i]    -> y             (y as large as x)
//   flip (flip x)                   -> x
//   flip (cumsum x)                 -> cumsum (flip x) from the other end
//   add (reshape x), 1              -> reshape (add x, 1)    (unit dims only)
//   x / 4                           -> x * 0.25      (exact for powers of two)
//   pow x, 2                        -> x * x         (both round once)
//   pow x, 1 -> x;  pow x, -1       -> 1 / x
//
// Only rewrites that give the same bits on every input, including NaN,
// infinities and the sign of zero. Folds of single ops are in ir/tx, those of ops
// on constants in FoldConstants.cpp.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/fusion/ContractionRule.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/memory/DropLoopResults.h"
#include "compiler/transforms/passes/simplify/FoldConstants.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_SIMPLIFYTENSORSPASS
#include "compiler/transforms/passes/Passes.h.inc"

namespace {

/// Returns the value of a splat float constant, looking through broadcasts.
std::optional<APFloat> splatFloat(Value v) {
  while (auto broadcast = v.getDefiningOp<tx::BroadcastOp>())
    v = broadcast.getX();
  auto constant = v.getDefiningOp<tx::ConstantOp>();
  if (!constant)
    return std::nullopt;
  auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
  if (!splat || !isa<FloatType>(splat.getElementType()))
    return std::nullopt;
  return splat.getSplatValue<APFloat>();
}

/// Returns a constant of the type with all elements equal to `value`.
Value splatOf(PatternRewriter &b, Location loc, RankedTensorType type,
              const APFloat &value) {
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value constant = tx::ConstantOp::create(
      b, loc, scalar, DenseElementsAttr::get(scalar, value));
  return b.createOrFold<tx::BroadcastOp>(loc, type, constant,
                                         ArrayRef<int64_t>{});
}

struct BroadcastOfBroadcast : OpRewritePattern<tx::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tx::BroadcastOp op,
                                PatternRewriter &b) const override {
    auto inner = op.getX().getDefiningOp<tx::BroadcastOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> dims;
    for (int64_t d : inner.getDims())
      dims.push_back(op.getDims()[d]);
    b.replaceOpWithNewOp<tx::BroadcastOp>(op, op.getType(), inner.getX(), dims);
    return success();
  }
};

/// A broadcast that only adds unit dims is a view of x if no kernel reads it.
struct UnitDimsInMemory : OpRewritePattern<tx::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tx::BroadcastOp op,
                                PatternRewriter &b) const override {
    auto isOutside = [](Operation *user) {
      return user->hasTrait<OpTrait::IsTerminator>() || tx::isBranch(user) ||
             isa<tx::WhileOp, tx::ScanOp, tx::CustomCallOp>(user);
    };
    RankedTensorType from = op.getX().getType(), to = op.getType();
    if (!from.hasStaticShape() || !to.hasStaticShape() ||
        from.getNumElements() != to.getNumElements() ||
        !llvm::all_of(op->getUsers(), isOutside))
      return failure();
    b.replaceOpWithNewOp<tx::ReshapeOp>(op, to, op.getX());
    return success();
  }
};

struct SliceOfSlice : OpRewritePattern<tx::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tx::SliceOp op,
                                PatternRewriter &b) const override {
    auto inner = op.getX().getDefiningOp<tx::SliceOp>();
    // Slices with dynamic offsets are not merged, because the run-time check of
    // each offset refers to the slice's own operand.
    if (!inner || !inner.getOffsets().empty() || !op.getOffsets().empty() ||
        !op.getX().getType().hasStaticShape())
      return failure();
    SmallVector<int64_t> offsets, strides;
    for (auto [from, by, o, s] :
         llvm::zip(inner.getStaticOffsets(), inner.getStrides(),
                   op.getStaticOffsets(), op.getStrides())) {
      offsets.push_back(from + o * by);
      strides.push_back(by * s);
    }
    b.replaceOpWithNewOp<tx::SliceOp>(op, op.getType(), inner.getX(),
                                      ValueRange(), offsets, strides);
    return success();
  }
};

/// Offsets are clamped so that the update lies inside x, so an update of the
/// size of x is at offset 0.
struct UpdateOfAll : OpRewritePattern<tx::DynamicUpdateSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tx::DynamicUpdateSliceOp op,
                                PatternRewriter &b) const override {
    if (op.getUpdate().getType() != op.getType() ||
        !op.getType().hasStaticShape())
      return failure();
    b.replaceOp(op, op.getUpdate());
    return success();
  }
};

/// True if the slice keeps or reverses each whole dim of x. As all elements lie
/// inside x, the offsets are determined by the strides.
bool isFlip(tx::SliceOp op) {
  return op.getX().getType() == op.getType() && op.getType().hasStaticShape() &&
         llvm::all_of(op.getStrides(),
                      [](int64_t s) { return s == 1 || s == -1; });
}

struct FlipOfFlip : OpRewritePattern<tx::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tx::SliceOp op,
                                PatternRewriter &b) const override {
    auto inner = op.getX().getDefiningOp<tx::SliceOp>();
    if (!inner || !isFlip(op) || !isFlip(inner) ||
        op.getStrides() != inner.getStrides())
      return failure();
    b.replaceOp(op, inner.getX());
    return success();
  }
};

/// True if a scan from the other end has the same bits. Float scans are
/// computed in lanes (up to 64) and chunks (4096 elements) that begin at the
/// first element, so the order is the same only if all lanes and chunks are
/// full.
bool isSameFromEitherEnd(Operation *scan, int64_t size) {
  bool isExact = isa<tx::CummaxOp, tx::CumminOp>(scan) ||
                 getElementTypeOrSelf(scan->getResult(0)).isInteger();
  return isExact || size % 4096 == 0 || (size < 4096 && size % 64 == 0);
}

/// Moves a flip of a scan's result to the scan's operand, where the flip only
/// changes the index. Otherwise the flip would need its own kernel.
struct FlipOfScan : OpRewritePattern<tx::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tx::SliceOp op,
                                PatternRewriter &b) const override {
    Operation *scan = op.getX().getDefiningOp();
    if (!scan || !scan->hasTrait<tx::Scan>() || !scan->hasOneUse() ||
        !isFlip(op))
      return failure();
    int64_t dim = scan->getAttrOfType<IntegerAttr>("dim").getInt();
    bool flipsDim = op.getStrides()[dim] == -1;
    if (flipsDim && !isSameFromEitherEnd(scan, op.getType().getDimSize(dim)))
      return failure();
    auto flipped = tx::SliceOp::create(b, op.getLoc(), op.getType(),
                                       scan->getOperand(0), op.getOffsets(),
                                       op.getStaticOffsets(), op.getStrides());
    Operation *moved = b.clone(*scan);
    moved->setOperand(0, flipped);
    if (flipsDim) {
      if (moved->hasAttr("reverse"))
        moved->removeAttr("reverse");
      else
        moved->setAttr("reverse", b.getUnitAttr());
    }
    b.replaceOp(op, moved);
    return success();
  }
};

/// Returns the value before dims of size one were added, or null if none were
/// added.
Value beforeUnitDims(Value v) {
  auto reshape = v.getDefiningOp<tx::ReshapeOp>();
  if (!reshape)
    return nullptr;
  auto from = reshape.getX().getType(), to = reshape.getType();
  auto dimsOf = [](RankedTensorType type) {
    SmallVector<shape::Dim> dims(tx::dimsOf(type));
    llvm::erase(dims, shape::Dim(1));
    return dims;
  };
  bool adds = from.getRank() < to.getRank() && dimsOf(from) == dimsOf(to);
  return adds ? reshape.getX() : Value();
}

/// Moves element-wise ops before the reshape that adds unit dims to a reduced
/// value, so that they are fused with the reduction. The pattern matches any
/// op: a pattern for a trait would check all registered ops at each run of the
/// pass, which took 5 % of a small compilation.
struct ElementwiseOfUnitDims : RewritePattern {
  ElementwiseOfUnitDims(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &b) const override {
    if (!op->hasTrait<tx::Elementwise>())
      return failure();
    RankedTensorType part;
    for (Value operand : op->getOperands())
      if (Value x = beforeUnitDims(operand))
        part = cast<RankedTensorType>(x.getType());
    if (!part || op->getNumResults() != 1 ||
        !llvm::all_of(op->getOperands(),
                      [&](Value operand) { return has(operand, part); }))
      return failure();
    auto withElement = [&](Value v) {
      return part.clone(getElementTypeOrSelf(v.getType()));
    };
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(without(operand, withElement(operand), b));
    Operation *moved = b.clone(*op);
    moved->setOperands(operands);
    moved->getResult(0).setType(withElement(moved->getResult(0)));
    b.replaceOpWithNewOp<tx::ReshapeOp>(op, op->getResult(0).getType(),
                                        moved->getResult(0));
    return success();
  }

private:
  /// True if the value has the elements of `part`, except for added unit dims,
  /// or all its elements are equal.
  static bool has(Value v, RankedTensorType part) {
    if (Value x = beforeUnitDims(v))
      return tx::dimsOf(cast<RankedTensorType>(x.getType())) ==
             tx::dimsOf(part);
    if (auto broadcast = v.getDefiningOp<tx::BroadcastOp>())
      return broadcast.getX().getType().getRank() == 0;
    auto constant = v.getDefiningOp<tx::ConstantOp>();
    return constant && isa<SplatElementsAttr>(constant.getValue());
  }

  static Value without(Value v, RankedTensorType part, PatternRewriter &b) {
    if (Value x = beforeUnitDims(v))
      return x;
    if (auto broadcast = v.getDefiningOp<tx::BroadcastOp>())
      return tx::BroadcastOp::create(b, v.getLoc(), part, broadcast.getX(),
                                     ArrayRef<int64_t>{});
    auto splat =
        cast<SplatElementsAttr>(v.getDefiningOp<tx::ConstantOp>().getValue());
    return tx::ConstantOp::create(b, v.getLoc(), part, splat.resizeSplat(part));
  }
};

/// Maps dims of the transposed operand to those of the transpose's operand.
/// Returns nullopt if the order of the free dims, which become the result's
/// dims, changes.
std::optional<SmallVector<int64_t>> throughTranspose(tx::TransposeOp transpose,
                                                     ArrayRef<int64_t> batch,
                                                     ArrayRef<int64_t> sum) {
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  int64_t last = -1;
  for (int64_t d = 0; d < static_cast<int64_t>(permutation.size()); ++d) {
    if (llvm::is_contained(batch, d) || llvm::is_contained(sum, d))
      continue;
    if (permutation[d] < last)
      return std::nullopt;
    last = permutation[d];
  }
  return SmallVector<int64_t>(permutation);
}

/// True if the transpose packs y's columns into blocks (FoldPacking.cpp).
bool packs(tx::TransposeOp transpose, tx::DotGeneralOp dot) {
  return isOfColumnBlocks(dot) &&
         transpose.getX().getDefiningOp<tx::ReshapeOp>();
}

struct DotOfTranspose : OpRewritePattern<tx::DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tx::DotGeneralOp op,
                                PatternRewriter &b) const override {
    auto map = [](ArrayRef<int64_t> permutation, ArrayRef<int64_t> dims) {
      SmallVector<int64_t> result;
      for (int64_t d : dims)
        result.push_back(permutation[d]);
      return result;
    };
    if (auto x = op.getX().getDefiningOp<tx::TransposeOp>())
      if (auto p = throughTranspose(x, op.getXBatch(), op.getXContracting())) {
        b.modifyOpInPlace(op, [&] {
          op.setXBatch(map(*p, op.getXBatch()));
          op.setXContracting(map(*p, op.getXContracting()));
          op.getXMutable().assign(x.getX());
        });
        return success();
      }
    if (auto y = op.getY().getDefiningOp<tx::TransposeOp>(); y && !packs(y, op))
      if (auto p = throughTranspose(y, op.getYBatch(), op.getYContracting())) {
        b.modifyOpInPlace(op, [&] {
          op.setYBatch(map(*p, op.getYBatch()));
          op.setYContracting(map(*p, op.getYContracting()));
          op.getYMutable().assign(y.getX());
        });
        return success();
      }
    return failure();
  }
};

/// True if the value is computed element-wise from 8-bit elements, such as a
/// weight that is dequantized when it is read.
bool isDequantized(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (auto convert = dyn_cast<tx::ConvertOp>(op))
      if (getElementTypeOrSelf(convert.getX()).getIntOrFloatBitWidth() == 8)
        return true;
    if (!isa<tx::TransposeOp, tx::MulOp, tx::SubOp, tx::ConvertOp>(op))
      return false;
    v = op->getOperand(0);
  }
  return false;
}

/// Returns, for each dim of the reshape's result, the dims of its operand that
/// are merged into it. Returns nullopt unless each dim other than the reduced
/// one consists of a single dim.
std::optional<SmallVector<SmallVector<int64_t>>>
partsOf(tx::ReshapeOp reshape, ArrayRef<int64_t> summed) {
  ArrayRef<int64_t> from = reshape.getX().getType().getShape();
  auto to = reshape.getType();
  if (!reshape.getX().getType().hasStaticShape() || !to.hasStaticShape())
    return std::nullopt;
  SmallVector<SmallVector<int64_t>> parts(to.getRank());
  size_t next = 0;
  for (int64_t d = 0; d < to.getRank(); ++d) {
    int64_t size = 1;
    do {
      if (next == from.size())
        return std::nullopt;
      size *= from[next];
      parts[d].push_back(next++);
    } while (size < to.getDimSize(d));
    if (size != to.getDimSize(d) ||
        (parts[d].size() > 1 && !llvm::is_contained(summed, d)))
      return std::nullopt;
  }
  if (next != from.size())
    return std::nullopt;
  return parts;
}

/// Splits the reduction into one over groups and one over the elements of a
/// group, in the same order. The scale of each element is then found without a
/// division.
struct DotOfGroups : OpRewritePattern<tx::DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::DotGeneralOp op,
                                PatternRewriter &b) const override {
    return success(regroup(op, /*isX=*/false, b) ||
                   regroup(op, /*isX=*/true, b));
  }

private:
  static bool regroup(tx::DotGeneralOp op, bool isX, PatternRewriter &b) {
    auto reshape = (isX ? op.getX() : op.getY()).getDefiningOp<tx::ReshapeOp>();
    if (!reshape || !isDequantized(reshape.getX()))
      return false;
    TypedValue<RankedTensorType> other = isX ? op.getY() : op.getX();
    SmallVector<int64_t> summed(isX ? op.getXContracting()
                                    : op.getYContracting()),
        otherSummed(isX ? op.getYContracting() : op.getXContracting()),
        batch(isX ? op.getXBatch() : op.getYBatch()),
        otherBatch(isX ? op.getYBatch() : op.getXBatch());
    auto parts = partsOf(reshape, summed);
    if (!parts)
      return false;
    ArrayRef<int64_t> sizes = reshape.getX().getType().getShape();
    // Splits the dims of the other operand in the same way.
    SmallVector<shape::Dim> shape;
    SmallVector<int64_t> starts, newSummed, newOtherSummed;
    for (auto [d, size] : llvm::enumerate(builder::dimsOf(other))) {
      starts.push_back(shape.size());
      const auto *at = llvm::find(otherSummed, static_cast<int64_t>(d));
      if (at == otherSummed.end()) {
        shape.push_back(size);
        continue;
      }
      for (int64_t part : (*parts)[summed[at - otherSummed.begin()]])
        shape.push_back(sizes[part]);
    }
    for (auto [own, its] : llvm::zip(summed, otherSummed))
      for (auto [i, part] : llvm::enumerate((*parts)[own])) {
        newSummed.push_back(part);
        newOtherSummed.push_back(starts[its] + i);
      }
    for (int64_t &d : batch)
      d = (*parts)[d].front();
    for (int64_t &d : otherBatch)
      d = starts[d];
    Value split = builder::TensorBuilder(b, op).reshape(other, shape);
    b.modifyOpInPlace(op, [&] {
      op.setXBatch(isX ? batch : otherBatch);
      op.setYBatch(isX ? otherBatch : batch);
      op.setXContracting(isX ? newSummed : newOtherSummed);
      op.setYContracting(isX ? newOtherSummed : newSummed);
      op.getXMutable().assign(isX ? reshape.getX() : split);
      op.getYMutable().assign(isX ? split : reshape.getX());
    });
    return true;
  }
};

/// Moves a conversion of dequantized groups before the reshape that merges the
/// groups, so that the patterns of the contraction find the groups.
struct ConvertOfGroups : OpRewritePattern<tx::ConvertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tx::ConvertOp op,
                                PatternRewriter &b) const override {
    auto reshape = op.getX().getDefiningOp<tx::ReshapeOp>();
    if (!reshape || !isDequantized(reshape.getX()))
      return failure();
    Type from = tx::withElementType(reshape.getX().getType(),
                                    op.getType().getElementType());
    Value converted =
        tx::ConvertOp::create(b, op.getLoc(), from, reshape.getX());
    b.replaceOpWithNewOp<tx::ReshapeOp>(op, op.getType(), converted);
    return success();
  }
};

struct DivideByPowerOfTwo : OpRewritePattern<tx::DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tx::DivOp op,
                                PatternRewriter &b) const override {
    std::optional<APFloat> divisor = splatFloat(op.getY());
    APFloat inverse(0.0);
    // Requires that the inverse is exact and normal.
    if (!divisor || !divisor->getExactInverse(&inverse))
      return failure();
    Value factor = splatOf(b, op.getLoc(), op.getType(), inverse);
    b.replaceOpWithNewOp<tx::MulOp>(op, op.getX(), factor);
    return success();
  }
};

struct PowerOfConstant : OpRewritePattern<tx::PowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tx::PowOp op,
                                PatternRewriter &b) const override {
    std::optional<APFloat> exponent = splatFloat(op.getY());
    if (!exponent)
      return failure();
    if (exponent->isExactlyValue(1.0)) {
      b.replaceOp(op, op.getX());
      return success();
    }
    if (exponent->isExactlyValue(2.0)) {
      b.replaceOpWithNewOp<tx::MulOp>(op, op.getX(), op.getX());
      return success();
    }
    if (!exponent->isExactlyValue(-1.0))
      return failure();
    Value one = splatOf(b, op.getLoc(), op.getType(),
                        APFloat::getOne(exponent->getSemantics()));
    b.replaceOpWithNewOp<tx::DivOp>(op, one, op.getX());
    return success();
  }
};

struct SimplifyTensors : impl::SimplifyTensorsPassBase<SimplifyTensors> {
  using SimplifyTensorsPassBase::SimplifyTensorsPassBase;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    populateDropLoopResults(patterns);
    patterns.add<BroadcastOfBroadcast, UnitDimsInMemory, SliceOfSlice,
                 UpdateOfAll, FlipOfFlip, FlipOfScan, ElementwiseOfUnitDims,
                 DotOfTranspose, DotOfGroups, ConvertOfGroups, PowerOfConstant>(
        context);
    // Divisors and other constants may be sizes.
    if (!keepsDivisions) {
      patterns.add<DivideByPowerOfTwo>(context);
      populateFoldConstants(patterns);
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

} // namespace tensorc::compiler
