//===- Gradients.h - Reverse-mode differentiation of tx functions ---------===//
//
// A gradient is made of tx ops, so that it is simplified, fused and compiled
// like any expression, and can be differentiated again. Sizes keep their names.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_AUTODIFF_GRADIENTS_H
#define TENSORC_COMPILER_TRANSFORMS_AUTODIFF_GRADIENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

struct GradientOptions {
  /// The result to differentiate, a float of one element.
  unsigned of = 0;
  /// The arguments to differentiate by, floats; each at most once.
  llvm::SmallVector<unsigned> wrt;
  /// The new function's name.
  std::string name;
};

/// Whether values of this type have a gradient: tensors of floats that are
/// computed with.
bool isDifferentiable(mlir::Type type);

/// Adds behind `function` one of the same arguments that returns the results of
/// `function` and the gradients by the arguments of `wrt`, in this order. An
/// error is a diagnostic at the op that has no gradient.
mlir::FailureOr<mlir::func::FuncOp>
differentiate(mlir::func::FuncOp function, const GradientOptions &options);

struct PullbackOptions {
  /// The results that have cotangents, and the arguments that get gradients:
  /// floats, each at most once.
  llvm::SmallVector<unsigned> of, wrt;
  /// The one result of `of`, of one element, has the cotangent 1. Else the
  /// function gets an argument for the cotangent of each.
  bool isScalar = false;
};

/// Lets a function return the gradients by the arguments of `wrt` too.
/// Composites become the ops that they mean.
mlir::LogicalResult addPullback(mlir::func::FuncOp function,
                                const PullbackOptions &options);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_AUTODIFF_GRADIENTS_H
