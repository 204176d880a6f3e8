//===- MemorySnapshot.h - the blocks of an allocator ------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_BLOCKS_MEMORYSNAPSHOT_H
#define TENSORC_RUNTIME_CORE_BLOCKS_MEMORYSNAPSHOT_H

#include "tensorc/runtime.h"

#include <string>
#include <vector>

namespace tensorc::rt {

/// A block of memory, and the place in the user's program that needed it.
struct BlockFacts {
  enum class State { Used, Cached, Pending, Released };
  State state = State::Used;
  size_t bytes = 0, requested = 0;
  const char *file = nullptr; // lives as long as the process
  uint32_t line = 0;
  /// Nanoseconds of the monotonic clock; 0 if they were not recorded.
  int64_t begin = 0, end = 0;
};

/// The last blocks that were released, in a ring of fixed size.
class BlockRecord {
public:
  /// Forgets all blocks, and keeps the last `count` from now on. May throw
  /// std::bad_alloc.
  void restart(uint32_t count);
  bool isOn() const { return !ring.empty(); }
  void add(const BlockFacts &block) { ring[added++ % ring.size()] = block; }
  /// Returns the blocks in the order of their release.
  std::vector<BlockFacts> blocks() const;

  static int64_t now();

private:
  std::vector<BlockFacts> ring;
  size_t added = 0;
};

/// All blocks of a device, and those that were released.
struct MemorySnapshot {
  tensorc_rt_memory_stats stats = {};
  std::vector<BlockFacts> blocks, released;

  std::string toJson(const char *device) const;
};

} // namespace tensorc::rt

#endif
