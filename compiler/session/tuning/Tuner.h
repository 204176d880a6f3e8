//===- Tuner.h - The fastest schedules of a program's kernels ---*- C++ -*-===//
//
// Kernels do not wait for each other's schedules, so each is searched alone,
// those that take most of the time first. What a kernel's skeletons offer is a
// short list: all of it is compiled and run, and what is far behind drops out.
// The others run in turns, so that what else the machine does falls on all of
// them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_TUNING_TUNER_H
#define TENSORC_COMPILER_SESSION_TUNING_TUNER_H

#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/session/tuning/Tuning.h"
#include "tensorc/runtime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::tuning {

struct TunerOptions {
  compiler::CompileOptions compile;
  tensorc_rt_device *device = nullptr;
  /// For all kernels together. The first measurement of each is made anyhow.
  double seconds = 60;
  /// Asked between runs: whether to end with what was found.
  std::function<bool()> isStopped;
  /// Told before a kernel is searched: its name, its number and how many
  /// there are.
  std::function<void(llvm::StringRef, unsigned, unsigned)> onKernel;
};

/// What became of a kernel, and of those that compute the same.
struct TunedKernel {
  std::string kernel, key;
  unsigned launches = 0;
  /// Schedules that are offered, and those that ran.
  unsigned offered = 0, tried = 0;
  /// Why it was not measured; empty: it was.
  std::string whyNot;
  std::string usual, schedule;
  double usualSeconds = 0, seconds = 0;

  double gain() const { return seconds > 0 ? usualSeconds / seconds : 1; }
  bool isFaster() const { return schedule != usual; }
};

/// Of a function after the stage fuse, for the options' target; those that take
/// longest first. Cut short, the rest has no time.
llvm::Expected<std::vector<TunedKernel>> tune(mlir::func::FuncOp function,
                                              const TunerOptions &options);

/// Takes what was found into the file's content: a kernel whose usual schedule
/// is the fastest has no record.
void keep(Tuning &tuning, llvm::ArrayRef<TunedKernel> kernels,
          const Machine &machine);

} // namespace tensorc::tuning

#endif // TENSORC_COMPILER_SESSION_TUNING_TUNER_H
