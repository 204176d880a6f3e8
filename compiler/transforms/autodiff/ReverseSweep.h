//===- ReverseSweep.h - Reverse-mode differentiation of a block -----------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_AUTODIFF_REVERSESWEEP_H
#define TENSORC_COMPILER_TRANSFORMS_AUTODIFF_REVERSESWEEP_H

#include "compiler/transforms/autodiff/Rules.h"
#include "ir/library/Library.h"

#include "llvm/ADT/DenseSet.h"

namespace tensorc::compiler::autodiff {

/// Propagates gradients from values of a block back to the values from which
/// they were computed. Only ops between the two get a gradient.
class ReverseSweep {
public:
  /// `inputs`: values of the block with respect to which it is differentiated.
  ReverseSweep(mlir::Block &block, llvm::ArrayRef<Value> inputs);
  /// Sweeps only through `ops`, which are listed with operands before users.
  ReverseSweep(llvm::ArrayRef<Operation *> ops, llvm::ArrayRef<Value> inputs);

  /// Adds `gradient` to the gradient of a value.
  void seed(Value value, Value gradient, TensorBuilder &e);
  /// Adds the ops of the gradients at the insertion point, which is after all
  /// ops of the block.
  LogicalResult run(mlir::OpBuilder &b);
  /// Returns the gradient of a value; null means zeros.
  Value gradient(Value value) const { return gradients.lookup(value); }
  Value gradientOrZeros(Value value, TensorBuilder &e) const;

private:
  llvm::SmallVector<Operation *> ops;
  /// Values that depend differentiably on the inputs.
  llvm::DenseSet<Value> varied;
  llvm::DenseMap<Value, Value> gradients;
};

/// True for composites whose own gradient rule is better than the gradient of
/// their expansion (CompositeRules.cpp).
bool hasOwnRule(Operation *op);
LogicalResult pullBackComposite(Pullback &p);
/// Gradient of a convolution (ConvolutionRules.cpp).
void pullBackConvolution(tx::ConvOp op, Value g, Pullback &p);
void pullBackConvolution(tx::ConvTransposeOp op, Value g, Pullback &p);
/// Gradient of tx.if and tx.switch: runs the taken branch again, followed by
/// its pullback.
LogicalResult pullBackBranch(Pullback &p);
/// Gradient of tx.scan: a scan in the opposite direction (LoopRules.cpp).
LogicalResult pullBackScan(Pullback &p);
/// Gradient of tx.while with a bound: a scan of branches.
LogicalResult pullBackWhile(Pullback &p);
/// Gradient of tx.custom_vjp: its second block.
LogicalResult pullBackCustomVjp(Pullback &p);
/// Gradient of tx.custom_call: a call of its `derivative`.
LogicalResult pullBackCustomCall(Pullback &p);

} // namespace tensorc::compiler::autodiff

#endif // TENSORC_COMPILER_TRANSFORMS_AUTODIFF_REVERSESWEEP_H
