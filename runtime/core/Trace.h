//===- Trace.h - the hook that observes launches ----------------*- C++ -*-===//
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

/// Time in nanoseconds, of CLOCK_MONOTONIC and of CLOCK_PROCESS_CPUTIME_ID.
struct LaunchTime {
  int64_t wall = 0, cpu = 0;
};

/// Returns the hook, if any. If there is none, the call costs one load.
LaunchHook launchHook();

/// Starts timing a launch. Reads no clock if there is no hook.
LaunchTime beginLaunch(const LaunchHook &hook);

/// Calls the hook, if any, for a launch that began at `begin` and ends now. A
/// driver calls this at the point at which the kernel has finished. Fails if
/// the hook throws.
Status traceLaunch(const LaunchHook &hook, const Device &device,
                   const Launch &launch, const LaunchTime &begin,
                   int32_t threads);

} // namespace tensorc::rt

#endif
