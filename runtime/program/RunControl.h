//===- RunControl.h - cancellation and time limits of runs ------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_RUNCONTROL_H
#define TENSORC_RUNTIME_PROGRAM_RUNCONTROL_H

#include "runtime/collectives/Communicator.h"
#include "runtime/core/Status.h"
#include "runtime/program/Interrupt.h"

#include <atomic>

struct tensorc_rt_cancellation {};

namespace tensorc::rt {

/// A flag that a signal handler may set.
class Cancellation final : public tensorc_rt_cancellation {
public:
  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
  std::atomic<bool> isCancelled{false};

private:
  std::atomic<uint32_t> refs{1};
};

/// The options of a run. It holds references to the options' cancellation and
/// communicator.
class RunControl {
public:
  /// Maximum number of code words that a run may execute without launching
  /// work. Compiled programs execute a few dozen words per kernel.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  static constexpr uint64_t defaultInstructions = 20000;
#else
  static constexpr uint64_t defaultInstructions = uint64_t(1) << 27;
#endif

  RunControl() = default;
  explicit RunControl(const tensorc_rt_run_options *options);
  RunControl(const RunControl &other);
  RunControl &operator=(RunControl other);
  ~RunControl() {
    if (cancellation)
      cancellation->release();
    if (communicator)
      communicator->release();
  }
  /// Returns the default options of the calling thread's runs.
  static RunControl &ofThread();

  /// True if `check` can ever fail.
  bool watches() const {
    return cancellation || deadline || Interrupt::ofThread().watches();
  }
  /// True if `check` can fail while a stream works. Interrupts do not count,
  /// because they only concern the calling thread.
  bool endsStreams() const { return cancellation || deadline; }
  /// Returns an error if the run was cancelled, if its deadline has passed, or
  /// if the thread is interrupted.
  Status check() const;

  uint64_t maxInstructions = defaultInstructions;
  Communicator *communicator = nullptr; // may be null

private:
  Cancellation *cancellation = nullptr;
  int64_t deadline = 0; // CLOCK_MONOTONIC nanoseconds; 0 for none
};

/// Refuses options whose size field is invalid.
Status checkRunOptions(const tensorc_rt_run_options *options);

} // namespace tensorc::rt

#endif
