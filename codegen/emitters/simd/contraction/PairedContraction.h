//===- PairedContraction.h - Contraction of bf16 in pairs of K steps ------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/plans/ContractionPlan.h"

namespace tensorc::codegen::simd {

/// Plans the loops and returns true if the fusion is a contraction of bf16 with
/// a single K loop, the target has the dot-product instruction for pairs of
/// bf16, and the instruction pays off.
bool multipliesPairs(ContractionPlan &plan);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H
