//===- Trace.cpp - the hook that observes launches ------------------------===//
#include "runtime/core/Trace.h"

#include "runtime/core/Callback.h"
#include "runtime/core/threads/Fork.h"

#include <ctime>

using namespace tensorc::rt;

static constinit LaunchHook current; // guarded by the process lock for the hook
static constinit std::atomic<bool> isSet{false};

LaunchHook tensorc::rt::launchHook() {
  if (!isSet.load(std::memory_order_acquire))
    return {};
  ProcessLockGuard lock(ProcessLock::Hook);
  return current;
}

static int64_t cpuTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * int64_t(1000000000) + time.tv_nsec;
}

// The wall clock is read last here and first in traceLaunch, because reading
// processor time is a system call whose duration should not count.
LaunchTime tensorc::rt::beginLaunch(const LaunchHook &hook) {
  if (!hook)
    return {};
  LaunchTime time;
  time.cpu = cpuTime();
  time.wall = now();
  return time;
}

Status tensorc::rt::traceLaunch(const LaunchHook &hook, const Device &device,
                                const Launch &launch, const LaunchTime &begin,
                                int32_t threads) {
  if (!hook)
    return Status();
  int64_t end = now();
  tensorc_rt_launch_record record = {
      launch.name,   device.name(),        begin.wall, end,
      launch.extent, launch.grain,         threads,    launch.line,
      launch.file,   cpuTime() - begin.cpu};
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
