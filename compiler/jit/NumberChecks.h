//===- NumberChecks.h - Where a NaN or an infinity arises -----------------===//
//
// With TENSORC_CHECK=nan every op of an evaluation, and of a compiled function,
// is stored, and its elements are looked at before anybody can read them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_JIT_NUMBERCHECKS_H
#define TENSORC_COMPILER_JIT_NUMBERCHECKS_H

#include "compiler/jit/Session.h"

namespace tensorc::jit {

bool checksNumbers();

/// Names the first of `nodes`, which stand operands first, that has a NaN where
/// no operand has one, or an infinity where all operands are finite. `outputs`
/// are their values, which an error releases; `valueOf` gives those of
/// arguments. No error while nothing is to be checked.
Status checkNumbers(
    llvm::ArrayRef<graph::Node *> nodes,
    llvm::ArrayRef<tensorc_rt_output> outputs,
    llvm::function_ref<tensorc_rt_buffer *(const graph::Node &)> valueOf =
        [](const graph::Node &node) { return node.buffer(); });

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_JIT_NUMBERCHECKS_H
