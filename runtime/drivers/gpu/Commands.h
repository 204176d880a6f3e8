//===- Commands.h - launches and fills on a library's stream ----*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_COMMANDS_H
#define TENSORC_RUNTIME_DRIVERS_GPU_COMMANDS_H

#include "runtime/drivers/gpu/Connection.h"

#include <atomic>

namespace tensorc::rt::gpu {

/// Shared memory of a block that kernels may use without a request to the
/// driver, in bytes.
constexpr uint32_t defaultShared = 48 << 10;

/// A kernel of a loaded image.
struct GpuKernel {
  Function_t function = nullptr;
  uint32_t staticShared = 0; // in bytes
  /// Number of bytes of dynamic shared memory that were requested from the
  /// driver; 0 if the default limit has been enough.
  mutable std::atomic<uint32_t> allowedShared{0};
};

// Make library calls on one of the device's streams. The device must be current
// on the thread.
Status launchOn(Connection &device, Stream_t on, const Launch &launch);
/// Returns UNSUPPORTED if the library has no call for the pattern.
Status fillOn(Connection &device, Stream_t on, void *target, uint64_t pattern,
              uint32_t width, size_t size);

} // namespace tensorc::rt::gpu

#endif
