//===- Interrupt.h - a callback that may end long work ----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_INTERRUPT_H
#define TENSORC_RUNTIME_PROGRAM_INTERRUPT_H

#include "runtime/core/Status.h"
#include "runtime/include/tensorc/interrupt.h"

namespace tensorc::rt {

/// The calling thread's interrupt callback (tensorc/interrupt.h).
class Interrupt {
public:
  static constexpr int64_t nanosecondsBetween = 20'000'000;

  static Interrupt &ofThread() {
    static thread_local Interrupt interrupt;
    return interrupt;
  }
  bool watches() const { return ask != nullptr; }
  /// Calls the callback if enough time has passed since its last call. Returns
  /// an error if the callback requests the end of the work.
  Status check();

  tensorc_rt_interrupt_fn ask = nullptr;
  void *user = nullptr;

private:
  // Time of the next call, in nanoseconds of CLOCK_MONOTONIC_COARSE.
  int64_t next = 0;
};

} // namespace tensorc::rt

#endif
