//===- Derived.h - Programs made of recorded functions --------------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_DERIVED_H
#define TENSORC_COMPILER_SESSION_DERIVE_DERIVED_H

#include "compiler/graph/Dependents.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::derive {

/// A recorded function that becomes a function of the IR, is changed there, and
/// is recorded again for other values.
struct Derivation {
  /// The public function, "grad", and what it makes of a function,
  /// "differentiated": for errors.
  const char *called, *made;
  llvm::ArrayRef<graph::NodeRef> arguments, results;
  /// See collectDependents.
  llvm::function_ref<bool(const graph::Node &user, unsigned operand)> isInside;
  /// The arguments of the changed function are `values`, what the recorded one
  /// captures, and `more`.
  llvm::ArrayRef<graph::NodeRef> values, more;
  /// Returns the changed function, the only one in the module. It has `inputs`
  /// arguments before the change.
  llvm::function_ref<mlir::FailureOr<mlir::func::FuncOp>(
      mlir::func::FuncOp function, size_t inputs)>
      change;
};
/// The results of the changed function, first those of the recorded one; none
/// after an error.
llvm::SmallVector<graph::NodeRef> derive(graph::Recorder &r,
                                         const Derivation &derivation);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_DERIVED_H
