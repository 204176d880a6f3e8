//===- Interpreter.h - The reference interpreter of tx programs -----------===//
//
// The interpreter is the oracle for tests of the compiler. It runs one plain
// loop per op, without optimizations.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_REFERENCE_INTERPRETER_H
#define TENSORC_IR_REFERENCE_INTERPRETER_H

#include "ir/reference/Array.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>

namespace tensorc::reference {

/// Computes a tx.custom_call. The dtypes and shapes of the outputs are already
/// set. On failure returns false and sets the message.
using CustomCallHandler = std::function<bool(
    llvm::StringRef name, llvm::StringRef config, llvm::ArrayRef<Array> inputs,
    llvm::MutableArrayRef<Array> outputs, std::string &message)>;

/// Computes a collective of tx on one rank, or tx.partition_id, which has no
/// operand. On failure emits an error.
using CollectiveHandler = std::function<mlir::LogicalResult(
    mlir::Operation *op, const Array *x, Array &result)>;

/// Runs a function of tx ops, in the form that it has after the stage import,
/// tensor or fuse. `arguments` has one array per argument of the function; an
/// `index` is an i64 of rank 0. Named dims are bound to the arguments' sizes.
/// Errors (such as inconsistent sizes or a slice out of bounds) are diagnostics
/// at the op or argument. Without a handler every custom call is an error, and
/// so is every collective.
mlir::FailureOr<std::vector<Array>>
evaluate(mlir::func::FuncOp function, llvm::ArrayRef<Array> arguments,
         const CustomCallHandler &customCalls = nullptr,
         const CollectiveHandler &collectives = nullptr);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_INTERPRETER_H
