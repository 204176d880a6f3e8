//===- Function.h - A traced function, compiled ---------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_FUNCTION_H
#define TENSORC_COMPILER_SESSION_JIT_FUNCTION_H

#include "compiler/graph/Split.h"
#include "compiler/session/jit/Session.h"
#include "compiler/session/jit/memory/FittedPrograms.h"

namespace tensorc::jit {

/// A recorded expression over placeholders with fixed dtypes and shapes, or an
/// executable for all sizes. Kernels of a recorded expression come from the
/// session's cache, so functions for other shapes share them.
class Function {
public:
  /// The results are on one device, to which transfers have been made; others
  /// are among the placeholders (stages/Stages.h).
  Function(llvm::ArrayRef<graph::Node *> placeholders,
           llvm::ArrayRef<graph::Node *> results, Status &status);
  virtual ~Function() = default;

  /// An argument some of whose sizes are determined by each call. Such a size
  /// has a name and must be a multiple of the number in `dims`.
  struct NamedArgument {
    graph::DType dtype;
    llvm::SmallVector<int64_t, 4> dims;
    llvm::SmallVector<std::string, 4>
        names; // per dim; empty if `dims` holds the size
  };
  /// Type of an argument or result. Sizes that each call determines are -1.
  struct ValueType {
    graph::DType dtype;
    llvm::SmallVector<int64_t, 4> shape;
  };
  /// Makes a function from an executable for all sizes. The executable takes
  /// `arguments`, followed by the captured values.
  Function(tensorc_rt_device *device,
           std::shared_ptr<const Executable> executable,
           std::vector<NamedArgument> arguments,
           llvm::ArrayRef<graph::NodeRef> captures,
           llvm::ArrayRef<ValueType> results, graph::SourceLocation location);

  /// Where a result comes from.
  struct Slot {
    enum Kind { Output, Argument, Constant } kind;
    unsigned index = 0;
    graph::NodeRef constant;
    bool isAuto = false;
    const graph::Split *split = nullptr;
    ValueType type = {graph::DType::None, {}};
  };

  size_t numArguments() const {
    return isNamed ? named.size() : arguments.size();
  }
  size_t numResults() const { return slots.size(); }
  bool accepts(llvm::ArrayRef<graph::Node *> values) const;
  /// Returns the reason why values do not match the arguments, for a message.
  std::string refusalOf(llvm::ArrayRef<graph::Node *> values) const;
  /// Calls the function. Each result is a new node with a handle; `results` may
  /// be null if the results are not needed. `memory` has a buffer or null for
  /// each result. The caller must hold the only handle of a donated value and
  /// release it.
  virtual Status call(llvm::ArrayRef<graph::Node *> values,
                      const RunMemory &memory, graph::Node **results) const;
  /// A captured tensor, or the bits of a captured scalar.
  struct Capture {
    graph::NodeRef tensor; // null: a number
    graph::DType dtype;
    uint64_t bits;
    graph::SourceLocation location;
  };
  /// Returns the captured values as they were when the function was traced, not
  /// the values that rebind() set.
  llvm::ArrayRef<Capture> captures() const { return captured; }
  /// Replaces a captured value by another one of the same dtype, shape and
  /// device. Later calls use the new value.
  virtual Status rebind(unsigned capture, graph::Node *value);
  ValueType argumentType(unsigned i) const;
  const ValueType &resultType(unsigned i) const { return slots[i].type; }
  /// Measures the allocations of a call.
  virtual Status measure(tensorc_rt_memory_plan &plan) const;

protected:
  Function() = default;
  std::vector<graph::NodeRef> arguments; // the placeholders
  std::vector<Capture> captured;
  std::vector<Slot> slots; // one per result

private:
  /// The function on one device.
  struct Variant {
    explicit Variant(tensorc_rt_device *device) : device(device) {}
    ~Variant() { delete sized.load(); }

