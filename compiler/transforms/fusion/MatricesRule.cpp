//===- MatricesRule.cpp - Linear algebra on small matrices ----------------===//
//
// This rule is only for GPUs. The producers of matrices and right-hand sides
// are fused: each element is computed once, into shared memory. Element-wise
// users of the result are fused as well.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/fusion/Group.h"

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
  bool computesOnce(const Group &group, const Index &index) const override;
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

namespace {
/// The dims of a call's iteration space: those of the result, followed by the
/// rows and columns of the matrices. The real and imaginary parts of complex
/// numbers are the result's last dim.
struct MatrixDims {
  explicit MatrixDims(Operation *op) {
    auto call = cast<tx::CustomCallOp>(op);
    SmallVector<StringRef> options;
    call.getConfig().value_or("").split(options, ' ');
    arePairs = llvm::is_contained(options, "pairs");
    auto matrices = cast<RankedTensorType>(call.getInputs()[0].getType());
    batch = matrices.getRank() - 2 - arePairs;
  }
  bool arePairs;
  unsigned batch;
};
} // namespace

/// An element is computed once in the loops over the batch and over the rows
/// and columns of a matrix. One thread computes both parts of a complex number.
bool MatricesKind::computesOnce(const Group &group, const Index &index) const {
  auto isCall = [](Operation *op) { return tx::isOfSmallMatrices(op); };
  MatrixDims dims(*llvm::find_if(group.ops, isCall));
  unsigned rank = group.resultRank;
  return group.usesDims(index, 0, dims.batch) &&
         (group.usesDims(index, dims.batch, rank - dims.arePairs) ||
          group.usesDims(index, rank, rank + 2));
}

bool MatricesKind::join(Group &group, Operation *op,
                        RuleContext &context) const {
  MatrixDims dims(op);
  Value matrices = op->getOperand(0);
  group.kind = this;
  unsigned rank = group.resultRank = group.shape.size();
  SmallVector<AffineExpr> sizes =
      context.names.dims(cast<RankedTensorType>(matrices.getType()));
  group.shape.append({sizes[dims.batch], sizes[dims.batch + 1]});
  Index all = group.space(context.names).identity();
  Index sides(ArrayRef(all).take_front(rank));
  Index elements(ArrayRef(all).take_front(dims.batch));
  elements.append({all[rank], all[rank + 1]});
  if (dims.arePairs)
    elements.push_back(all[rank - 1]);
  group.addRead(matrices, elements);
  if (op->getNumOperands() > 1)
    group.addRead(op->getOperand(1), sides);
  return true;
}

} // namespace tensorc::compiler
