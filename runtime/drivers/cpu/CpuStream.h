//===- CpuStream.h - does work on the calling thread ------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_CPU_CPUSTREAM_H
#define TENSORC_RUNTIME_DRIVERS_CPU_CPUSTREAM_H

#include "runtime/core/streams/InlineStream.h"

namespace tensorc::rt {

/// The default stream. Launches are split over the host's threads.
class CpuStream final : public InlineStream {
public:
  using InlineStream::InlineStream;

  Status launch(const Launch &launch) override;
  Status copy(void *target, const void *source, size_t size,
              CopyKind kind) override;
  Status fill(void *target, uint64_t pattern, uint32_t width,
              size_t size) override;
};

} // namespace tensorc::rt

#endif
