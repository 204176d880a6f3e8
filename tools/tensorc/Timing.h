//===- Timing.h - The output of --time ------------------------------------===//
#ifndef TENSORC_TOOLS_TENSORC_TIMING_H
#define TENSORC_TOOLS_TENSORC_TIMING_H

#include "tools/tensorc/Arguments.h"

#include "compiler/output/pipelines/Pipelines.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

namespace tensorc::tool {

/// Prints `step 1.23 ms` lines to stderr, if enabled.
class Timing {
public:
  explicit Timing(bool on) : on(on), last(Clock::now()) {}

  /// Prints the time since the last step.
  void step(llvm::StringRef name) {
    double seconds = std::chrono::duration<double>(Clock::now() - last).count();
    print(name, seconds);
    last = Clock::now();
  }
  void print(llvm::StringRef name, double seconds) {
    if (on)
      llvm::errs() << llvm::format("%-10s %9.3f ms\n", name.str().c_str(),
                                   seconds * 1e3);
  }

private:
  using Clock = std::chrono::steady_clock;
  bool on;
  Clock::time_point last;
};

/// Returns the options that are common to all subcommands with these flags.
compiler::CompileOptions optionsOf(llvm::StringRef target,
                                   const Arguments &arguments, Timing &timing);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_TIMING_H
