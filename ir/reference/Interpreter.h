//===- Interpreter.h - What a tx program means ----------------------------===//
//
// The oracle for everything below: one plain loop per op, in no hurry.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_REFERENCE_INTERPRETER_H
#define TENSORC_IR_REFERENCE_INTERPRETER_H

#include "ir/reference/Array.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>

namespace tensorc::reference {

/// Computes a tx.custom_call; the outputs have their dtypes and shapes. Returns
/// false and sets a message on failure.
using CustomCallHandler = std::function<bool(
    llvm::StringRef name, llvm::StringRef config, llvm::ArrayRef<Array> inputs,
    llvm::MutableArrayRef<Array> outputs, std::string &message)>;

/// Runs a function of tx ops, in its form after the stages import, tensor or
/// fuse. There is one array per argument of the function; an `index` is an i64
/// of rank 0. Named dims are bound to the arguments' sizes. Errors (different
/// sizes, a slice out of bounds) are diagnostics at the op or argument. Without
/// a handler all custom calls are errors.
mlir::FailureOr<std::vector<Array>>
evaluate(mlir::func::FuncOp function, llvm::ArrayRef<Array> arguments,
         const CustomCallHandler &customCalls = nullptr);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_INTERPRETER_H
