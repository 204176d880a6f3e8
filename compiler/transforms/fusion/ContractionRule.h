//===- ContractionRule.h - What contractions and attentions share ---------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_FUSION_CONTRACTIONRULE_H
#define TENSORC_COMPILER_TRANSFORMS_FUSION_CONTRACTIONRULE_H

#include "compiler/transforms/fusion/Group.h"

namespace tensorc::compiler {

/// One dot_general under an element-wise epilogue, which is its only output.
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
  /// Whether what is read at the index is computed below the sum, once per
  /// tile.
  virtual bool isRepeated(const Group &group, const Index &index) const;
  /// The group's dims become those of the result that it reads in their order
  /// or another, where `check` did not refuse.
  static void reorder(Group &group, mlir::Value result, RuleContext &context);
};

/// How many elements the operand's free dims have; none: the program's sizes
/// say.
std::optional<int64_t> countFree(mlir::Value operand,
                                 llvm::ArrayRef<int64_t> batch,
                                 llvm::ArrayRef<int64_t> summed);

/// Whether y is packed for a processor: blocks, what is summed in its order,
/// and the columns of a block. Its kernel stores along rows or columns.
bool isOfColumnBlocks(tx::DotGeneralOp dot);

/// Whether the op turns what such a product computes, or is computed of that.
bool isEpilogueOfTurned(mlir::Operation *op);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_FUSION_CONTRACTIONRULE_H
