//===- CpuStream.h - executes work on the calling thread --------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_CPU_CPUSTREAM_H
#define TENSORC_RUNTIME_DRIVERS_CPU_CPUSTREAM_H

#include "runtime/core/streams/InlineStream.h"

namespace tensorc::rt {

/// The default stream of a CPU device. Launches are split over the device's
/// share of the host's threads.
class CpuStream final : public InlineStream {
public:
  CpuStream(Device &device, int32_t devices)
      : InlineStream(device), devices(devices) {}

  /// Maximum number of threads of a launch.
  int32_t threads() const;
  Status launch(const Launch &launch) override;
  Status copy(void *target, const void *source, size_t size,
              CopyKind kind) override;
  Status fill(void *target, uint64_t pattern, uint32_t width,
              size_t size) override;

private:
  const int32_t devices; // number of devices that share the host's threads
};

} // namespace tensorc::rt

#endif
