//===- Derived.h - Programs derived from recorded functions ---------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_DERIVED_H
#define TENSORC_COMPILER_SESSION_DERIVE_DERIVED_H

#include "compiler/graph/Dependents.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::derive {

/// A recorded function that is converted to a function of the IR, transformed,
/// and recorded again on other values.
struct Derivation {
  /// The public function, e.g. "grad", and its effect, e.g. "differentiated":
  /// for errors.
  const char *called, *made;
  llvm::ArrayRef<graph::NodeRef> arguments, results;
  /// See collectDependents.
  llvm::function_ref<bool(const graph::Node &user, unsigned operand)> isInside;
  /// The arguments of the transformed function are `values`, the captured
  /// values of the recorded one, and `more`.
  llvm::ArrayRef<graph::NodeRef> values, more;
  /// Returns the transformed function, the only one in the module. Before, it
  /// has `inputs` arguments.
  llvm::function_ref<mlir::FailureOr<mlir::func::FuncOp>(
      mlir::func::FuncOp function, size_t inputs)>
      change;
};
/// Returns the results of the transformed function, those of the recorded one
/// first; none after an error.
llvm::SmallVector<graph::NodeRef> derive(graph::Recorder &r,
                                         const Derivation &derivation);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_DERIVED_H
