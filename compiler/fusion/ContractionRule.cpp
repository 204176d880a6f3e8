//===- ContractionRule.cpp - A dot_general with prologue and epilogue -----===//

#include "compiler/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

Refusal checkContraction(const Group &group, Operation *op,
                         RuleContext &context) {
  if (group.kind != FusionKind::Loop)
    return "this kernel has a reduction or contraction already";
  return checkReadElementwise(group, op->getResult(0), context);
}

void joinContraction(Group &group, Operation *op, RuleContext &context) {
  auto dot = cast<tx::DotGeneralOp>(op);
  group.kind = FusionKind::Contraction;
  group.resultRank = group.shape.size();
  SmallVector<AffineExpr> x = context.names.dims(dot.getX().getType());
  for (int64_t d : dot.getXContracting())
    group.shape.push_back(x[d]);
  Index all = group.space(context.names).identity();
  unsigned batch = dot.getXBatch().size();
  unsigned nextFree = batch;
  auto read = [&](Value operand, ArrayRef<int64_t> batchDims,
                  ArrayRef<int64_t> sumDims) {
    Index index(cast<RankedTensorType>(operand.getType()).getRank());
    for (auto [i, d] : llvm::enumerate(batchDims))
      index[d] = all[i];
    for (auto [i, d] : llvm::enumerate(sumDims))
      index[d] = all[group.resultRank + i];
    for (AffineExpr &e : index)
      if (!e)
        e = all[nextFree++];
    group.addRead(operand, index);
  };
  read(dot.getX(), dot.getXBatch(), dot.getXContracting());
  read(dot.getY(), dot.getYBatch(), dot.getYContracting());
}

} // namespace tensorc::compiler
