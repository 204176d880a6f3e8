//===- LoopStatus.h - finds loops that a driver ended early -----*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_LOOPSTATUS_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_LOOPSTATUS_H

#include "runtime/core/Driver.h"
#include "runtime/drivers/vulkan/VulkanMemory.h"

#include <array>
#include <atomic>
#include <mutex>

namespace tensorc::rt::vulkan {

/// Words that kernels set if one of their loops ended too early, see
/// loopWasCut. Each line that launches a kernel has a word of its own, up to
/// maxSites of them; the others share one.
class LoopStatus {
public:
  gpu::Result open(VulkanMemory &host);
  /// Returns `result`, or loopWasCut if a word is set.
  gpu::Result check(gpu::Result result) const {
    return result == gpu::success && findSet() ? loopWasCut : result;
  }
  /// Returns the word for a launch.
  uint32_t *wordOf(const LaunchSite &site);
  /// Returns the launch whose word is set. The kernel is null if none is set,
  /// or if the set word is the shared one.
  LaunchSite culprit() const;

private:
  static constexpr uint32_t maxSites = 256;
  const volatile uint32_t *findSet() const;
  volatile uint32_t *words = nullptr; // the first word is the shared one
  std::array<LaunchSite, maxSites> sites;
  std::atomic<uint32_t> numSites{0};
  std::mutex mutex; // held while sites are added
};

} // namespace tensorc::rt::vulkan

#endif
