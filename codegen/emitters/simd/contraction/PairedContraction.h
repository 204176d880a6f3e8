//===- PairedContraction.h - A contraction of bf16, two steps at once -----===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/plans/ContractionPlan.h"

namespace tensorc::codegen::simd {

/// True if the fusion is a contraction of bf16 with K in one loop that is worth
/// an instruction for pairs, which the target has. Plans its loops.
bool multipliesPairs(ContractionPlan &plan);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H
