//===- Skeletons.h - Kernels for a range of work items --------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SKELETONS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SKELETONS_H

#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/Skeleton.h"

namespace tensorc::codegen::simd {

#define SIMD_SKELETON(NAME) extern const Skeleton NAME;
#include "codegen/emitters/Skeletons.def"

/// All of them: what a processor with vectors has.
SkeletonList listSkeletons();

/// Element after element, in the lanes that the fusion's schedule says.
mlir::FailureOr<KernelSpec> emitLoop(KernelBuilder &kernel);
/// If `inPlace`, an i1, is true: replaces the windows of
/// tx.dynamic_update_slice in outputs that alias the updated operand. The range
/// takes its share of `extent` work items.
mlir::LogicalResult replaceWindows(KernelBuilder &kernel, mlir::Value inPlace,
                                   mlir::AffineExpr extent);
/// Returns the schedules that are offered for it.
Offers offerLanes(KernelBuilder &fusion);
Offers offerLanesOfLoop(KernelBuilder &fusion);
/// Ops that an element takes; costly ones count as several.
int64_t workOf(KernelBuilder &kernel);
/// Returns the size of the loops' last dim if lanes are rows of it; 0 if lanes
/// are elements.
int64_t sizeOfRowsInLanes(KernelBuilder &kernel, const CollapsedDims &loops);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SKELETONS_H
