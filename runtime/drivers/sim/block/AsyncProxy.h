//===- AsyncProxy.h - asynchronous copies and multiplications ---*- C++ -*-===//
//
// Asynchronous operations of sm_90: bulk tensor copies that a barrier in memory
// (mbarrier) counts, and multiplications by groups of 128 threads that read
// shared memory until they are waited for. An operation is known to be finished
// in a thread that has waited for it, or that has synchronized with such a
// thread. An access to memory is an error if earlier operations on this memory
// are not known to be finished in the accessing thread.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_ASYNCPROXY_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_ASYNCPROXY_H

#include "runtime/abi/Sim.h"
#include "runtime/core/Driver.h"

#include <array>
#include <deque>

namespace tensorc::rt::sim {

constexpr uint32_t warpgroupThreads = 128;

/// The asynchronous work that is known to be finished in a thread, or in the
/// threads that arrived at a barrier.
struct Knowledge {
  static constexpr uint32_t maxBarriers = 24, maxGroups = 8;
  std::array<uint32_t, maxBarriers> phases{}; // phases of each mbarrier
  std::array<uint32_t, maxGroups> reads{};    // multiplications of each group

  void join(const Knowledge &other) {
    for (uint32_t i = 0; i < maxBarriers; ++i)
      phases[i] = std::max(phases[i], other.phases[i]);
    for (uint32_t i = 0; i < maxGroups; ++i)
      reads[i] = std::max(reads[i], other.reads[i]);
  }
  void meet(const Knowledge &other) {
    for (uint32_t i = 0; i < maxBarriers; ++i)
      phases[i] = std::min(phases[i], other.phases[i]);
    for (uint32_t i = 0; i < maxGroups; ++i)
      reads[i] = std::min(reads[i], other.reads[i]);
  }
};

struct Mbarrier {
  uint64_t token;           // its address
  uint32_t count;           // arrivals per phase
  uint32_t pending;         // arrivals missing in this phase
  int64_t bytes;            // expected bytes that have not arrived
  uint32_t phase;           // number of finished phases
  bool isFenced;            // a fence made it visible to copies
  Knowledge arrived, known; // known in this phase, and in earlier phases

  /// Ends the phase, and returns true, if nothing is missing in it.
  bool endPhase();
};

/// A bulk copy of a box of a buffer to workgroup memory. The copy is in flight.
struct TensorCopy {
  const TensorMap *map;
  const char *from; // the beginning of the buffer
  std::array<int64_t, 5> at;
  char *to;
  uint64_t address; // of `to`
  uint32_t barrier, bytes;
};

/// A multiplication accumulators += left * right by a warpgroup. Descriptors of
/// shared memory give its operands.
struct GroupMultiply {
  uint64_t left, right;
  SimWgmma what;
  uint64_t commit; // the commit group of the multiplication
  uint32_t number; // counted from 1
};

struct Warpgroup {
  uint32_t waiting = 0;
  /// Numbers of the last multiplication that was issued, of the last one that
  /// has read its operands, and of the last one that is known to be finished.
  uint32_t issued = 0, executed = 0, over = 0;
  uint64_t committed = 0;
  bool holdsSums = false;
  uint32_t columns = 0;
  std::deque<GroupMultiply> pending;
  std::vector<float> sums; // accumulators [row][column]
};

/// State of 16 bytes of shared memory.
struct AsyncCell {
  // 1 + number of the mbarrier of the last copy to the cell.
  uint32_t barrier = 0;
  // Phase of the mbarrier that ends when the copy has arrived.
  uint32_t phase = 0;
  std::array<uint32_t, Knowledge::maxGroups> reads{};
};

/// The asynchronous work of a block, and what its threads know of it.
struct AsyncProxy {
  static constexpr unsigned cellBytes = 16;
  static constexpr uint32_t maxNamedBarriers = 16;
  std::vector<Mbarrier> barriers;
  std::vector<TensorCopy> copies; // copies in flight
  std::array<Warpgroup, Knowledge::maxGroups> groups;
  std::vector<AsyncCell> cells;
  std::vector<Knowledge> knowledge; // knowledge of each thread
  /// Number of threads that wait at each named barrier.
  std::array<uint32_t, maxNamedBarriers> waiting{};

  AsyncProxy(uint32_t threads, size_t bytes)
      : cells((bytes + cellBytes - 1) / cellBytes), knowledge(threads) {}

  /// Called when all threads of the block have met at a barrier. Operations
  /// that were known to be finished in one thread are then known in all.
  void shareKnowledge();
  /// Completes all pending copies that signal this mbarrier: writes their data
  /// to workgroup memory. Returns true if this ends a phase.
  bool deliverCopies(uint32_t barrier, char *memory);
  /// Returns the reason why a thread must not access the bytes; null if it may.
  const char *findConflict(uint32_t thread, uint64_t address, uint64_t bytes,
                           SimOp op) const;
};

} // namespace tensorc::rt::sim

#endif
