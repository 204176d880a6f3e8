//===- Sweep.h - What comes from memory, and when it is read by long runs -===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H

#include "codegen/kernel/CpuCosts.h"
#include "codegen/kernel/TargetInfo.h"

namespace tensorc::codegen::simd {

/// Of a row, and from one row to the next: shorter ones are read as well by few
/// vectors, or in tiles.
constexpr int64_t fewestSweptBytes = 2048;

/// Whether so many bytes, read again, come from memory and not from a cache.
inline bool comeFromMemory(int64_t bytes, const TargetInfo &target) {
  return bytes > getCpuCosts(target).sweptL2Caches * target.getL2Bytes();
}

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H
