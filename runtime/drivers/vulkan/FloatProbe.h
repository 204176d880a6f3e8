//===- FloatProbe.h - tests a driver's arithmetic on floats -----*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_FLOATPROBE_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_FLOATPROBE_H

#include "runtime/drivers/gpu/VendorApi.h"
#include "runtime/drivers/vulkan/VulkanMemory.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace tensorc::rt::vulkan {

/// Deviations from IEEE 754 that Vulkan allows, or that drivers have although
/// it does not. Our modules have code that avoids them, see KeepFloats.cpp.
struct FloatTraits {
  bool roundsFmaTwice = false; // fma rounds the product, and then the sum
  bool foldsZeros = false;     // simplifies x + 0 to x, or x * 0 and 0 / x to 0

  FloatTraits &operator|=(const FloatTraits &other);
  bool operator==(const FloatTraits &) const = default;
};

/// The functions with which the probe runs its kernel.
struct ProbeApi {
  gpu::MemoryApi &memory;
  gpu::CopyApi &copies;
  gpu::StreamApi &streams;
  gpu::KernelApi &kernels;
};

/// Determines the traits of a device's driver by running a kernel of one thread
/// on known operands, in f32 and, if the device has it, in f64. Thread-safe.
class FloatProbe {
public:
  /// Runs the kernel at the first call. The device is open, and `host` is its
  /// host memory.
  gpu::Result find(const ProbeApi &api, VulkanMemory &host, bool hasDoubles,
                   FloatTraits &out);

private:
  std::mutex mutex;
  std::optional<FloatTraits> found;
};

/// The name of the kernel in its module.
constexpr const char *floatProbeName = "probe_floats";
/// Returns the module for floats of 32 or 64 bits. The only argument is the
/// address of ten floats: six operands, and four results.
std::vector<uint32_t> buildFloatProbe(uint32_t bits);

} // namespace tensorc::rt::vulkan

#endif
