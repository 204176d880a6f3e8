//===- CopyFlights.h - destinations of copies in flight ---------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_COPYFLIGHTS_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_COPYFLIGHTS_H

#include "runtime/drivers/sim/block/Grid.h"

#include <optional>

namespace tensorc::rt::sim {

/// The parts of workgroup memory to which asynchronous copies may write at any
/// time, because their threads have not waited for them.
class CopyFlights {
public:
  struct Flight {
    uint64_t offset; // in the segment
    uint32_t thread; // that copies
  };

  /// `cells` is the number of cells of the workgroup memory.
  void prepare(size_t cells) {
    if (owners.size() < cells)
      owners.assign(cells, 0);
  }
  void begin() {
    if (std::exchange(count, 0))
      std::fill(owners.begin(), owners.end(), 0);
  }
  void start(const Segment &segment, uint64_t offset, uint64_t bytes,
             uint32_t thread) {
    mark(segment, offset, bytes, static_cast<uint16_t>(thread + 1));
    ++count;
  }
  void finish(const Segment &segment, uint64_t offset, uint64_t bytes) {
    mark(segment, offset, bytes, 0);
    --count;
  }
  bool any() const { return count; }
  /// Returns the first of the bytes that a copy in flight writes.
  std::optional<Flight> find(const Segment &segment, uint64_t offset,
                             uint64_t bytes) const {
    for (uint64_t i = offset >> segment.granuleLog;
         i <= (offset + bytes - 1) >> segment.granuleLog; ++i)
      if (uint32_t owner = owners[segment.firstCell + i])
        return Flight{std::max(offset, i << segment.granuleLog), owner - 1};
    return std::nullopt;
  }

private:
  void mark(const Segment &segment, uint64_t offset, uint64_t bytes,
            uint16_t owner) {
    for (uint64_t i = offset >> segment.granuleLog;
         i <= (offset + bytes - 1) >> segment.granuleLog; ++i)
      owners[segment.firstCell + i] = owner;
  }

  /// For each cell, 1 + the thread whose copy to it is in flight, or 0.
  std::vector<uint16_t> owners;
  uint32_t count = 0; // copies in flight
};

} // namespace tensorc::rt::sim

#endif
