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

/// Computes a tx.custom_call; the outputs have their dtypes and shapes. False,
/// with a message, when it cannot.
using CustomCallHandler = std::function<bool(
    llvm::StringRef name, llvm::StringRef config, llvm::ArrayRef<Array> inputs,
    llvm::MutableArrayRef<Array> outputs, std::string &message)>;

/// Runs a function of tx ops, as it is after the stages import, tensor or fuse.
/// One argument per function argument; an `index` is an i64 of rank 0. Named
/// dims are bound to the arguments' sizes. Errors (sizes that differ, a slice
/// that reads outside) are diagnostics at the op or argument. Without a handler
/// no custom call is known.
mlir::FailureOr<std::vector<Array>>
evaluate(mlir::func::FuncOp function, llvm::ArrayRef<Array> arguments,
         const CustomCallHandler &customCalls = nullptr);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_INTERPRETER_H
