//===- VulkanKernels.h - modules and kernels of Vulkan ----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANKERNELS_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANKERNELS_H

#include "runtime/drivers/gpu/VendorApi.h"
#include "runtime/drivers/vulkan/FloatProbe.h"
#include "runtime/drivers/vulkan/VulkanDevice.h"

namespace tensorc::rt::vulkan {

class VulkanKernels final : public gpu::KernelApi {
public:
  /// The functions for memory, copies and streams run the probe of floats.
  VulkanKernels(VulkanDevice &device, gpu::MemoryApi &memory,
                gpu::CopyApi &copies, gpu::StreamApi &streams)
      : device(device), memory(memory), copies(copies), streams(streams) {}

  gpu::Result load(const gpu::Handle &, const std::string &image,
                   gpu::Module_t &out, std::string &log) override;
  gpu::Result unload(gpu::Module_t module) override;
  gpu::Result find(gpu::Module_t module, const char *name, gpu::Function_t &out,
                   uint32_t &) override;
  gpu::Result launch(gpu::Function_t kernel, const Launch &launch,
                     gpu::Stream_t on, const char *&part) override;

private:
  VulkanDevice &device;
  gpu::MemoryApi &memory;
  gpu::CopyApi &copies;
  gpu::StreamApi &streams;
  FloatProbe floats;
};

} // namespace tensorc::rt::vulkan

#endif
