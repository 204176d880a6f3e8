//===- Sweep.h - When rows of memory are read by long runs ----------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H

#include "codegen/kernel/TargetInfo.h"

namespace tensorc::codegen::simd {

/// Of a row, and from one row to the next: shorter ones are read as well by few
/// vectors, or in tiles.
constexpr int64_t fewestSweptBytes = 2048;

/// Whether so many bytes are too many to be read again from a cache. What fits
/// in a few of the second one comes from the next, whose latency is short
/// enough for few vectors.
inline bool isWorthSweep(int64_t bytes, const TargetInfo &target) {
  constexpr int64_t fewestCaches = 8;
  return bytes > fewestCaches * static_cast<int64_t>(target.getL2Bytes());
}

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H
