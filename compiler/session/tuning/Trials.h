//===- Trials.h - One kernel under several schedules ------------*- C++ -*-===//
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

/// One schedule of the kernel, compiled.
struct Trial {
  tx::ScheduleAttr schedule;
  std::unique_ptr<tensorc_rt_module, ReleaseModule> module;
  const tensorc_rt_entry *entry = nullptr;
  /// Of a run, the shortest so far, in seconds.
  double best = std::numeric_limits<double>::infinity();
};

/// A fusion as a program of its own, on buffers of its sizes with drawn
/// content.
class Trials {
public:
  /// Why the fusion cannot run alone; empty if it can.
  static std::string whyNot(tx::FusionOp fusion);
  /// The fusion is one after the stage fuse, for the options' target.
  static llvm::Expected<std::unique_ptr<Trials>>
  create(tx::FusionOp fusion, tensorc_rt_device *device,
         const compiler::CompileOptions &options);

  /// Compiles the kernel and runs it once. Results with other bits than those
  /// of the first trial are an error.
  llvm::Expected<Trial> compile(tx::ScheduleAttr schedule);
  /// Runs it for a while, and keeps the shortest time.
  llvm::Error measure(Trial &trial);

private:
  using Buffer = std::unique_ptr<tensorc_rt_buffer, ReleaseBuffer>;

  llvm::Error bind(const tensorc_rt_entry *entry);
  llvm::Error run(Trial &trial, std::string *results);

  tensorc_rt_device *device = nullptr;
  compiler::CompileOptions options;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Of the arguments, once they are bound; dims are the runtime's.
  std::vector<Buffer> buffers;
  std::vector<tensorc_rt_arg> arguments;
  std::vector<std::vector<int64_t>> shapes;
  /// Of the first trial.
  std::string results;
  bool hasRun = false;
};

} // namespace tensorc::tuning

#endif // TENSORC_COMPILER_SESSION_TUNING_TRIALS_H
