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

/// The hook, if any: one load when nobody watches.
LaunchHook launchHook();

/// Tells the hook, if any, about a launch that began at `begin` and ends now.
/// A driver calls it where it knows when the kernel ran. Fails when it throws.
Status traceLaunch(const LaunchHook &hook, const Device &device,
                   const Launch &launch, int64_t begin, int32_t threads);

} // namespace tensorc::rt

#endif
