//===- VulkanDriver.cpp - devices of Vulkan, through libvulkan.so.1 -------===//
//
// Buffers are device addresses, which kernels receive in their push constants.
// Devices without buffer device addresses are refused. runtime/drivers/gpu has
// the parts that do not depend on Vulkan.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/Drivers.h"
#include "runtime/drivers/gpu/GpuDevice.h"
#include "runtime/drivers/vulkan/VulkanDevice.h"

#include <algorithm>
#include <iterator>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::vulkan;

/// Returns the functions of the Vulkan loader; null if it is missing or too
/// old, which adds a reason to `refused`.
static const Functions *loadFunctions(std::vector<std::string> &refused) {
  static constexpr const char *names[] = {"libvulkan.so.1"};
  static constexpr EntryPoint points[] = {
#define X(name, result, parameters) {"vk" #name, offsetof(Functions, name)},
      TENSORC_VULKAN_FUNCTIONS(X)
#undef X
  };
  void *library = openLibrary(names, std::size(names), &refused);
  if (!library)
    return nullptr;
  static Functions functions;
  const char *missing = findEntryPoints(library, points, &functions);
  if (!missing)
    return &functions;
  refused.push_back(getLibraryPath(library) +
                    " is older than Vulkan 1.2: it has no function " + missing);
  return nullptr;
}

static std::vector<PhysicalDevice> listDevices(const Functions &call) {
  uint32_t version = 0;
  if (call.EnumerateInstanceVersion(&version) != vkSuccess)
    return {};
  ApplicationInfo application;
  application.name = application.engine = "tensorc";
  application.apiVersion = std::min(version, version13);
  InstanceCreateInfo info;
  info.application = &application;
  Instance instance = nullptr; // never destroyed
  if (call.CreateInstance(&info, nullptr, &instance) != vkSuccess)
    return {};
  uint32_t count = 0;
  if (call.EnumeratePhysicalDevices(instance, &count, nullptr) != vkSuccess)
    return {};
  std::vector<PhysicalDevice> devices(count);
  if (call.EnumeratePhysicalDevices(instance, &count, devices.data()) < 0)
    return {};
  return devices;
}

void tensorc::rt::addVulkanDevices(FoundDevices &found) {
  const Functions *call = loadFunctions(found.refused);
  if (!call)
    return;
  for (PhysicalDevice id : listDevices(*call)) {
    auto device = std::make_unique<VulkanDevice>(*call, id);
    std::string obstacle = device->findObstacle();
    if (obstacle.empty())
      addGpuDevices(std::move(device), "vulkan", found);
    else
      found.refused.push_back(device->title() + " " + obstacle);
  }
}
