//===- Trials.h - Measures one kernel with several schedules ----*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_TUNING_TRIALS_H
#define TENSORC_COMPILER_SESSION_TUNING_TRIALS_H

#include "compiler/output/pipelines/Pipelines.h"
#include "ir/tx/Structure.h"
#include "tensorc/runtime.h"

#include "mlir/IR/OwningOpRef.h"

#include <limits>
#include <memory>

namespace tensorc::tuning {

struct ReleaseModule {
  void operator()(tensorc_rt_module *module) const {
    tensorc_rt_module_release(module);
  }
};
struct ReleaseBuffer {
  void operator()(tensorc_rt_buffer *buffer) const {
    tensorc_rt_buffer_release(buffer);
  }
};

/// One schedule of a kernel with its compiled code.
struct Trial {
  tx::ScheduleAttr schedule;
  std::unique_ptr<tensorc_rt_module, ReleaseModule> module;
  const tensorc_rt_entry *entry = nullptr;
  /// Shortest time of a run so far, in seconds.
  double best = std::numeric_limits<double>::infinity();
};

/// Runs a fusion as a separate program with several schedules, on buffers of
/// its sizes with random contents.
class Trials {
public:
  /// Returns the reason why the fusion cannot run alone; empty if it can.
  static std::string whyNot(tx::FusionOp fusion);
  /// Creates the trials of a fusion after the stage `fuse`, for the options'
  /// target.
  static llvm::Expected<std::unique_ptr<Trials>>
  create(tx::FusionOp fusion, tensorc_rt_device *device,
         const compiler::CompileOptions &options);

  /// Compiles the kernel and runs it once. Returns an error if the bits of the
  /// results differ from those of the first trial.
  llvm::Expected<Trial> compile(tx::ScheduleAttr schedule);
  /// Runs the trial repeatedly and records the shortest time.
  llvm::Error measure(Trial &trial);

private:
  using Buffer = std::unique_ptr<tensorc_rt_buffer, ReleaseBuffer>;

  llvm::Error bind(const tensorc_rt_entry *entry);
  llvm::Error run(Trial &trial, std::string *results);

  tensorc_rt_device *device = nullptr;
  compiler::CompileOptions options;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The bound arguments; dims are owned by the runtime.
  std::vector<Buffer> buffers;
  std::vector<tensorc_rt_arg> arguments;
  std::vector<std::vector<int64_t>> shapes;
  /// The bytes of the first trial's results.
  std::string results;
  bool hasRun = false;
};

} // namespace tensorc::tuning

#endif // TENSORC_COMPILER_SESSION_TUNING_TRIALS_H