    tensorc_rt_device *device;
    std::vector<graph::NodeRef> constants; // captured values
    std::shared_ptr<const Executable> executable;
    Lines lines; // source lines of the function, for messages about its kernels
    /// The arguments of a run. Buffers of arguments and captured values are
    /// filled in by each call.
    llvm::SmallVector<tensorc_rt_arg, 8> prepared;
    /// Positions in `prepared` of the buffers of arguments: (position,
    /// argument).
    llvm::SmallVector<std::pair<unsigned, unsigned>, 8> holes;
    /// Positions in `prepared` of the buffers of captured values: (position,
    /// value).
    llvm::SmallVector<std::pair<unsigned, graph::Node *>, 4> captures;
    /// The results that the kernels compute, for further compilations.
    std::vector<graph::NodeRef> results;
    /// Programs that need less memory, for calls that lack it.
    mutable FittedPrograms<Variant> fitted;
    /// Used if the kernels serve all sizes and are slower for that reason.
    /// `calls` counts calls; a long call counts several times. After
    /// KernelCache::frequentUses the function gets kernels for its own sizes, in
    /// `sized`.
    mutable std::atomic<unsigned> calls{0};
    mutable std::atomic<bool> isAskedForSized{false};
    mutable std::atomic<const Variant *> sized{nullptr};
  };
  /// Replacements of captured values, by the node that the trace captured.
  using Bindings = llvm::DenseMap<const graph::Node *, graph::NodeRef>;
  /// Data that the cost model needs for a function whose device it chooses.
  struct Automatic {
    ~Automatic() {
      for (auto &variant : variants)
        delete variant.load();
    }
    std::vector<graph::NodeRef> results;
    placement::Work copies;
    /// Costs of the kernels, per candidate.
    std::vector<placement::Sum> sums;
    /// For each operand, the number of the argument it is, or -1.
    std::vector<int> operandArguments;
    /// One variant per candidate; null until the candidate is first chosen.
    std::vector<std::atomic<const Variant *>> variants;
  };

  Status record(graph::Trace &trace, llvm::ArrayRef<graph::Node *> results,
                std::vector<graph::NodeRef> &constants) const;
  Status prepareAuto(llvm::ArrayRef<graph::Node *> results);
  Status build(Variant &variant, llvm::ArrayRef<graph::Node *> results,
               graph::Trace &trace, Sizes sizes = Sizes::Any,
               KernelCache::BytesLeft bytesLeft = {},
               uint64_t *bytesMissing = nullptr) const;
  std::unique_ptr<Variant> compileAgain(const Variant &variant, Sizes sizes,
                                        KernelCache::BytesLeft bytesLeft = {},
                                        uint64_t *bytesMissing = nullptr) const;
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
  Status runOnce(const Variant &variant, llvm::ArrayRef<graph::Node *> values,
                 const RunMemory &memory,
                 llvm::MutableArrayRef<tensorc_rt_output> outputs) const;
  Status give(llvm::ArrayRef<graph::Node *> values, const RunMemory &memory,
              llvm::MutableArrayRef<tensorc_rt_output> outputs,
              graph::Node **results) const;
  /// If an output has a NaN or an infinity, releases the outputs and returns an
  /// error (NumberChecks.h).
  Status check(llvm::ArrayRef<graph::Node *> values,
               llvm::ArrayRef<tensorc_rt_output> outputs) const;

  bool isNamed = false;
  std::vector<NamedArgument> named; // used instead of `arguments` if isNamed
  mutable std::mutex bindingMutex;  // guards what follows
  std::shared_ptr<const Bindings> bound;
  std::atomic<bool> isRebound{false};
  std::vector<std::pair<const char *, graph::SourceLocation>> customCalls;
  graph::SourceLocation location; // location of the first result
  unsigned numOutputs = 0;
  std::vector<graph::NodeRef> checked; // one per output; empty without checks
  /// Exactly one of these two members is set.
  std::unique_ptr<Variant> only;
  std::unique_ptr<Automatic> automatic;
};

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_FUNCTION_H
