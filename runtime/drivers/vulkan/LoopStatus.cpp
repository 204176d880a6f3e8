//===- LoopStatus.cpp - finds loops that a driver ended early -------------===//
#include "runtime/drivers/vulkan/LoopStatus.h"

#include <algorithm>
#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::vulkan;

Result LoopStatus::open(VulkanMemory &host) {
  constexpr size_t bytes = (1 + maxSites) * sizeof(uint32_t);
  void *memory = nullptr;
  Result result = host.allocate(bytes, memory);
  if (result != success)
    return result;
  std::memset(memory, 0, bytes);
  words = static_cast<uint32_t *>(memory);
  return success;
}

uint32_t *LoopStatus::wordOf(const LaunchSite &site) {
  std::lock_guard lock(mutex);
  uint32_t count = numSites;
  auto *end = sites.data() + count;
  auto *found = std::find(sites.data(), end, site);
  auto *own = const_cast<uint32_t *>(words);
  if (found == end && count == maxSites)
    return own;
  if (found == end) {
    *found = site;
    numSites.store(count + 1, std::memory_order_release);
  }
  return own + 1 + (found - sites.data());
}

const volatile uint32_t *LoopStatus::findSet() const {
  if (!words)
    return nullptr;
  const volatile uint32_t *end =
      words + 1 + numSites.load(std::memory_order_acquire);
  for (const volatile uint32_t *word = words; word != end; ++word)
    if (*word)
      return word;
  return nullptr;
}

LaunchSite LoopStatus::culprit() const {
  const volatile uint32_t *word = findSet();
  return word && word != words ? sites[word - words - 1] : LaunchSite();
}
