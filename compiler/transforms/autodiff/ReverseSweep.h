//===- ReverseSweep.h - Gradients through a block -------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_AUTODIFF_REVERSESWEEP_H
#define TENSORC_COMPILER_TRANSFORMS_AUTODIFF_REVERSESWEEP_H

#include "compiler/transforms/autodiff/Rules.h"
#include "ir/library/Library.h"

#include "llvm/ADT/DenseSet.h"

namespace tensorc::compiler::autodiff {

/// From values of a block back to values that they were made of. Only ops on
/// the way between the two get a gradient.
class ReverseSweep {
public:
  /// `inputs`: values of the block by which it is differentiated.
  ReverseSweep(mlir::Block &block, llvm::ArrayRef<Value> inputs);
  /// Through these ops only, operands first.
  ReverseSweep(llvm::ArrayRef<Operation *> ops, llvm::ArrayRef<Value> inputs);

  /// Adds to the gradient of a value.
  void seed(Value value, Value gradient, TensorBuilder &e);
  /// Adds the gradients' ops where the builder is, behind all ops of the block.
  LogicalResult run(mlir::OpBuilder &b);
  /// Null: 0.
  Value gradient(Value value) const { return gradients.lookup(value); }
  Value gradientOrZeros(Value value, TensorBuilder &e) const;

private:
  llvm::SmallVector<Operation *> ops;
  /// What depends on the inputs as floats do.
  llvm::DenseSet<Value> varied;
  llvm::DenseMap<Value, Value> gradients;
};

/// Composites whose gradient is better than that of what they mean
/// (CompositeRules.cpp).
bool hasOwnRule(Operation *op);
LogicalResult pullBackComposite(Pullback &p);
/// Convolutions (ConvolutionRules.cpp).
void pullBackConvolution(tx::ConvOp op, Value g, Pullback &p);
void pullBackConvolution(tx::ConvTransposeOp op, Value g, Pullback &p);
/// tx.if, tx.switch: the branch that ran is run again, and back.
LogicalResult pullBackBranch(Pullback &p);
/// tx.scan: a scan in the other direction (LoopRules.cpp).
LogicalResult pullBackScan(Pullback &p);
/// tx.while with a bound: a scan of branches.
LogicalResult pullBackWhile(Pullback &p);
/// tx.custom_vjp: its second block.
LogicalResult pullBackCustomVjp(Pullback &p);
/// tx.custom_call: its `derivative` is called.
LogicalResult pullBackCustomCall(Pullback &p);

} // namespace tensorc::compiler::autodiff

#endif // TENSORC_COMPILER_TRANSFORMS_AUTODIFF_REVERSESWEEP_H
