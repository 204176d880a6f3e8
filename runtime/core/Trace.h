//===- Trace.h - the hook that sees launches --------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_TRACE_H
#define TENSORC_RUNTIME_CORE_TRACE_H

#include "runtime/core/Driver.h"
#include "runtime/core/streams/Event.h"

namespace tensorc::rt {

struct LaunchHook {
  tensorc_rt_launch_hook fn = nullptr;
  void *user = nullptr;
  explicit operator bool() const { return fn != nullptr; }
};

/// Nanoseconds, of CLOCK_MONOTONIC and of CLOCK_PROCESS_CPUTIME_ID.
struct LaunchTime {
  int64_t wall = 0, cpu = 0;
};

/// The hook, if any: one load when nobody watches.
LaunchHook launchHook();

/// When a launch begins; nothing is read where nobody watches.
LaunchTime beginLaunch(const LaunchHook &hook);

/// Tells the hook, if any, about a launch that began at `begin` and ends now.
/// A driver calls it where it knows when the kernel ran. Fails when it throws.
Status traceLaunch(const LaunchHook &hook, const Device &device,
                   const Launch &launch, const LaunchTime &begin,
                   int32_t threads);

} // namespace tensorc::rt

#endif
