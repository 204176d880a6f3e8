//===- Function.h - A traced function, compiled ---------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_FUNCTION_H
#define TENSORC_COMPILER_SESSION_JIT_FUNCTION_H

#include "compiler/session/jit/Session.h"

namespace tensorc::jit {

/// An expression over placeholders for one set of dtypes and shapes. Kernels
/// come from the session's cache, so that other shapes share them.
class Function {
public:
  Function(llvm::ArrayRef<graph::Node *> placeholders,
           llvm::ArrayRef<graph::Node *> results, Status &status);

  /// An argument with some sizes that calls determine. These have a name, and
  /// `dims` holds their divisors.
  struct NamedArgument {
    graph::DType dtype;
    llvm::SmallVector<int64_t, 4> dims;
    llvm::SmallVector<std::string, 4>
        names; // per dim; empty: the dim is a size
  };
  /// A result, with -1 for sizes that calls determine.
  struct ResultType {
    graph::DType dtype;
    llvm::SmallVector<int64_t, 4> shape;
  };
  /// Makes a function from an executable for all sizes. Its arguments are
  /// these, followed by the captured values.
  Function(tensorc_rt_device *device,
           std::shared_ptr<const Executable> executable,
           std::vector<NamedArgument> arguments,
           llvm::ArrayRef<graph::NodeRef> captures,
           llvm::ArrayRef<ResultType> results, graph::SourceLocation location);

  size_t numArguments() const {
    return isNamed ? named.size() : arguments.size();
  }
  size_t numResults() const { return slots.size(); }
  bool accepts(llvm::ArrayRef<graph::Node *> values) const;
  /// Returns why values do not match, for a message.
  std::string refusalOf(llvm::ArrayRef<graph::Node *> values) const;
  /// Calls the function. Each result is a new node with a handle; `results` may
  /// be null if they are not needed. `memory` has a buffer or null for each
  /// result. A donated value's only handle must be released by the caller.
  Status call(llvm::ArrayRef<graph::Node *> values, const RunMemory &memory,
              graph::Node **results) const;
  /// A captured value, or the bits of a captured number.
  struct Capture {
    graph::NodeRef tensor; // null: a number
    graph::DType dtype;
    uint64_t bits;
    graph::SourceLocation location;
  };
  /// The captured values as they were traced, not their current replacements.
  llvm::ArrayRef<Capture> captures() const { return captured; }
  /// Replaces the captured value, from now on, by another one of the same
  /// dtype, shape and device.
  Status rebind(unsigned capture, graph::Node *value);
  graph::DType resultDType(unsigned i) const { return slots[i].dtype; }
  /// The result's shape, with -1 for named sizes.
  llvm::ArrayRef<int64_t> resultShape(unsigned i) const {
    return slots[i].shape;
  }
  /// Measures the allocations of a call.
  Status measure(tensorc_rt_memory_plan &plan) const;

private:
  struct Slot {
    enum Kind { Output, Argument, Constant } kind;
    unsigned index = 0;
    graph::NodeRef constant;
    bool isAuto = false;
    graph::DType dtype = graph::DType::None;
    llvm::SmallVector<int64_t, 4> shape;
  };
  /// The function on one device.
  struct Variant {
    explicit Variant(tensorc_rt_device *device) : device(device) {}
    ~Variant() { delete sized.load(); }

    tensorc_rt_device *device;
    std::vector<graph::NodeRef> constants; // captured values
    std::shared_ptr<const Executable> executable;
    Lines lines; // of the function, for messages about its kernels
    /// The call, except for the buffers of the placeholders.
    llvm::SmallVector<tensorc_rt_arg, 8> prepared;
    /// (position in `prepared`, argument)
    llvm::SmallVector<std::pair<unsigned, unsigned>, 8> holes;
    /// (position in `prepared`, captured value)
    llvm::SmallVector<std::pair<unsigned, graph::Node *>, 4> captures;
    /// Set if its kernels serve all sizes and are slower for it: the results
    /// they compute, and the number of calls so far (long calls count several
    /// times). After KernelCache::frequentUses calls, the function gets kernels
    /// for its sizes.
    std::vector<graph::NodeRef> results;
    mutable std::atomic<unsigned> calls{0};
    mutable std::atomic<bool> isAskedForSized{false};
    mutable std::atomic<const Variant *> sized{nullptr};
  };
  /// Other values for captured ones, by what the trace captured.
  using Bindings = llvm::DenseMap<const graph::Node *, graph::NodeRef>;
  /// Data of the cost model for a function that it places.
  struct Automatic {
    ~Automatic() {
      for (auto &variant : variants)
        delete variant.load();
    }
    std::vector<graph::NodeRef> results;
    placement::Work copies;
    /// Costs of the kernels, per candidate.
    std::vector<placement::Sum> sums;
    /// For each operand, the argument that it is, or -1.
    std::vector<int> operandArguments;
    /// For each candidate, the variant once it was chosen.
    std::vector<std::atomic<const Variant *>> variants;
  };

  Status record(graph::Trace &trace, llvm::ArrayRef<graph::Node *> results,
                std::vector<graph::NodeRef> &constants) const;
  Status prepareAuto(llvm::ArrayRef<graph::Node *> results);
  Status build(Variant &variant, llvm::ArrayRef<graph::Node *> results,
               graph::Trace &trace, Sizes sizes = Sizes::Any) const;
  const Variant *sizedFor(const Variant &variant) const;
  void fillSlots(const graph::Trace &trace,
                 llvm::ArrayRef<graph::Node *> results);
  const Variant *variantOn(unsigned candidate, Status &status) const;
  std::vector<placement::Sum>
  sumsFor(llvm::ArrayRef<graph::Node *> values) const;
  std::shared_ptr<const Bindings> bindings() const;
  Status run(const Variant &variant, llvm::ArrayRef<graph::Node *> values,
             const RunMemory &memory,
             llvm::MutableArrayRef<tensorc_rt_output> outputs) const;
  std::vector<uint8_t> donatable(llvm::ArrayRef<graph::Node *> values,
                                 llvm::ArrayRef<uint8_t> donated) const;
  Status give(llvm::ArrayRef<graph::Node *> values, const RunMemory &memory,
              llvm::MutableArrayRef<tensorc_rt_output> outputs,
              graph::Node **results) const;
  /// Releases the outputs where there is a NaN or an infinity (NumberChecks.h).
  Status check(llvm::ArrayRef<graph::Node *> values,
               llvm::ArrayRef<tensorc_rt_output> outputs) const;

  std::vector<graph::NodeRef> arguments; // the placeholders
  bool isNamed = false;
  std::vector<NamedArgument> named; // instead, where isNamed
  std::vector<Capture> captured;
  mutable std::mutex bindingMutex; // guards what follows
  std::shared_ptr<const Bindings> bound;
  std::atomic<bool> isRebound{false};
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

#endif // TENSORC_COMPILER_SESSION_JIT_FUNCTION_H
