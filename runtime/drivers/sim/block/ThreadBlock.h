//===- ThreadBlock.h - the parts of a block ---------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_THREADBLOCK_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_THREADBLOCK_H

#include "runtime/drivers/sim/block/AccessChecker.h"
#include "runtime/drivers/sim/block/Subgroups.h"

namespace tensorc::rt::sim {

/// A block, as the callbacks of its threads see it.
struct ThreadBlock {
  ThreadBlock() = default;
  ThreadBlock(const ThreadBlock &) = delete;

  Status prepare(const Grid &of) {
    grid = &of;
    errors.prepare(of);
    scheduler.prepare(of);
    subgroups.prepare(of);
    accesses.prepare(of);
    TENSORC_RT_TRY(memory.prepare(of));
    flights.prepare(memory.sharedCells());
    return Status();
  }
  void begin(uint64_t number) {
    errors.begin(number);
    memory.begin();
    flights.begin();
    proxy.reset();
    scheduler.begin(number);
    subgroups.begin();
  }
  const SimSite &site(uint32_t number) const {
    return grid->kernel.sites[number];
  }
  /// Returns the asynchronous work, which few kernels have.
  AsyncProxy &async() {
    if (!proxy)
      proxy = std::make_unique<AsyncProxy>(grid->kernel.blockThreads,
                                           memory.sharedBytes());
    return *proxy;
  }

  const Grid *grid = nullptr;
  BlockErrors errors;
  BlockMemory memory;
  CopyFlights flights;
  std::unique_ptr<AsyncProxy> proxy; // null until a thread uses it
  Scheduler scheduler{errors, [this] { meet(); }};
  Subgroups subgroups{scheduler, errors};
  AccessChecker accesses{memory, flights, proxy, scheduler, errors};

private:
  /// Called when all threads have met at a barrier.
  void meet() {
    if (proxy)
      proxy->shareKnowledge();
    if (grid->counters)
      grid->counters->meetAll();
  }
};

} // namespace tensorc::rt::sim

#endif
