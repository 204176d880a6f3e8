//===- Deadlocks.h - describes threads that wait ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_DEADLOCKS_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_DEADLOCKS_H

#include "runtime/drivers/sim/block/BlockErrors.h"

#include <span>

namespace tensorc::rt::sim {

/// Reports that threads of one subgroup are at different places, of which
/// `thread` is in an operation of the whole subgroup.
void reportInactiveLanes(BlockErrors &errors, const Thread &thread,
                         const Thread &other);
/// Reports that no thread of the block can continue, and names two of them.
void reportDeadlock(BlockErrors &errors, std::span<const Thread> threads,
                    uint32_t subgroupSize);

} // namespace tensorc::rt::sim

#endif
