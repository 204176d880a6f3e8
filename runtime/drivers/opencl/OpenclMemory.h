//===- OpenclMemory.h - shared virtual memory -------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLMEMORY_H
#define TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLMEMORY_H

#include "runtime/drivers/gpu/VendorApi.h"
#include "runtime/drivers/opencl/OpenclDevice.h"

#include <map>
#include <mutex>
#include <vector>

namespace tensorc::rt::opencl {

class OpenclMemory final : public gpu::MemoryApi {
public:
  explicit OpenclMemory(const OpenclDevice &device) : device(device) {}

  gpu::Result info(const gpu::Handle &, size_t &free, size_t &total) override;
  gpu::Result allocate(const gpu::Handle &, void *&out, size_t bytes) override;
  gpu::Result free(void *data, gpu::MemoryKind kind) override;
  gpu::Result hostAllocate(const gpu::Handle &, void *&out,
                           size_t bytes) override;
  gpu::Result openPool(const gpu::Handle &, gpu::Pool_t &out) override;
  gpu::Result trimPool(gpu::Pool_t) override { return gpu::success; }
  gpu::Result allocateAsync(void *&out, size_t bytes, gpu::Stream_t) override {
    return allocate({}, out, bytes);
  }
  gpu::Result freeAsync(void *data, gpu::Stream_t on) override;

  /// Returns the allocations that a launch accesses.
  std::vector<const void *> findBuffers(const Launch &launch);

private:
  void forget(const void *data);

  const OpenclDevice &device;
  std::mutex mutex; // guards the members below
  std::map<const void *, size_t> allocated;
  uint64_t used = 0; // bytes
};

} // namespace tensorc::rt::opencl

#endif
