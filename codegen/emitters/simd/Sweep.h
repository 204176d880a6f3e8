//===- Sweep.h - What comes from memory, and when it is read by long runs -===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H

#include "codegen/kernel/TargetInfo.h"

namespace tensorc::codegen::simd {

/// Of a row, and from one row to the next: shorter ones are read as well by few
/// vectors, or in tiles.
constexpr int64_t fewestSweptBytes = 2048;

/// Whether so many bytes, read again, come from memory. What fits in a few of
/// the second cache comes from the next one, whose latency is short.
inline bool comeFromMemory(int64_t bytes, const TargetInfo &target) {
  constexpr int64_t fewestCaches = 8;
  return bytes > fewestCaches * static_cast<int64_t>(target.getL2Bytes());
}

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H
