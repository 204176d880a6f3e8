//===- Recording.h - A function, recorded to be saved ---------------------===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_RECORDING_H
#define TENSORC_COMPILER_SESSION_EXPORT_RECORDING_H

#include "compiler/graph/ops/Builders.h"
#include "compiler/session/export/Program.h"
#include "compiler/session/export/SizeFit.h"

#include "mlir/IR/OwningOpRef.h"

namespace tensorc::exporting {

/// An argument. Each dim is a constant size, or a multiple of a symbol.
struct Input {
  std::string name; // argN if empty
  graph::DType dtype;
  llvm::SmallVector<int64_t> dims;
  llvm::SmallVector<std::string>
      sizes; // per dim: its symbol, or empty for a constant size
};

class Recording final : public Program {
public:
  using Function =
      llvm::function_ref<jit::Status(llvm::ArrayRef<graph::NodeRef> arguments,
                                     std::vector<graph::NodeRef> &results)>;

  /// Records the function by calling it once, or, if sizes are symbolic, once for
  /// each of several assignments of sizes. Evaluates captured values. Returns null on failure and sets
  /// `status`.
  static std::unique_ptr<Recording> create(std::vector<Input> inputs,
                                           Function function,
                                           graph::SourceLocation at,
                                           jit::Status &status);

  std::unique_ptr<jit::Function> function(llvm::StringRef memoryPlans,
                                          jit::Status &status) const override;
  bool hasOwnLines() const override { return true; }
  jit::Status withModule(const Naming &naming, Use use) const override;

private:
  friend class Exporter;
  struct Sample {
    std::vector<graph::NodeRef> arguments, results;
    std::vector<graph::SliceRange> ranges;
  };

  Recording(std::vector<Input> inputs, SizeFit fit, graph::SourceLocation at)
      : inputs(std::move(inputs)), fit(std::move(fit)), at(at) {}
  jit::Status record(unsigned sample, Function function);
  jit::Status checkRanges(const Sample &sample) const;
  jit::Status evaluateCaptured(const Sample &sample);

  std::vector<Input> inputs;
  SizeFit fit;
  graph::SourceLocation at;
  std::vector<Sample> samples;
};

/// Returns an error such as `compile: message  at file:line`.
jit::Status refusal(graph::SourceLocation at, const llvm::Twine &message);

} // namespace tensorc::exporting

#endif // TENSORC_COMPILER_SESSION_EXPORT_RECORDING_H
