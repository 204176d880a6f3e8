//===- MergeBlocks.cpp - Moves merging reshapes after element-wise ops ----===//
//
// If y is packed in blocks of columns, a reshape merges the blocks into one
// dim. The reshape is moved after the element-wise ops that follow, which then
// become the contraction's epilogue:
//   %r = tx.reshape %dot : 8x4x32 -> 8x128 ; %0 = tx.add %r, %bias
// becomes
//   %b = tx.reshape %bias : 8x128 -> 8x4x32
//   %s = tx.add %dot, %b ; %0 = tx.reshape %s : 8x4x32 -> 8x128
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/packing/MergeBlocks.h"
#include "compiler/transforms/fusion/ContractionRule.h"
#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {

/// Returns the contraction that computes the value, directly or through
/// element-wise ops; else null.
tx::DotGeneralOp productOf(Value v) {
  static constexpr size_t maxOps = 32;
  llvm::SetVector<Operation *> ops;
  ops.insert(v.getDefiningOp());
  for (size_t i = 0; i < ops.size() && i < maxOps; ++i) {
    Operation *op = ops[i];
    if (auto dot = dyn_cast_or_null<tx::DotGeneralOp>(op))
      return dot;
    if (op && (op->hasTrait<tx::Elementwise>() || isa<tx::TransposeOp>(op)))
      for (Value operand : op->getOperands())
        ops.insert(operand.getDefiningOp());
  }
  return {};
}

bool isOfBlocks(Value v) {
  tx::DotGeneralOp dot = productOf(v);
  return dot && isOfColumnBlocks(dot);
}

/// Returns the reshape that computes the value if it merges a packed product's
/// blocks into one dim of columns; else null.
tx::ReshapeOp mergeOf(Value v) {
  auto reshape = v.getDefiningOp<tx::ReshapeOp>();
  if (!reshape)
    return {};
  ArrayRef<shape::Dim> from = tx::dimsOf(reshape.getX().getType()),
                       to = tx::dimsOf(reshape.getType());
  if (to.size() < 2 || from.size() != to.size() + 1)
    return {};
  size_t same = 0;
  while (same < to.size() && from[same] == to[same])
    ++same;
  bool merges =
      same < to.size() && from.drop_front(same + 2) == to.drop_front(same + 1);
  return merges && isOfBlocks(reshape.getX()) ? reshape : tx::ReshapeOp();
}

struct MergeLater : RewritePattern {
  explicit MergeLater(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &b) const override {
    if (!op->hasTrait<tx::Elementwise>() || op->getNumResults() != 1)
      return failure();
    tx::ReshapeOp merge;
    for (Value operand : op->getOperands())
      if (!merge)
        merge = mergeOf(operand);
    // The other operands must not be products, because these have their own
    // epilogues.
    if (!merge || llvm::any_of(op->getOperands(), [](Value operand) {
          return productOf(operand) != nullptr;
        }))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    ArrayRef<shape::Dim> split = tx::dimsOf(merge.getX().getType());
    auto splitType = [&](Type each) {
      return tx::tensorType(split,
                            cast<RankedTensorType>(each).getElementType());
    };
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      auto its = cast<RankedTensorType>(operand.getType());
      if (its.getShape() != type.getShape())
        operands.push_back(operand); // of rank 0
      else if (auto same = mergeOf(operand);
               same && tx::dimsOf(same.getX().getType()) == split)
        operands.push_back(same.getX());
      else
        operands.push_back(tx::ReshapeOp::create(b, operand.getLoc(),
                                                 splitType(its), operand));
    }
    OperationState state(op->getLoc(), op->getName(), operands,
                         {splitType(type)}, op->getAttrs());
    Operation *made = b.create(state);
    b.replaceOpWithNewOp<tx::ReshapeOp>(op, type, made->getResult(0));
    return success();
  }
};
} // namespace

void addMergeBlocksPatterns(RewritePatternSet &patterns) {
  patterns.add<MergeLater>(patterns.getContext());
}

} // namespace tensorc::compiler
