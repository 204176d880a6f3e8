//===- Gradients.h - Reverse-mode differentiation of tx functions ---------===//
//
// A gradient consists of tx ops. It is therefore simplified, fused and compiled
// like any expression, and can be differentiated again. Sizes keep their names.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_AUTODIFF_GRADIENTS_H
#define TENSORC_COMPILER_TRANSFORMS_AUTODIFF_GRADIENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

struct GradientOptions {
  /// Index of the result to differentiate, a float tensor of one element.
  unsigned of = 0;
  /// Indices of the arguments to differentiate with respect to. They are float
  /// tensors, and each is listed at most once.
  llvm::SmallVector<unsigned> wrt;
  /// The new function's name.
  std::string name;
};

/// True if values of this type have a gradient: tensors of floats that support
/// arithmetic.
bool isDifferentiable(mlir::Type type);

/// Adds a function after `function` with the same arguments. It returns the
/// results of `function`, then the gradients with respect to the arguments of
/// `wrt` in this order. If an op has no gradient, reports an error at the op.
mlir::FailureOr<mlir::func::FuncOp>
differentiate(mlir::func::FuncOp function, const GradientOptions &options);

struct PullbackOptions {
  /// Indices of the results that have cotangents, and of the arguments that get
  /// gradients. All are float tensors, and each is listed at most once.
  llvm::SmallVector<unsigned> of, wrt;
  /// If set, `of` has a single result with one element, whose cotangent is 1.
  /// Otherwise the function gets one more argument per result of `of`, which is
  /// the result's cotangent.
  bool isScalar = false;
};

/// Makes a function also return the gradients with respect to the arguments of
/// `wrt`. Expands its composites.
mlir::LogicalResult addPullback(mlir::func::FuncOp function,
                                const PullbackOptions &options);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_AUTODIFF_GRADIENTS_H
