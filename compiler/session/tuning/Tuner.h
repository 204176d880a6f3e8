//===- Tuner.h - Searches the fastest schedules of kernels ------*- C++ -*-===//
//
// The schedules of kernels are independent, so each kernel is searched
// separately, in decreasing order of time. The schedules that a kernel's
// skeletons offer are a short list: all are compiled and run, and slow ones are
// dropped. The remaining ones run in alternation, so that other load on the
// machine affects all of them alike.
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
  /// Time limit for all kernels together. The first measurement of each kernel
  /// is always made.
  double seconds = 60;
  /// Called between runs. If it returns true, the search ends with the results
  /// so far.
  std::function<bool()> isStopped;
  /// Called before a kernel is searched, with its name, its number and the
  /// number of kernels.
  std::function<void(llvm::StringRef, unsigned, unsigned)> onKernel;
};

/// The result for a kernel. It also applies to all kernels with the same body.
struct TunedKernel {
  std::string kernel, key;
  unsigned launches = 0;
  /// Number of offered schedules, and number of those that were measured.
  unsigned offered = 0, tried = 0;
  /// The reason why the kernel was not measured; empty if it was.
  std::string whyNot;
  std::string usual, schedule;
  double usualSeconds = 0, seconds = 0;
  /// Each measured schedule, and the shortest time of its runs in seconds.
  std::vector<std::pair<std::string, double>> trials;

  double gain() const { return seconds > 0 ? usualSeconds / seconds : 1; }
  bool isFaster() const { return schedule != usual; }
};

/// Tunes the kernels of a function after the stage `fuse`, for the options'
/// target, in decreasing order of time. When the time limit is reached, the
/// remaining kernels are not measured.
llvm::Expected<std::vector<TunedKernel>> tune(mlir::func::FuncOp function,
                                              const TunerOptions &options);

/// Adds the results to the contents of a tuning file. A kernel whose default
/// schedule is the fastest has no record.
void keep(Tuning &tuning, llvm::ArrayRef<TunedKernel> kernels,
          const Machine &machine);

} // namespace tensorc::tuning

#endif // TENSORC_COMPILER_SESSION_TUNING_TUNER_H
