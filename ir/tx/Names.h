//===- Names.h - What functions, arguments and results may be called ------===//
//
// A name becomes a file's, a C function's, a JSON text's and a terminal's, and
// is told from others by it. So it is UTF-8 without control characters, neither
// empty nor endless, and no two arguments or results of a function share one.
// The rule holds where a program enters; nothing after that asks again.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_NAMES_H
#define TENSORC_IR_TX_NAMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tensorc::tx {

constexpr size_t maxNameBytes = 1024;

/// Returns the reason why this is not a valid name for `what` ("a result"), or
/// "".
std::string whyNoName(llvm::StringRef what, llvm::StringRef name);
/// As whyNoName, for a list of names, which must be distinct.
std::string whyNoNames(llvm::StringRef what, llvm::ArrayRef<std::string> names);

/// Returns the argument's tx.name or tx.symbol, such as `x`, or else `arg0`.
std::string argumentName(mlir::func::FuncOp function, unsigned index);
/// Returns the result's tx.name, such as `y`, or else `out0`.
std::string resultName(mlir::func::FuncOp function, unsigned index);

/// Reports an error for a module that contains an invalid name.
mlir::LogicalResult verifyNames(mlir::ModuleOp module);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_NAMES_H
