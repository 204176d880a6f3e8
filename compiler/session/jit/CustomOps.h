//===- CustomOps.h - Functions that the embedder registered ---------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_CUSTOMOPS_H
#define TENSORC_COMPILER_SESSION_JIT_CUSTOMOPS_H

#include "compiler/graph/CustomCalls.h"
#include "compiler/include/tensorc/tensorc.h"
#include "compiler/session/jit/Executable.h"
#include "ir/reference/Interpreter.h"

namespace tensorc::jit {

struct CustomOp {
  std::string name, derivative;
  tensorc_rt_op_fn function;
  tensorc_shape_rule shapeRule;
  void *user;
};

/// Registers an op permanently, also in the runtime. This function and
/// findCustomOp are thread-safe.
Status registerCustomOp(CustomOp op);
/// Returns an error if called inside a registered function. Evaluation is
/// impossible there, because the function's own result is being computed.
Status checkOutsideCustomOp();
/// Returns null if there is no op with this name.
const CustomOp *findCustomOp(const std::string &name);

/// Calls registered functions for the reference interpreter.
bool callCustomOp(llvm::StringRef name, llvm::StringRef config,
                  llvm::ArrayRef<reference::Array> inputs,
                  llvm::MutableArrayRef<reference::Array> outputs,
                  std::string &message);

/// Adds a source location to the error of a run: the location of the custom
/// call that the error names, or `otherwise` if it names none.
Status located(
    Status status,
    llvm::ArrayRef<std::pair<const char *, graph::SourceLocation>> customCalls,
    graph::SourceLocation otherwise);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_CUSTOMOPS_H
