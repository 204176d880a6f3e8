//===- NumberChecks.h - Finds the op that produces a NaN or an infinity ---===//
//
// With TENSORC_CHECK=nan an evaluation, or a call of a compiled function,
// stores the result of every op. The elements are checked before the caller can
// read them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_NUMBERCHECKS_H
#define TENSORC_COMPILER_SESSION_JIT_NUMBERCHECKS_H

#include "compiler/session/jit/Session.h"

#include "mlir/IR/BuiltinOps.h"

namespace tensorc::jit {

bool checksNumbers();

/// Names and source locations of a program's custom calls, in the program's
/// order.
using CallPlaces =
    llvm::ArrayRef<std::pair<const char *, graph::SourceLocation>>;

/// Reports the first of `nodes` (operands come first) that has a NaN although
/// no operand has one, or an infinity although all operands are finite.
/// `outputs` are the values of the nodes and are released after an error.
/// `valueOf` returns the buffer of an argument. Also reports errors that checks
/// inside of blocks found on other threads. Returns success if checks are off.
Status checkNumbers(
    llvm::ArrayRef<graph::Node *> nodes,
    llvm::ArrayRef<tensorc_rt_output> outputs, CallPlaces customCalls,
    llvm::function_ref<tensorc_rt_buffer *(const graph::Node &)> valueOf =
        [](const graph::Node &node) { return node.buffer(); });

/// Adds checks after the ops in the blocks of loops, branches and functions
/// with custom gradients. These checks run inside the program, because only the
/// results of a block are stored and a loop may not terminate. Does nothing if
/// checks are off.
void checkNumbersInBlocks(mlir::ModuleOp module);

/// If the message is the error of such a check, returns the message with the
/// loop's location; otherwise returns no error.
Status numbersErrorInBlock(llvm::StringRef message, CallPlaces customCalls);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_NUMBERCHECKS_H
