//===- BlockMemory.h - the memory that a block can access -------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_BLOCKMEMORY_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_BLOCKMEMORY_H

#include "runtime/core/Status.h"
#include "runtime/drivers/sim/block/Grid.h"

#include <memory>

namespace tensorc::rt::sim {

/// The segments of a block: the buffers of the launch, and the arrays in
/// workgroup memory, which later blocks reuse.
class BlockMemory {
public:
  Status prepare(const Grid &grid);
  /// Makes the workgroup memory uninitialized.
  void begin();

  /// Words that the kernel receives.
  const Word *arguments() const { return words.data(); }
  /// Returns the segment with this number; null if there is none.
  const Segment *find(uint32_t number) const {
    return number < segments.size() ? &segments[number] : nullptr;
  }
  /// Returns the segment with this number, which must exist.
  const Segment &operator[](uint32_t number) const { return segments[number]; }
  /// Returns the segment of an access; null if it is not within a segment.
  const Segment *findAccess(uint64_t token, uint64_t bytes) const {
    const Segment *segment = find(simSegment(token));
    int64_t offset = simOffset(token);
    bool isInside = segment && offset >= 0 && bytes <= segment->bytes &&
                    static_cast<uint64_t>(offset) <= segment->bytes - bytes;
    return isInside ? segment : nullptr;
  }
  bool isShared(uint32_t number) const { return number >= buffers; }

  /// The workgroup memory, which asynchronous instructions address by offsets.
  char *shared() const { return storage.get(); }
  size_t sharedBytes() const { return used; }
  /// Returns the offset of a segment in workgroup memory.
  uint64_t sharedOffset(uint32_t number) const {
    return static_cast<uint64_t>(segments[number].host - storage.get());
  }
  /// Returns the number of cells for the workgroup memory.
  size_t sharedCells() const { return cellCount; }
  /// Returns the number that marks accesses to workgroup memory by this block.
  uint64_t owner() const { return generation; }

private:
  std::vector<Segment> segments;
  std::vector<Word> words;
  uint32_t buffers = 0; // number of segments that are not workgroup memory
  std::unique_ptr<char, void (*)(void *)> storage{nullptr, nullptr};
  size_t capacity = 0, used = 0; // of the workgroup memory, in bytes
  bool isChecked = false;
  std::unique_ptr<Cell[]> cells;
  size_t cellCount = 0;
  uint64_t generation = 0;
};

} // namespace tensorc::rt::sim

#endif
