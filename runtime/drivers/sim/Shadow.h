//===- Shadow.h - the last accesses to memory -------------------*- C++ -*-===//
//
// A cell for each granule of a buffer records its last writer and its readers.
// Two accesses race if different threads made them, at least one is a write,
// not both are atomic, and no barrier orders them. Epochs (the number of
// barriers so far) order the threads of a block; nothing orders the blocks of a
// launch.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_SHADOW_H
#define TENSORC_RUNTIME_DRIVERS_SIM_SHADOW_H

#include "runtime/abi/Sim.h"

#include <algorithm>
#include <atomic>

namespace tensorc::rt::sim {

/// A mark that records an access in one word, so that blocks on several host
/// threads can exchange it atomically.
class Visit {
public:
  /// Whether threads or blocks other than the recorded one also made the
  /// access.
  enum Many : uint64_t { One = 0, Threads = 1, Blocks = 3 };
  static constexpr uint32_t unknownSite = (1u << 12) - 1;

  Visit() = default;
  explicit Visit(uint64_t bits) : bits(bits) {}
  /// Makes the mark of an access by block number `owner` - 1. If `owner` is 0,
  /// the mark means that there was no access.
  Visit(uint64_t owner, uint32_t thread, uint64_t epoch, uint32_t site,
        bool atomic)
      : bits(owner << 37 | uint64_t(thread & 1023) << 27 |
             std::min(epoch, maxEpoch) << 15 | uint64_t(atomic) << 14 |
             std::min(site, unknownSite)) {}

  bool none() const { return !bits; }
  uint64_t owner() const { return bits >> 37; }
  uint32_t thread() const { return bits >> 27 & 1023; }
  uint64_t epoch() const { return bits >> 15 & maxEpoch; }
  bool isAtomic() const { return bits >> 14 & 1; }
  Many many() const { return Many(bits >> 12 & 3); }
  uint32_t site() const { return bits & unknownSite; }
  Visit withMany(Many many) const { return Visit(bits | many << 12); }

  /// True if nothing orders this earlier access before `mine`.
  bool isUnordered(Visit mine) const {
    if (none())
      return false;
    if (owner() != mine.owner() || many() == Blocks)
      return true;
    // The maximum epoch also represents all later epochs.
    if (epoch() != mine.epoch() || epoch() == maxEpoch)
      return false;
    return thread() != mine.thread() || many() == Threads;
  }
  /// Returns a mark for both this access and `mine`, which must not conflict.
  Visit mergedWith(Visit mine) const {
    if (none())
      return mine;
    if (owner() != mine.owner())
      return withMany(Blocks);
    if (many() == Blocks)
      return *this;
    if (epoch() != mine.epoch())
      return mine;
    return thread() == mine.thread() ? *this : withMany(Threads);
  }

  static constexpr uint64_t maxEpoch = (1u << 12) - 1;
  static constexpr uint64_t maxOwner = (1u << 27) - 1;
  uint64_t bits = 0;
};

/// The marks of the last accesses to a granule of memory.
struct Cell {
  std::atomic<uint64_t> writer{0}, reader{0};
};

struct Finding {
  enum Kind { None, Race, Uninitialized } kind = None;
  Visit other;
  bool otherWrote = false;
};

/// Records an access and returns a race if there is one. `Shared` means
/// workgroup memory, which one block at a time uses, so that marks of earlier
/// owners are ignored. Otherwise it is global memory, which blocks on several
/// host threads use.
template <bool Shared> Finding touch(Cell &cell, Visit mine, SimOp op);
extern template Finding touch<true>(Cell &, Visit, SimOp);
extern template Finding touch<false>(Cell &, Visit, SimOp);

} // namespace tensorc::rt::sim

#endif
