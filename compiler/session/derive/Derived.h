//===- Derived.h - Programs derived from recorded functions ---------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_DERIVED_H
#define TENSORC_COMPILER_SESSION_DERIVE_DERIVED_H

#include "compiler/graph/Dependents.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::derive {

/// A recorded function that is converted to a function of the IR, transformed,
/// and recorded again on other values.
struct Derivation {
  /// The public function, such as "grad", and a participle for its result, such
  /// as "differentiated", for error messages.
  const char *called, *made;
  llvm::ArrayRef<graph::NodeRef> arguments, results;
  /// Decides which scalars belong to the function; see collectDependents.
  llvm::function_ref<bool(const graph::Node &user, unsigned operand)> isInside;
  /// The arguments of the transformed function are `values`, the values that
  /// the recorded function captures, and `more`.
  llvm::ArrayRef<graph::NodeRef> values, more;
  /// Transforms the function, which has `inputs` arguments, and returns the
  /// transformed function, which must be the only one in the module.
  llvm::function_ref<mlir::FailureOr<mlir::func::FuncOp>(
      mlir::func::FuncOp function, size_t inputs)>
      change;
};
/// Returns the results of the transformed function. The results of the recorded
/// function come first. Returns none after an error.
llvm::SmallVector<graph::NodeRef> derive(graph::Recorder &r,
                                         const Derivation &derivation);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_DERIVED_H
