//===- Grid.h - a launch as its blocks see it -------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_GRID_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_GRID_H

#include "runtime/core/Driver.h"
#include "runtime/drivers/sim/Shadow.h"
#include "runtime/drivers/sim/SimOptions.h"
#include "runtime/drivers/sim/profile/Counters.h"

#include <vector>

namespace tensorc::rt::sim {

/// The memory of one segment, whose number is part of each token.
struct Segment {
  char *host = nullptr;
  uint64_t bytes = 0;
  Cell *cells = nullptr; // null if races are not detected
  unsigned granuleLog = 0;
  uint64_t firstCell = 0;
};

/// A tensor map of a launch, and the host address of its buffer.
struct BoundMap {
  TensorMap map;
  const char *host;
};

/// A launch, as shared by all of its blocks.
struct Grid {
  const SimKernel &kernel;
  const char *name;
  uint64_t blocks;
  SimOptions options;
  std::vector<Segment> buffers;
  // Argument words, with room for the arrays in workgroup memory.
  std::vector<Word> words;
  std::vector<BoundMap> maps;
  Counters *counters = nullptr; // null: blocks are not counted
};

} // namespace tensorc::rt::sim

#endif
