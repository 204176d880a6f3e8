//===- ArenaPacking.h - Offsets of temporaries in an arena ----------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_ARENAPACKING_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_ARENAPACKING_H

#include "mlir/Support/LLVM.h"

#include <cstdint>

namespace tensorc::compiler {

/// Alignment of buffers in bytes, on which GPU kernels rely
/// (docs/design/0005-simt-kernels.md).
constexpr int64_t arenaAlignment = 64;

/// A buffer of static size, the positions of its first and last use, and its
/// offset in the arena.
struct LiveRange {
  int64_t bytes = 0;
  unsigned begin = 0, end = 0;
  int64_t offset = 0;

  bool overlaps(const LiveRange &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// Places buffers by decreasing size, each into the smallest gap between the
/// placed buffers whose live ranges overlap its own. Buffers of equal size keep
/// their order. Returns the number of bytes needed.
int64_t packArena(mlir::ArrayRef<LiveRange *> ranges);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_ARENAPACKING_H
