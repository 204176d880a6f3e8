//===- KLoops.h - Loops along K for blocks of steps -------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_KLOOPS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_KLOOPS_H

#include "codegen/emitters/plans/ContractionPlan.h"

namespace tensorc::codegen::simd {

/// Joins the K loops into one, if the sizes of all but the first are known. An
/// example is a y in the layout of words, whose last dim holds the steps of a
/// word.
void joinKLoops(ContractionPlan &plan);

/// Splits a single K loop in two if this makes the operands linear in the inner
/// loop, for instance because x is reshaped from [.., heads, 64]. The K loop
/// reads `operands`. The inner loop's size is a multiple of `blockSteps`. Returns
/// false if the loop is not split.
bool splitKLoop(ContractionPlan &plan, llvm::ArrayRef<mlir::Value> operands,
                int64_t blockSteps);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_KLOOPS_H
