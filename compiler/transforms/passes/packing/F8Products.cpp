//===- F8Products.cpp - Contractions of 8-bit floats ----------------------===//
//
// %0 = tx.dot_general %x, %y ... : (f8E4M3FN, f8E4M3FN) -> f32
// ->
// %a = tx.convert %x : f8E4M3FN -> bf16 ; %b likewise
// %0 = tx.dot_general %a, %b ... : (bf16, bf16) -> f32
//
// bf16 represents every 8-bit float, so the conversions are exact. They are
// fused into the contraction. A target that has no instruction for products of
// bf16 multiplies in f32.
//
// The instructions of GPUs for 8-bit floats are not used. They align the
// products of a step before adding them, and drop bits of f32 sums
// (docs/numerics.md).
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/packing/F8Products.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Tx.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
struct WidenF8Factors : OpRewritePattern<tx::DotGeneralOp> {
  WidenF8Factors(MLIRContext *context, Type factor)
      : OpRewritePattern(context, /*benefit=*/3), factor(factor) {}
  Type factor;

  LogicalResult matchAndRewrite(tx::DotGeneralOp dot,
                                PatternRewriter &b) const override {
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(
            dot.getX().getType().getElementType()))
      return failure();
    auto widened = [&](Value v) -> Value {
      Type type =
          tx::withElementType(cast<RankedTensorType>(v.getType()), factor);
      return tx::ConvertOp::create(b, dot.getLoc(), type, v);
    };
    Value x = widened(dot.getX()), y = widened(dot.getY());
    b.modifyOpInPlace(dot, [&] {
      dot.getXMutable().assign(x);
      dot.getYMutable().assign(y);
    });
    return success();
  }
};
} // namespace

void addF8ProductPatterns(RewritePatternSet &patterns,
                          const std::optional<codegen::TargetInfo> &target) {
  MLIRContext *context = patterns.getContext();
  bool multipliesBf16 =
      target && (target->getMatrixUnit() != codegen::MatrixUnit::None ||
                 target->multipliesPairs());
  patterns.add<WidenF8Factors>(context, multipliesBf16
                                            ? Type(BFloat16Type::get(context))
                                            : Float32Type::get(context));
}

} // namespace tensorc::compiler
