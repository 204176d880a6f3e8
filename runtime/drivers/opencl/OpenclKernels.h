//===- OpenclKernels.h - programs and kernels of OpenCL ---------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLKERNELS_H
#define TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLKERNELS_H

#include "runtime/drivers/opencl/OpenclMemory.h"

namespace tensorc::rt::opencl {

class OpenclKernels final : public gpu::KernelApi {
public:
  OpenclKernels(const OpenclDevice &device, OpenclMemory &memory)
      : device(device), memory(memory) {}

  gpu::Result load(const gpu::Handle &, const std::string &image,
                   gpu::Module_t &out, std::string &log) override;
  gpu::Result unload(gpu::Module_t module) override;
  gpu::Result find(gpu::Module_t module, const char *name, gpu::Function_t &out,
                   uint32_t &) override;
  gpu::Result launch(gpu::Function_t kernel, const Launch &launch,
                     gpu::Stream_t on, const char *&part) override;

private:
  const OpenclDevice &device;
  OpenclMemory &memory;
};

} // namespace tensorc::rt::opencl

#endif
