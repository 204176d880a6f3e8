//===- BlocksInUse.h - the blocks in use ------------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_BLOCKS_BLOCKSINUSE_H
#define TENSORC_RUNTIME_CORE_BLOCKS_BLOCKSINUSE_H

#include "runtime/core/blocks/MemorySnapshot.h"

namespace tensorc::rt {

class Buffer;

/// A list of blocks, and a record of those that were removed from it. The
/// allocator's lock guards all of it.
class BlocksInUse {
public:
  void add(Buffer &block);
  void remove(Buffer &block);
  /// Returns "; the largest live tensors: 4096 bytes (app.cpp:3), ..."
  std::string largest() const;
  /// Records the times of blocks that are added from now on, and the last
  /// `count` that are removed. May throw std::bad_alloc.
  void record(uint32_t count) { removed.restart(count); }
  std::vector<BlockFacts> released() const { return removed.blocks(); }
  std::vector<BlockFacts> blocks() const;

private:
  static BlockFacts factsOf(const Buffer &block);

  Buffer *first = nullptr;
  BlockRecord removed;
};

} // namespace tensorc::rt

#endif
