//===- NumberChecks.h - Where a NaN or an infinity arises -----------------===//
//
// With TENSORC_CHECK=nan every op of an evaluation, and of a compiled function,
// is stored, and its elements are looked at before anybody can read them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_NUMBERCHECKS_H
#define TENSORC_COMPILER_SESSION_JIT_NUMBERCHECKS_H

#include "compiler/session/jit/Session.h"

#include "mlir/IR/BuiltinOps.h"

namespace tensorc::jit {

bool checksNumbers();

/// Locations of a program's custom calls, in the program's order.
using CallPlaces =
    llvm::ArrayRef<std::pair<const char *, graph::SourceLocation>>;

/// Reports the first of `nodes` (operands come first) that has a NaN where no
/// operand has one, or an infinity where all operands are finite. `outputs` are
/// their values, which an error releases; `valueOf` returns those of arguments.
/// Also reports errors that a check in a block found on another thread. Returns
/// success if checks are off.
Status checkNumbers(
    llvm::ArrayRef<graph::Node *> nodes,
    llvm::ArrayRef<tensorc_rt_output> outputs, CallPlaces customCalls,
    llvm::function_ref<tensorc_rt_buffer *(const graph::Node &)> valueOf =
        [](const graph::Node &node) { return node.buffer(); });

/// Adds checks to the ops in the blocks of loops, branches and functions with
/// gradients of their own. They run as soon as an op has computed its result,
/// because only what a block returns at its end is stored, and a loop may have
/// no end. Does nothing if checks are off.
void checkNumbersInBlocks(mlir::ModuleOp module);

/// Returns such a check's error at the loop's location; no status for other
/// errors.
Status numbersErrorInBlock(llvm::StringRef message, CallPlaces customCalls);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_NUMBERCHECKS_H
