//===- Function.h - A traced function, compiled ---------------------------===//
#ifndef TENSORC_COMPILER_JIT_FUNCTION_H
#define TENSORC_COMPILER_JIT_FUNCTION_H

#include "compiler/jit/Session.h"

namespace tensorc::jit {

/// An expression over placeholders for one set of dtypes and shapes. Kernels
/// come from the session's cache, so that other shapes share them.
class Function {
public:
  Function(llvm::ArrayRef<graph::Node *> placeholders,
           llvm::ArrayRef<graph::Node *> results, Status &status);

  size_t numArguments() const { return arguments.size(); }
  size_t numResults() const { return slots.size(); }
  bool accepts(llvm::ArrayRef<graph::Node *> values) const;
  /// Each result is a new node with a handle.
  Status call(llvm::ArrayRef<graph::Node *> values,
              graph::Node **results) const;
  /// What a call will allocate.
  Status measure(tensorc_rt_memory_plan &plan) const;

private:
  struct Slot {
    enum Kind { Output, Argument, Constant } kind;
    unsigned index = 0;
    graph::NodeRef constant;
  };
  std::vector<graph::NodeRef> arguments; // the placeholders
  std::vector<graph::NodeRef> constants; // captured values
  std::vector<std::pair<const char *, graph::SourceLocation>> customCalls;
  graph::SourceLocation location; // of the first result
  std::vector<Slot> slots;        // one per result
  std::shared_ptr<const Executable> executable;
  /// The call, but for the buffers of the placeholders.
  llvm::SmallVector<tensorc_rt_arg, 8> prepared;
  /// (position in `prepared`, argument)
  llvm::SmallVector<std::pair<unsigned, unsigned>, 8> holes;
  unsigned numOutputs = 0;
};

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_JIT_FUNCTION_H
