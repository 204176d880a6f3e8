//===- Interpreter.h - What a tx program means ----------------------------===//
//
// The oracle for everything below: one plain loop per op, in no hurry.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_REFERENCE_INTERPRETER_H
#define TENSORC_IR_REFERENCE_INTERPRETER_H

#include "ir/reference/Array.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::reference {

/// Runs a function of tx ops, as it is after the stages import, tensor or fuse.
/// One argument per function argument; an `index` is an i64 of rank 0. Named
/// dims are bound to the arguments' sizes. Errors (sizes that differ, a slice
/// that reads outside) are diagnostics at the op or argument.
mlir::FailureOr<std::vector<Array>> evaluate(mlir::func::FuncOp function,
                                             llvm::ArrayRef<Array> arguments);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_INTERPRETER_H
