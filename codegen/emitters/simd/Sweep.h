//===- Sweep.h - What comes from memory, and when it is read by long runs -===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H

#include "codegen/kernel/CpuCosts.h"
#include "codegen/kernel/TargetInfo.h"

namespace tensorc::codegen::simd {

/// Minimum size of a row and of the distance between rows for a sweep. Shorter
/// rows are read as fast by a few vectors, or in tiles.
constexpr int64_t minSweptBytes = 2048;

/// True if this many bytes, read again, come from memory. A few times the size
/// of L2 still fit in the LLC, whose latency is short.
inline bool comeFromMemory(int64_t bytes, const TargetInfo &target) {
  return bytes > getCpuCosts(target).sweptL2Caches * target.getL2Bytes();
}

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H
