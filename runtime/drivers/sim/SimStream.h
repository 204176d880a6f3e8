//===- SimStream.h - runs simulated work on the calling thread --*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_SIMSTREAM_H
#define TENSORC_RUNTIME_DRIVERS_SIM_SIMSTREAM_H

#include "runtime/core/Driver.h"
#include "runtime/drivers/sim/BlockRunner.h"
#include "runtime/drivers/sim/SimMemory.h"
#include "runtime/drivers/sim/profile/Profile.h"

namespace tensorc::rt::sim {

/// The inner stream of a simulated device, whose calls return only when their
/// work is finished. The streams that users see run it on a thread of their
/// own.
class SimStream final : public Stream {
public:
  SimStream(Device &device, SimMemory &memory)
      : Stream(device), memory(memory) {}

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

private:
  using Cells = std::vector<std::unique_ptr<Cell[]>>;
  Status checkShape(const Launch &launch, const SimKernel &kernel) const;
  Status bind(const Launch &launch, Grid &grid);
  Status bindMaps(const Launch &launch, Grid &grid);
  Status runBlocks(const Launch &launch, const Grid &grid);
  Status runProfiled(const Launch &launch, const Grid &grid,
                     const ProfileHook &profileHook);
  Status toHost(const void *address, size_t size, char *&out);
  std::unique_ptr<BlockRunner> takeRunner();
  void giveRunner(std::unique_ptr<BlockRunner> runner);

  SimMemory &memory;
  std::mutex mutex;
  std::vector<std::unique_ptr<BlockRunner>> runners; // not in use
};

} // namespace tensorc::rt::sim

#endif
