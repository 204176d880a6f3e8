//===- Folded.h - Sums of lists that grow in a loop -----------------------===//
//
// sum(values) of a list is a chain of additions with one addition for each
// value. One program adds a value, and is launched once for each of them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_GROWTH_FOLDED_H
#define TENSORC_COMPILER_SESSION_JIT_GROWTH_FOLDED_H

#include "compiler/graph/Trace.h"
#include "compiler/session/jit/Executable.h"

#include <optional>

namespace tensorc::jit {

using Evaluate = llvm::function_ref<Status(llvm::ArrayRef<graph::Node *>)>;

/// Evaluates the roots after the folds of lists that they depend on. Returns
/// nullopt if there is no fold, or if what remains without the folds still grows.
/// `evaluateValue` may compute the values of a list in pieces, `evaluate` may not.
std::optional<Status> evaluateFolded(tensorc_rt_device *device,
                                     llvm::ArrayRef<graph::Node *> roots,
                                     llvm::function_ref<bool(size_t)> isSteady,
                                     Evaluate evaluateValue, Evaluate evaluate);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_GROWTH_FOLDED_H
