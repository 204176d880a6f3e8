//===- BlockMemory.cpp - the memory that a block can access ---------------===//
#include "runtime/drivers/sim/block/BlockMemory.h"

#include <cstdlib>
#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Alignment of dynamic shared memory in bytes.
static constexpr size_t dynamicAlignment = 1024;

static unsigned logOf(unsigned bytes) {
  return bytes ? static_cast<unsigned>(__builtin_ctz(bytes)) : 0;
}

static size_t alignedTo(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) & ~(alignment - 1);
}

Status BlockMemory::prepare(const Grid &grid) {
  const SimKernel &kernel = grid.kernel;
  segments = grid.buffers;
  words = grid.words;
  buffers = kernel.buffers;
  isChecked = grid.options.checks;

  // Arrays in workgroup memory are only aligned like buffers. Dynamic shared
  // memory is aligned for every instruction.
  const size_t begin = kernel.dynamicShared ? 0 : bufferAlignment;
  used = begin;
  size_t numCells = 0;
  for (uint32_t i = 0; i < kernel.shared; ++i) {
    const SimBuffer &array = kernel.memory[buffers + i];
    unsigned log = logOf(array.elementBytes);
    segments.push_back({nullptr, array.bytes, nullptr, log, numCells});
    numCells += (array.bytes >> log) + 1;
    used += alignedTo(array.bytes, bufferAlignment);
  }
  if (size_t bytes = alignedTo(used, dynamicAlignment); capacity < bytes) {
    storage = {static_cast<char *>(std::aligned_alloc(dynamicAlignment, bytes)),
               std::free};
    capacity = storage ? bytes : 0;
    if (!storage)
      return outOfMemory();
  }
  if (isChecked && cellCount < numCells) {
    cells = std::make_unique<Cell[]>(numCells);
    cellCount = numCells;
    generation = 0;
  }
  size_t offset = begin;
  for (uint32_t i = 0; i < kernel.shared; ++i) {
    Segment &segment = segments[buffers + i];
    segment.host = storage.get() + offset;
    offset += alignedTo(segment.bytes, bufferAlignment);
    if (isChecked)
      segment.cells = cells.get();
    words[buffers + kernel.scalars + kernel.tensorMaps + i] =
        isChecked ? simToken(buffers + i)
                  : reinterpret_cast<Word>(segment.host);
  }
  return Status();
}

void BlockMemory::begin() {
  // When the numbers of blocks are used up, all marks are cleared.
  if (++generation > Visit::maxOwner) {
    for (size_t i = 0; i < cellCount; ++i)
      cells[i].writer = cells[i].reader = 0;
    generation = 1;
  }
  if (isChecked)
    std::memset(storage.get(), 0xff, used);
}
