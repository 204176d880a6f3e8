//===- PairedContraction.h - Contraction of bf16 in pairs of K steps ------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/plans/ContractionPlan.h"

namespace tensorc::codegen::simd {

/// True if the fusion is a contraction of bf16 with a single K loop for which
/// the dot-product instruction for pairs pays off, and the target has it. Plans
/// its loops.
bool multipliesPairs(ContractionPlan &plan);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H
