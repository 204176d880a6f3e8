//===- VulkanDevice.h - a device of Vulkan ----------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANDEVICE_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANDEVICE_H

#include "runtime/drivers/vulkan/LoopStatus.h"
#include "runtime/drivers/vulkan/VulkanStream.h"

#include <cstring>
#include <string>

namespace tensorc::rt::vulkan {

/// Maximum number of words in push constants, which every device supports: the
/// arguments and the address of the loop status. If there are more, they are
/// stored in memory, and the first word is their address.
constexpr uint32_t maxPushed = 16;

/// The chain of structs with the features that a device has, or with those that
/// are enabled.
struct FeatureChain {
  FeatureChain() {
    basic.next = &of11;
    of11.next = &of12;
  }
  FeatureChain(const FeatureChain &) = delete;
  Features basic{Type::Features2}, of11{Type::Features11},
      of12{Type::Features12};
};

/// What the driver says about a device, queried once.
class PhysicalTraits {
public:
  PhysicalTraits(const Functions &call, PhysicalDevice id);
  /// Returns the property at one of the offsets of Properties.
  template <typename T> T get(size_t offset) const {
    T value;
    std::memcpy(&value, properties.bytes + offset, sizeof(value));
    return value;
  }
  const char *title() const { return properties.bytes + deviceNameOffset; }
  /// Returns the reason why the device cannot be used; empty if it can.
  std::string findObstacle() const;

  FeatureChain features;
  Properties12 controls;
  MemoryProperties heaps = {};
  // Bytes of the largest allocation, and of the memory.
  uint64_t largest = 0, total = 0;
  uint32_t queueFamily = 0; // a family that can compute

private:
  bool chooseQueue(const Functions &call, PhysicalDevice id);

  Properties properties;
  bool hasQueue = false;
};

/// One device, with its own logical device.
struct VulkanDevice {
  VulkanDevice(const Functions &call, PhysicalDevice id);
  gpu::Result open();

  const PhysicalDevice id;
  PhysicalTraits traits;
  Opened opened;
  SharedQueue queue;
  PipelineLayout layout = 0; // of all kernels
  VulkanMemory memory, host;
  LoopStatus loops;
};

} // namespace tensorc::rt::vulkan

#endif
