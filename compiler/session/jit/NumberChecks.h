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

/// Places of a program's custom calls, in its order.
using CallPlaces =
    llvm::ArrayRef<std::pair<const char *, graph::SourceLocation>>;

/// Names the first of `nodes`, which stand operands first, that has a NaN where
/// no operand has one, or an infinity where all operands are finite. `outputs`
/// are their values, which an error releases; `valueOf` gives those of
/// arguments. No error while nothing is to be checked. What a check in a block
/// found on another thread comes here too.
Status checkNumbers(
    llvm::ArrayRef<graph::Node *> nodes,
    llvm::ArrayRef<tensorc_rt_output> outputs, CallPlaces customCalls,
    llvm::function_ref<tensorc_rt_buffer *(const graph::Node &)> valueOf =
        [](const graph::Node &node) { return node.buffer(); });

/// Lets the ops in the blocks of loops, branches and functions with gradients
/// of their own look at what they made, as soon as they did: what is stored is
/// only what such a block leaves at its end, and a loop may have none. Nothing
/// while nothing is to be checked.
void checkNumbersInBlocks(mlir::ModuleOp module);

/// Such a check's error at the place of the loop; no status for others.
Status numbersErrorInBlock(llvm::StringRef message, CallPlaces customCalls);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_NUMBERCHECKS_H
