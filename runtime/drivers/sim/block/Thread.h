//===- Thread.h - a simulated thread ----------------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_THREAD_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_THREAD_H

#include "runtime/abi/Sim.h"
#include "runtime/drivers/sim/Fiber.h"
#include "runtime/drivers/sim/block/AsyncCopies.h"

namespace tensorc::rt::sim {

struct ThreadBlock;

enum class ThreadState : uint8_t {
  Ready,
  AtBarrier,
  AtNamedBarrier,
  // The thread waits in a shuffle or another operation of the whole subgroup.
  InShuffle,
  Polling, // reading memory that does not change
  Done
};

/// Operations that the threads of a subgroup or warpgroup perform together.
enum class Together : uint8_t { Shuffle, LoadMatrices, Multiply, Wgmma };

/// A lane's operands of a shuffle, and its result.
struct ShuffleLane {
  uint64_t value, result;
  uint32_t operand, width;
  SimShuffle mode;
};

/// A lane's operands of a matrix instruction.
struct MatrixLane {
  uint32_t *registers;
  const char *row; // of a load
  uint32_t transposed;
  SimMultiply multiply;
};

/// Operands of a multiplication by a warpgroup (wgmma), except the registers.
struct WgmmaOperands {
  uint64_t left, right; // matrix descriptors
  uint64_t what;        // an encoded SimWgmma

  bool operator==(const WgmmaOperands &) const = default;
};

/// The last atomic access of a thread.
struct AtomicAccess {
  const char *address = nullptr;
  uint64_t value = 0;
  uint32_t repeats = 0; // how often the same value was read again
};

struct Thread : SimThread {
  ThreadBlock *owner;
  Fiber fiber;
  ThreadState state;
  uint32_t site;         // site at which the thread waits
  uint32_t namedBarrier; // number of the barrier at which it waits
  Together together;     // operation in which it waits
  ShuffleLane shuffle;
  MatrixLane matrix;
  WgmmaOperands wgmma;
  AsyncCopies copies;
  AtomicAccess lastAtomic;
};

} // namespace tensorc::rt::sim

#endif
