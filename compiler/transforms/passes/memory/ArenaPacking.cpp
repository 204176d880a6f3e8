//===- ArenaPacking.cpp - Offsets of temporaries in an arena --------------===//

#include "compiler/transforms/passes/memory/ArenaPacking.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace tensorc::compiler {

static int64_t paddedBytes(const LiveRange *range) {
  return static_cast<int64_t>(llvm::alignTo(range->bytes, arenaAlignment));
}

int64_t packArena(ArrayRef<LiveRange *> ranges) {
  // Buffers of equal size keep their order.
  SmallVector<std::pair<int64_t, unsigned>> order;
  for (auto [i, range] : llvm::enumerate(ranges))
    order.push_back({-paddedBytes(range), i});
  llvm::sort(order);
  SmallVector<LiveRange *> placed; // placed ranges, sorted by offset
  int64_t total = 0;
  for (auto [negative, i] : order) {
    LiveRange *range = ranges[i];
    int64_t bytes = -negative, end = 0;
    int64_t best = -1, bestGap = std::numeric_limits<int64_t>::max();
    for (LiveRange *other : placed) {
      if (!other->overlaps(*range))
        continue;
      int64_t gap = other->offset - end;
      if (gap >= bytes && gap < bestGap) {
        best = end;
        bestGap = gap;
      }
      end = std::max(end, other->offset + paddedBytes(other));
    }
    range->offset = best >= 0 ? best : end;
    total = std::max(total, range->offset + bytes);
    placed.insert(llvm::upper_bound(placed, range,
                                    [](LiveRange *a, LiveRange *b) {
                                      return a->offset < b->offset;
                                    }),
                  range);
  }
  return total;
}

} // namespace tensorc::compiler
