//===- ContractionRule.h - Rules shared by contractions and attention -----===//
#ifndef TENSORC_COMPILER_TRANSFORMS_FUSION_CONTRACTIONRULE_H
#define TENSORC_COMPILER_TRANSFORMS_FUSION_CONTRACTIONRULE_H

#include "compiler/transforms/fusion/Group.h"

namespace tensorc::compiler {

/// One dot_general followed by an element-wise epilogue, whose result is the
/// only output.
class ContractionKind : public FusionKind {
public:
  using FusionKind::FusionKind;

  Refusal check(const Group &group, mlir::Operation *op,
                RuleContext &context) const override;
  bool join(Group &group, mlir::Operation *op,
            RuleContext &context) const override;
  Refusal checkAround(const Group &group, mlir::Operation *op,
                      RuleContext &context) const override;
  bool mayStore(const Group &, mlir::Value, const Index &,
                tx::DimSpace &) const override {
    return false;
  }
  bool mayMerge(const Group &, const Group &) const override { return false; }

protected:
  /// True if the value that is read at the index is computed inside the
  /// reduction loop, once per tile.
  virtual bool isRepeated(const Group &group, const Index &index) const;
  /// Renumbers the group's dims so that they are the result's dims in order.
  /// The group may read the result transposed; requires that `check` did not
  /// refuse.
  static void reorder(Group &group, mlir::Value result, RuleContext &context);
};

/// Returns the number of elements along the operand's free dims, or nullopt if
/// it is known only at run time.
std::optional<int64_t> countFree(mlir::Value operand,
                                 llvm::ArrayRef<int64_t> batch,
                                 llvm::ArrayRef<int64_t> summed);

/// True if y is packed for a CPU: [blocks, reduction dims in their order,
/// columns of a block], or in words (shape::columnWords). The CPU kernel can
/// then store rows or columns contiguously.
bool isOfColumnBlocks(tx::DotGeneralOp dot);

/// True if the op transposes the result of such a product, or is computed from
/// the transposed result by an epilogue.
bool isEpilogueOfTransposed(mlir::Operation *op);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_FUSION_CONTRACTIONRULE_H
