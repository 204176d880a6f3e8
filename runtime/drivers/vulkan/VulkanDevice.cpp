//===- VulkanDevice.cpp - a device of Vulkan ------------------------------===//
#include "runtime/drivers/vulkan/VulkanDevice.h"

#include <vector>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::vulkan;

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

static Properties askProperties(const Functions &call, PhysicalDevice id,
                                void *next = nullptr) {
  Properties properties;
  properties.next = next;
  call.GetPhysicalDeviceProperties2(id, &properties);
  return properties;
}

static uint64_t askLargest(const Functions &call, PhysicalDevice id) {
  Maintenance3Properties more;
  (void)askProperties(call, id, &more);
  return more.maxAllocation;
}

PhysicalTraits::PhysicalTraits(const Functions &call, PhysicalDevice id)
    : largest(askLargest(call, id)), properties(askProperties(call, id)) {
  call.GetPhysicalDeviceFeatures2(id, &features.basic);
  (void)askProperties(call, id, &controls);
  call.GetPhysicalDeviceMemoryProperties(id, &heaps);
  for (uint32_t i = 0; i < heaps.heapCount; ++i)
    if (heaps.heaps[i].flags & deviceLocal)
      total += heaps.heaps[i].size;
  hasQueue = chooseQueue(call, id);
}

/// Chooses a queue family that can compute, preferably one with timestamps.
bool PhysicalTraits::chooseQueue(const Functions &call, PhysicalDevice id) {
  uint32_t count = 0;
  call.GetPhysicalDeviceQueueFamilyProperties(id, &count, nullptr);
  std::vector<QueueFamily> families(count);
  call.GetPhysicalDeviceQueueFamilyProperties(id, &count, families.data());
  for (bool isTimed : {true, false})
    for (uint32_t i = 0; i < count; ++i)
      if (families[i].flags & computeQueue &&
          (families[i].timestampBits || !isTimed)) {
        queueFamily = i;
        return true;
      }
  return false;
}

std::string PhysicalTraits::findObstacle() const {
  if (get<uint32_t>(apiVersionOffset) < version12)
    return "is older than Vulkan 1.2";
  if (!features.of12.has[bufferDeviceAddress])
    return "has no addresses of buffers (bufferDeviceAddress)";
  if (!features.of12.has[timelineSemaphore])
    return "has no timeline semaphores";
  if (!features.basic.has[shaderInt64] || !features.basic.has[shaderInt16] ||
      !features.of12.has[shaderInt8])
    return "lacks integers of 8, 16 or 64 bits in shaders";
  if (!features.of11.has[storage16] || !features.of12.has[storage8])
    return "lacks storage of 8 or 16 bits";
  if (!controls.keepsNan32 ||
      (features.basic.has[shaderFloat64] && !controls.keepsNan64))
    return "may lose NaN and infinities (shaderSignedZeroInfNanPreserve)";
  return hasQueue ? "" : "has no queue that computes";
}

//===----------------------------------------------------------------------===//
// The logical device
//===----------------------------------------------------------------------===//

VulkanDevice::VulkanDevice(const Functions &call, PhysicalDevice id)
    : id(id), traits(call, id), opened{call},
      memory(opened, VulkanMemory::Kind::Device, traits.largest),
      host(opened, VulkanMemory::Kind::Host, traits.largest) {
  memory.properties = host.properties = traits.heaps;
}

Result VulkanDevice::open() {
  const Functions &call = opened.call;
  queue.family = traits.queueFamily;
  float priority = 1;
  DeviceQueueCreateInfo queues;
  queues.family = queue.family;
  queues.priorities = &priority;
  // Enables all features that the device has, except bounds checks, which cost
  // time.
  traits.features.basic.has[robustBufferAccess] = 0;
  DeviceCreateInfo info;
  info.next = &traits.features.basic;
  info.queues = &queues;
  if (int32_t code = call.CreateDevice(id, &info, nullptr, &opened.device))
    return translate(code);
  call.GetDeviceQueue(opened.device, queue.family, 0, &queue.queue);
  PushConstantRange range = {computeStage, 0, maxPushed * sizeof(Word)};
  PipelineLayoutCreateInfo pushed;
  pushed.rangeCount = 1;
  pushed.ranges = &range;
  if (int32_t code =
          call.CreatePipelineLayout(opened.device, &pushed, nullptr, &layout))
    return translate(code);
  return loops.open(host);
}
