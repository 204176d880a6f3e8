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
  /// A value, or the bits of a number, that calls do not change.
  struct Capture {
    graph::NodeRef tensor; // null: a number
    graph::DType dtype;
    uint64_t bits;
    graph::SourceLocation location;
  };
  llvm::ArrayRef<Capture> captures() const { return captured; }
  /// What a call will allocate.
  Status measure(tensorc_rt_memory_plan &plan) const;

private:
  struct Slot {
    enum Kind { Output, Argument, Constant } kind;
    unsigned index = 0;
    graph::NodeRef constant;
    bool isAuto = false;
  };
  /// The function on one device.
  struct Variant {
    explicit Variant(tensorc_rt_device *device) : device(device) {}

    tensorc_rt_device *device;
    std::vector<graph::NodeRef> constants; // captured values
    std::shared_ptr<const Executable> executable;
    Lines lines; // of the function, for messages about its kernels
    /// The call, but for the buffers of the placeholders.
    llvm::SmallVector<tensorc_rt_arg, 8> prepared;
    /// (position in `prepared`, argument)
    llvm::SmallVector<std::pair<unsigned, unsigned>, 8> holes;
  };
  /// What the cost model needs of a function that it places.
  struct Automatic {
    ~Automatic() {
      for (auto &variant : variants)
        delete variant.load();
    }
    std::vector<graph::NodeRef> results;
    placement::Work copies;
    /// Of the kernels, per candidate.
    std::vector<placement::Sum> sums;
    /// Per operand of the work: the argument that it is, or -1.
    std::vector<int> operandArguments;
    /// Per candidate, once it was chosen.
    std::vector<std::atomic<const Variant *>> variants;
  };

  Status record(graph::Trace &trace, llvm::ArrayRef<graph::Node *> results,
                std::vector<graph::NodeRef> &constants) const;
  Status prepareAuto(llvm::ArrayRef<graph::Node *> results);
  Status build(Variant &variant, llvm::ArrayRef<graph::Node *> results,
               graph::Trace &trace) const;
  void fillSlots(const graph::Trace &trace,
                 llvm::ArrayRef<graph::Node *> results);
  const Variant *variantOn(unsigned candidate, Status &status) const;
  std::vector<placement::Sum>
  sumsFor(llvm::ArrayRef<graph::Node *> values) const;
  Status run(const Variant &variant, llvm::ArrayRef<graph::Node *> values,
             llvm::MutableArrayRef<tensorc_rt_output> outputs) const;
  /// Releases the outputs where there is a NaN or an infinity (NumberChecks.h).
  Status check(llvm::ArrayRef<graph::Node *> values,
               llvm::ArrayRef<tensorc_rt_output> outputs) const;

  std::vector<graph::NodeRef> arguments; // the placeholders
  std::vector<Capture> captured;
  std::vector<std::pair<const char *, graph::SourceLocation>> customCalls;
  graph::SourceLocation location; // of the first result
  std::vector<Slot> slots;        // one per result
  unsigned numOutputs = 0;
  std::vector<graph::NodeRef> checked; // one per output, where they are checked
  /// Exactly one of the two.
  std::unique_ptr<Variant> only;
  std::unique_ptr<Automatic> automatic;
};

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_JIT_FUNCTION_H
