//===- Trace.cpp - the hook that sees launches ----------------------------===//
#include "runtime/core/Trace.h"

#include <new>

using namespace tensorc::rt;

static std::atomic<const LaunchHook *> hook{nullptr};

const LaunchHook *tensorc::rt::launchHook() {
  return hook.load(std::memory_order_acquire);
}

void tensorc::rt::traceLaunch(const LaunchHook *hook, const Device &device,
                              const Launch &launch, int64_t begin,
                              int32_t threads) {
  tensorc_rt_launch_record record = {launch.name, device.name(), begin,
                                     now(),       launch.extent, launch.grain,
                                     threads};
  hook->fn(hook->user, &record);
}

void tensorc_rt_set_launch_hook(tensorc_rt_launch_hook fn, void *user) {
  // A former hook may be in use on another thread, so none is freed; hooks are
  // set a few times in a process' life.
  static std::atomic<LaunchHook *> all{nullptr};
  LaunchHook *made = fn ? new (std::nothrow) LaunchHook{fn, user} : nullptr;
  if (made) {
    made->former = all.load();
    while (!all.compare_exchange_weak(made->former, made)) {
    }
  }
  hook.store(made, std::memory_order_release);
}
