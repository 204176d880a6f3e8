//===- AttentionRule.cpp - softmax(q kT) v, without scores in memory ------===//
//
// Unlike other kinds, this kind fuses its core at once: together with the
// second contraction it fuses either all ops from the first contraction on, or
// none of them. Ops that compute q, k, v, masks and biases are fused as in any
// kernel, and so is an epilogue.
//
// tx.attention is claimed as a whole, so its ops are known. In other programs
// they are found by pattern matching.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/plans/AttentionOrder.h"
#include "compiler/transforms/fusion/ContractionRule.h"
#include "ir/library/Library.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
class AttentionKind : public ContractionKind {
public:
  AttentionKind() : ContractionKind(tx::kinds::attention) {}

  Value claim(OpBuilder &b, Operation *composite,
              const codegen::TargetInfo &target) const override;
  bool join(Group &group, Operation *op, RuleContext &context) const override;
  Refusal checkAround(const Group &group, Operation *op,
                      RuleContext &context) const override;
  StringRef kernelName() const override { return "attention"; }

private:
  /// True for k, v and their producers, which are recomputed for each tile of
  /// queries. Scores and q are computed once.
  bool isRepeated(const Group &group, const Index &index) const override {
    unsigned key = group.resultRank;
    return dependsOn(index, key) &&
           (dependsOn(index, key - 1) || dependsOn(index, key + 1));
  }
};
} // namespace

const FusionKind &attentionKind() {
  static const AttentionKind kind;
  return kind;
}

static std::optional<int64_t> sizeOf(Value v, int64_t fromBack) {
  auto type = cast<RankedTensorType>(v.getType());
  int64_t dim = type.getRank() - 1 - fromBack;
  return type.isDynamicDim(dim) ? std::nullopt
                                : std::optional(type.getDimSize(dim));
}

Value AttentionKind::claim(OpBuilder &, Operation *composite,
                           const codegen::TargetInfo &target) const {
  auto op = dyn_cast<tx::AttentionOp>(composite);
  if (!op)
    return nullptr;
  for (Value v : {op.getQ(), op.getK(), op.getV()})
    if (llvm::is_contained(cast<RankedTensorType>(v.getType()).getShape(), 0))
      return nullptr;
  codegen::AttentionSizes sizes;
  sizes.rows = sizeOf(op.getQ(), 1);
  // Queries of heads that share keys form the rows of one product.
  if (sizes.rows)
    *sizes.rows *= static_cast<int64_t>(op.getGroups());
  sizes.keys = sizeOf(op.getK(), 1);
  sizes.depth = sizeOf(op.getQ(), 0);
  sizes.columns = sizeOf(op.getV(), 0);
  Type element = op.getType().getElementType();
  sizes.operands = sizes.result = element;
  sizes.accumulator =
      element.isF64() ? element : Float32Type::get(op.getContext());
  bool fits = codegen::chooseAttentionOrder(sizes, target).fits();
  return fits ? op.getResult() : Value();
}

/// Returns the ops between the weights and the products, each after its users.
static SmallVector<Operation *>
fromResult(const codegen::AttentionPattern &pattern) {
  SmallVector<Operation *> ops(pattern.ops.begin(), pattern.ops.end());
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  return ops;
}

static void readOperandsAt(Group &group, Operation *op, AffineExpr key,
                           RuleContext &context) {
  if (!op->hasTrait<tx::Reduction>())
    return readOperands(group, op, context);
  for (Index index : SmallVector<Index, 2>(group.reads[op->getResult(0)])) {
    index.push_back(key);
    group.addRead(op->getOperand(0), index);
  }
}

bool AttentionKind::join(Group &group, Operation *op,
                         RuleContext &context) const {
  auto dot = cast<tx::DotGeneralOp>(op);
  if (!context.target)
    return false;
  unsigned claim = context.claims.lookup(dot);
  auto isPart = [&](Operation *other) {
    return context.claims.lookup(other) == claim;
  };
  auto pattern = codegen::matchAttention(dot, context.names, isPart);
  if (!pattern)
    return false;
  auto order = codegen::chooseAttentionOrder(pattern->sizes(), *context.target);
  // CPU kernels load vectors of v along its columns, so a transposed v is
  // rejected for CPUs.
  bool isTurned = !context.onGrid() &&
                  dot.getYContracting().back() + 1 ==
                      cast<RankedTensorType>(dot.getY().getType()).getRank();
  if (isTurned)
    order = codegen::AttentionOrder::refuse("an attention's v lies along keys");
  if (!order.fits()) {
    group.notes.insert(StringAttr::get(op->getContext(), order.why));
    return false;
  }
  reorder(group, dot.getResult(), context);
  group.kind = this;
  group.resultRank = group.shape.size();
  group.shape = pattern->shape(context.names);
  Index all = group.space(context.names).identity();
  auto indices = pattern->indices(all);
  group.addRead(dot.getX(), indices.weights);
  group.addRead(dot.getY(), indices.v);
  for (Operation *inner : fromResult(*pattern)) {
    group.ops.insert(inner);
    if (inner != pattern->products)
      readOperandsAt(group, inner, all[pattern->keyDim()], context);
  }
  group.addRead(pattern->products.getX(), indices.q);
  group.addRead(pattern->products.getY(), indices.k);
  return true;
}

/// On a CPU each block of a few queries reads all of k and v, so fused
/// producers of k and v would be recomputed per block.
Refusal AttentionKind::checkAround(const Group &group, Operation *op,
                                   RuleContext &context) const {
  bool isOfKeys = llvm::any_of(
      group.reads.lookup(op->getResult(0)),
      [&](const Index &index) { return isRepeated(group, index); });
  if (isOfKeys && !context.onGrid() && op->hasTrait<tx::Elementwise>() &&
      !isFree(op))
    return "it would be computed again for every block of queries";
  return ContractionKind::checkAround(group, op, context);
}

} // namespace tensorc::compiler
