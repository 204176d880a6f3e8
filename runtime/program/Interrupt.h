//===- Interrupt.h - what the working thread asks ---------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_INTERRUPT_H
#define TENSORC_RUNTIME_PROGRAM_INTERRUPT_H

#include "runtime/core/Status.h"
#include "runtime/include/tensorc/interrupt.h"

namespace tensorc::rt {

/// The calling thread's interrupt check (tensorc/interrupt.h).
class Interrupt {
public:
  static constexpr int64_t nanosecondsBetween = 20'000'000;

  static Interrupt &ofThread() {
    static thread_local Interrupt interrupt;
    return interrupt;
  }
  bool watches() const { return ask != nullptr; }
  /// Calls the user's check if enough time has passed, and returns an error if
  /// it requests the end of the work.
  Status check();

  tensorc_rt_interrupt_fn ask = nullptr;
  void *user = nullptr;

private:
  int64_t next = 0; // CLOCK_MONOTONIC_COARSE nanoseconds
};

} // namespace tensorc::rt

#endif
