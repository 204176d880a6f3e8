//===- BlockRunner.h - runs blocks, one after another -----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCKRUNNER_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCKRUNNER_H

#include "runtime/drivers/sim/block/ThreadBlock.h"

namespace tensorc::rt::sim {

/// Runs blocks on the calling thread, one after another, with a fiber per
/// simulated thread. Keeps the stacks and the memory for later launches.
class BlockRunner {
public:
  /// Prepares for the blocks of a grid. Must be called before the first of them
  /// runs.
  Status prepare(const Grid &grid) { return block.prepare(grid); }
  Status run(uint64_t number);

private:
  Status beginThreads(uint64_t number);
  static void runThread(void *thread);
  static void runAllThreads(void *block);

  ThreadBlock block;
};

} // namespace tensorc::rt::sim

#endif
