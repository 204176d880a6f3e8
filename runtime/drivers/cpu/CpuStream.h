//===- CpuStream.h - does work on the calling thread ------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_CPU_CPUSTREAM_H
#define TENSORC_RUNTIME_DRIVERS_CPU_CPUSTREAM_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// The default stream: work is done before the call returns. It has no state,
/// so threads do not order each other's work.
class CpuStream final : public Stream {
public:
  explicit CpuStream(Device &device) : Stream(device) {}

  Status launch(const Launch &launch) override;
  Status copy(void *target, const void *source, size_t size,
              CopyKind kind) override;
  Status fill(void *target, uint64_t pattern, uint32_t width,
              size_t size) override;
  Status call(std::function<Status()> function) override { return function(); }
  Status record(std::shared_ptr<Mark> &mark) override;
  Status wait(std::shared_ptr<Mark> mark) override { return mark->wait(); }
  Status synchronize() override { return Status(); }
  bool idle() override { return true; }
  bool isInline() const override { return true; }
  void retire(std::vector<Buffer *> buffers,
              std::shared_ptr<const void> keep) override;
};

} // namespace tensorc::rt

#endif
