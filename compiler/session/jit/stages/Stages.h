//===- Stages.h - A traced function on several devices ----------*- C++ -*-===//
//
// A program runs on one device. So a traced function whose values move between
// devices (`to`) is cut at these transfers. A stage is a function on one device:
// it computes operands of transfers, or results, from arguments and from the
// transfers before it. Each stage computes the values that it needs again.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_STAGES_STAGES_H
#define TENSORC_COMPILER_SESSION_JIT_STAGES_STAGES_H

#include "compiler/session/jit/Function.h"

namespace tensorc::jit {

/// Compiles a traced function, on one or several devices.
std::unique_ptr<Function>
compileFunction(llvm::ArrayRef<graph::Node *> placeholders,
                llvm::ArrayRef<graph::Node *> results, Status &status);

class Stages final : public Function {
public:
  /// `transfers` are those of the traced function, operands first.
  Stages(llvm::ArrayRef<graph::Node *> placeholders,
         llvm::ArrayRef<graph::Node *> results,
         llvm::ArrayRef<graph::NodeRef> transfers, Status &status);

  /// Donated values are not overwritten.
  Status call(llvm::ArrayRef<graph::Node *> values, const RunMemory &memory,
              graph::Node **results) const override;
  Status rebind(unsigned capture, graph::Node *value) override;
  /// Returns an error.
  Status measure(tensorc_rt_memory_plan &plan) const override;

private:
  struct Stage {
    bool hasTransfers = false; // its results are operands of transfers
    llvm::SmallVector<unsigned> targets; // the transfers, or results of all
    llvm::SmallVector<graph::NodeRef> results;
    /// Indices into the arguments, followed by the transfers.
    llvm::SmallVector<unsigned> inputs;
    std::unique_ptr<Function> function;
  };
  Status checkPlaces() const;
  void addStages(llvm::ArrayRef<graph::Node *> results);
  void describe(llvm::ArrayRef<graph::Node *> results);
  Status run(const Stage &stage, llvm::MutableArrayRef<graph::NodeRef> values,
             llvm::ArrayRef<tensorc_rt_buffer *> outputs,
             llvm::MutableArrayRef<graph::Node *> results) const;

  std::vector<graph::NodeRef> known; // the arguments and the transfers
  std::vector<Stage> stages;         // in the order in which they run
};

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_STAGES_STAGES_H
