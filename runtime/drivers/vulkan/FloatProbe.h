//===- FloatProbe.h - how a driver computes with floats ---------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_FLOATPROBE_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_FLOATPROBE_H

#include "runtime/drivers/gpu/Vendor.h"

#include <cstdint>
#include <vector>

namespace tensorc::rt::vulkan {

/// Deviations from IEEE 754 that Vulkan allows, or that drivers have all the
/// same. Our modules have code that avoids them, see KeepFloats.cpp.
struct FloatTraits {
  bool roundsFmaTwice = false; // the product, and then the sum
  bool foldsZeros = false;     // takes x + 0 for x, or x * 0 and 0 / x for 0

  FloatTraits &operator|=(const FloatTraits &other);
  bool operator==(const FloatTraits &) const = default;
};

/// Runs a kernel of one thread on known operands, in f32 and, if the device has
/// it, in f64. The device is open, and `host` has floatProbeBytes of its host
/// memory.
gpu::Result probeFloats(gpu::Vendor &vendor, const gpu::Handle &device,
                        void *host, bool hasDoubles, FloatTraits &out);
constexpr size_t floatProbeBytes = 10 * sizeof(double);

/// The name of the kernel of probeFloats in its module.
constexpr const char *floatProbeName = "probe_floats";
/// Returns the module for floats of 32 or 64 bits. The only argument is the
/// address of ten of them: six operands, and four results.
std::vector<uint32_t> buildFloatProbe(uint32_t bits);

} // namespace tensorc::rt::vulkan

#endif
