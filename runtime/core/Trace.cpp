//===- Trace.cpp - the hook that sees launches ----------------------------===//
#include "runtime/core/Trace.h"

#include "runtime/core/Callback.h"
#include "runtime/core/threads/Fork.h"

using namespace tensorc::rt;

static constinit LaunchHook current; // under the process' lock for the hook
static constinit std::atomic<bool> isSet{false};

LaunchHook tensorc::rt::launchHook() {
  if (!isSet.load(std::memory_order_acquire))
    return {};
  ProcessLockGuard lock(ProcessLock::Hook);
  return current;
}

Status tensorc::rt::traceLaunch(const LaunchHook &hook, const Device &device,
                                const Launch &launch, int64_t begin,
                                int32_t threads) {
  if (!hook)
    return Status();
  tensorc_rt_launch_record record = {launch.name, device.name(), begin,
                                     now(),       launch.extent, launch.grain,
                                     threads,     launch.line,   launch.file};
  return callEmbedder("the launch hook", [&] {
    hook.fn(hook.user, &record);
    return Status();
  });
}

void tensorc_rt_set_launch_hook(tensorc_rt_launch_hook fn, void *user) {
  ProcessLockGuard lock(ProcessLock::Hook);
  current.fn = fn;
  current.user = user;
  isSet.store(fn != nullptr, std::memory_order_release);
}
