//===- VulkanErrors.cpp - the names of Vulkan's errors --------------------===//
#include "runtime/drivers/vulkan/VulkanApi.h"

#include <iterator>

/// Names of the errors -1, -2, ... (VkResult).
static constexpr const char *names[] = {
    "VK_ERROR_OUT_OF_HOST_MEMORY",
    "VK_ERROR_OUT_OF_DEVICE_MEMORY",
    "VK_ERROR_INITIALIZATION_FAILED",
    "VK_ERROR_DEVICE_LOST",
    "VK_ERROR_MEMORY_MAP_FAILED",
    "VK_ERROR_LAYER_NOT_PRESENT",
    "VK_ERROR_EXTENSION_NOT_PRESENT",
    "VK_ERROR_FEATURE_NOT_PRESENT",
    "VK_ERROR_INCOMPATIBLE_DRIVER",
    "VK_ERROR_TOO_MANY_OBJECTS",
    "VK_ERROR_FORMAT_NOT_SUPPORTED",
    "VK_ERROR_FRAGMENTED_POOL",
    "VK_ERROR_UNKNOWN",
};

const char *tensorc::rt::vulkan::errorName(int32_t code) {
  int64_t index = -1 - static_cast<int64_t>(code);
  return index >= 0 && index < std::ssize(names) ? names[index] : nullptr;
}
