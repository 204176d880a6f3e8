//===- Names.h - Valid names of functions, arguments and results ----------===//
//
// Names are used in file names, C functions, JSON and terminals, and must be
// distinguishable there. So a name is UTF-8 without control characters, not
// empty and of limited length, and all arguments and results of a function have
// different names. Names are checked where a program enters the compiler, and
// not again.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_NAMES_H
#define TENSORC_IR_TX_NAMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tensorc::tx {

constexpr size_t maxNameBytes = 1024;

/// The name of the result of a program whose source has no result. This result
/// only waits for the program's calls of the host.
constexpr llvm::StringLiteral effectName = "tensorc.effect";

/// Returns the reason why this is not a valid name for `what` (such as "a
/// result"), or "" if it is valid.
std::string whyNoName(llvm::StringRef what, llvm::StringRef name);
/// Like whyNoName, for a list of names, which must be distinct.
std::string whyNoNames(llvm::StringRef what, llvm::ArrayRef<std::string> names);

/// Returns the argument's tx.name or tx.symbol, such as `x`, or `arg0` if it
/// has neither.
std::string argumentName(mlir::func::FuncOp function, unsigned index);
/// Returns the result's tx.name, such as `y`, or `out0` if it has none.
std::string resultName(mlir::func::FuncOp function, unsigned index);

/// Reports an error for a module that contains an invalid name.
mlir::LogicalResult verifyNames(mlir::ModuleOp module);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_NAMES_H
