//===- Subgroups.h - operations of whole subgroups --------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_SUBGROUPS_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_SUBGROUPS_H

#include "runtime/drivers/sim/block/Scheduler.h"

namespace tensorc::rt::sim {

/// Lets the lanes of each subgroup of a block wait for one another. The last
/// lane to arrive performs the operation for all.
class Subgroups {
public:
  Subgroups(Scheduler &scheduler, BlockErrors &errors)
      : scheduler(scheduler), errors(errors) {}

  void prepare(const Grid &grid);
  void begin() { std::fill(waiting.begin(), waiting.end(), 0); }
  /// Performs an operation whose operands the thread holds.
  void join(Thread &thread, Together what, uint32_t site);

private:
  void perform(std::span<Thread> lanes);
  void readLane(std::span<Thread> lanes, uint32_t lane);
  bool hasLanes(std::span<Thread> lanes, uint32_t number);

  const Grid *grid = nullptr;
  Scheduler &scheduler;
  BlockErrors &errors;
  std::vector<uint32_t> waiting; // number of waiting lanes of each subgroup
};

} // namespace tensorc::rt::sim

#endif
