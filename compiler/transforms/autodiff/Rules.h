//===- Rules.h - The gradient rule of each op -----------------------------===//
//
// A rule creates ops that compute the gradients of an op's operands from the
// gradients of its results. The rules of element-wise ops follow from
// `derivatives` in their definitions; the other rules are functions in this
// folder.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_AUTODIFF_RULES_H
#define TENSORC_COMPILER_TRANSFORMS_AUTODIFF_RULES_H

#include "ir/builder/TensorBuilder.h"

namespace tensorc::compiler::autodiff {

using builder::Dim;
using builder::Dims;
using builder::dimsOf;
using builder::DType;
using builder::dtypeOf;
using builder::Numbers;
using builder::rankOf;
using builder::TensorBuilder;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using mlir::Value;

/// The op whose gradients a rule adds.
class Pullback {
public:
  Pullback(mlir::OpBuilder &b, Operation *op, llvm::ArrayRef<Value> cotangents,
           llvm::ArrayRef<bool> wanted)
      : e(b, op), op(op), cotangents(cotangents), wanted(wanted),
        gradients(op->getNumOperands()) {}

  TensorBuilder e;
  Operation *op;
  /// The gradient of each result; null means 0.
  llvm::ArrayRef<Value> cotangents;
  /// Whether the gradient of each operand is needed.
  llvm::ArrayRef<bool> wanted;
  /// The gradient of each operand, set by the rule; null means 0.
  llvm::SmallVector<Value> gradients;
  /// Failure if the rule of an element-wise op reported an error.
  LogicalResult state = success();

  bool wants(unsigned operand) const { return wanted[operand]; }
  void set(unsigned operand, Value gradient) { gradients[operand] = gradient; }
  /// Sets the gradient of an operand to make() if it is wanted.
  template <typename Fn> void give(unsigned operand, Fn make) {
    if (wants(operand))
      set(operand, make());
  }
  /// Reports an error with a remedy if the gradient of the operand is wanted.
  void refuse(unsigned operand, llvm::StringRef name, llvm::StringRef remedy) {
    if (wants(operand))
      state = op->emitOpError()
              << "has no derivative by " << name << ": " << remedy;
  }
  Value zerosLike(Value x) { return e.full(0.0, dtypeOf(x), dimsOf(x)); }
};

/// Adds the gradients of the operands that are wanted. Fails with a diagnostic
/// at the op if it has none.
LogicalResult pullBack(Pullback &p);

/// Gradient of a call named collective (CollectiveRules.cpp).
LogicalResult pullBackCollective(Pullback &p);
/// Gradient of a call named linalg.* (LinearAlgebraRules.cpp).
LogicalResult pullBackLinearAlgebra(Pullback &p);

/// Adds the gradients of an element-wise op; returns false for other ops.
bool pullBackElementwise(Pullback &p);

/// The gradient rules of all other ops that have a gradientRule. They compute
/// the operands' gradients from the result's gradient, g. They are defined in
/// MovementRules.cpp, ReductionRules.cpp and IndexingRules.cpp.
#define TENSORC_GRADIENT_RULE(Op)                                              \
  LogicalResult pullBack(tx::Op op, Value g, Pullback &p);
#include "compiler/transforms/autodiff/RuleFunctions.inc"
#undef TENSORC_GRADIENT_RULE

} // namespace tensorc::compiler::autodiff

#endif // TENSORC_COMPILER_TRANSFORMS_AUTODIFF_RULES_H
