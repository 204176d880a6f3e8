//===- MatricesRule.cpp - Factorizations of small matrices ----------------===//
//
// On a grid only. What computes the matrices and right-hand sides joins: each
// element is computed once, into shared memory. What is made of the result,
// element by element, joins as well.
//
//===----------------------------------------------------------------------===//

#include "compiler/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
class MatricesKind : public FusionKind {
public:
  MatricesKind() : FusionKind(tx::kinds::matrices) {}

  Refusal check(const Group &group, Operation *op,
                RuleContext &context) const override {
    return checkReadElementwise(group, op->getResult(0), context);
  }
  bool join(Group &group, Operation *op, RuleContext &context) const override;
  /// In loops over the batch, and over rows and columns of one matrix.
  bool computesOnce(const Group &group, const Index &index) const override {
    unsigned columns = group.resultRank - 1;
    return group.usesDims(index, 0, columns) &&
           (group.usesDims(index, columns, columns + 1) ||
            group.usesDims(index, columns + 1, columns + 2));
  }
  bool mayStore(const Group &, Value, const Index &,
                tx::DimSpace &) const override {
    return false;
  }
  bool mayMerge(const Group &, const Group &) const override { return false; }
};
} // namespace

const FusionKind &matricesKind() {
  static const MatricesKind kind;
  return kind;
}

/// The dims of the result, and behind them the columns of the matrices.
bool MatricesKind::join(Group &group, Operation *op,
                        RuleContext &context) const {
  Value matrices = op->getOperand(0);
  group.kind = this;
  group.resultRank = group.shape.size();
  group.shape.push_back(
      context.names.dims(cast<RankedTensorType>(matrices.getType())).back());
  Index all = group.space(context.names).identity();
  Index sides(ArrayRef(all).drop_back());
  Index columns = sides;
  columns.back() = all.back();
  group.addRead(matrices, columns);
  if (op->getNumOperands() > 1)
    group.addRead(op->getOperand(1), sides);
  return true;
}

} // namespace tensorc::compiler
