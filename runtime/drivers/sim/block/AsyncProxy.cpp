//===- AsyncProxy.cpp - asynchronous copies and multiplications -----------===//
//
// Implements cp.async.bulk.tensor and its swizzles as the PTX ISA describes
// them: 16 bytes at an address are stored where bits 4 to 6 are xored with bits
// 7 to 9. Elements outside of the buffer's sizes are zeros.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/block/AsyncProxy.h"

#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

bool Mbarrier::endPhase() {
  if (pending || bytes)
    return false;
  ++phase;
  pending = count;
  known.join(arrived);
  return true;
}

void AsyncProxy::shareKnowledge() {
  Knowledge all;
  for (const Knowledge &one : knowledge)
    all.join(one);
  std::fill(knowledge.begin(), knowledge.end(), all);
}

static uint64_t swizzled(uint64_t address, uint32_t swizzle) {
  uint64_t rows = swizzle / 16; // 8, 4 or 2; 0 without a swizzle
  return rows ? address ^ (address >> 7 & (rows - 1)) << 4 : address;
}

/// Calls `piece` for each row of a box, in the order in which they are stored.
template <typename Piece>
static void forRows(const TensorCopy &copy, Piece piece) {
  const TensorMap &map = *copy.map;
  std::array<int64_t, 5> row{};
  uint64_t rows = 1;
  for (uint32_t d = 1; d < map.rank; ++d)
    rows *= map.box[d];
  for (uint64_t i = 0; i < rows; ++i) {
    int64_t offset = copy.at[0] * map.elementBytes;
    bool inside = true;
    for (uint32_t d = 1; d < map.rank; ++d) {
      int64_t x = copy.at[d] + row[d];
      inside &= x >= 0 && x < map.sizes[d];
      offset += x * map.strides[d - 1];
    }
    piece(i, inside, offset);
    for (uint32_t d = 1; d < map.rank && ++row[d] == map.box[d]; ++d)
      row[d] = 0;
  }
}

static void performTensorCopy(const TensorCopy &copy, char *memory) {
  const TensorMap &map = *copy.map;
  uint64_t bytes = uint64_t(map.box[0]) * map.elementBytes;
  forRows(copy, [&](uint64_t row, bool inside, int64_t offset) {
    char line[512] = {};
    for (uint32_t i = 0; inside && i < map.box[0]; ++i)
      if (int64_t x = copy.at[0] + i; x >= 0 && x < map.sizes[0])
        std::memcpy(line + i * map.elementBytes,
                    copy.from + offset + i * map.elementBytes,
                    map.elementBytes);
    for (uint64_t i = 0; i < bytes; i += 16)
      std::memcpy(memory +
                      swizzled(copy.address + row * bytes + i, map.swizzle),
                  line + i, 16);
  });
}

bool AsyncProxy::deliverCopies(uint32_t barrier, char *memory) {
  bool isOver = false;
  for (size_t i = 0; i < copies.size();) {
    if (copies[i].barrier != barrier) {
      ++i;
      continue;
    }
    TensorCopy copy = copies[i];
    copies.erase(copies.begin() + static_cast<ptrdiff_t>(i));
    performTensorCopy(copy, memory);
    barriers[barrier].bytes -= copy.bytes;
    isOver |= barriers[barrier].endPhase();
  }
  return isOver;
}

const char *AsyncProxy::findConflict(uint32_t thread, uint64_t address,
                                     uint64_t bytes, SimOp op) const {
  const Knowledge &mine = knowledge[thread];
  for (uint64_t i = address / cellBytes; i <= (address + bytes - 1) / cellBytes;
       ++i) {
    const AsyncCell &cell = cells[i];
    if (cell.barrier && mine.phases[cell.barrier - 1] <= cell.phase)
      return "nobody has waited for the copy to that place";
    for (uint32_t g = 0; op != SimOp::Read && g < Knowledge::maxGroups; ++g)
      if (cell.reads[g] > mine.reads[g])
        return "may not know that what is there has been multiplied";
  }
  return nullptr;
}
