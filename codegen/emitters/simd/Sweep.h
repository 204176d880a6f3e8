//===- Sweep.h - Tests whether repeated reads come from memory ------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H

#include "codegen/kernel/CpuCosts.h"
#include "codegen/kernel/TargetInfo.h"

namespace tensorc::codegen::simd {

/// True if data of this size comes from memory when it is read again. Data of a
/// few times the size of L2 still comes from the LLC.
inline bool comeFromMemory(int64_t bytes, const TargetInfo &target) {
  return bytes > getCpuCosts(target).sweptL2Caches * target.getL2Bytes();
}

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SWEEP_H
