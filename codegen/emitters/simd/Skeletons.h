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
/// Where `inPlace`, an i1, holds: the windows that tx.dynamic_update_slice
/// replaces in outputs that are the memory of what they keep, of `extent` work
/// items the range's share.
mlir::LogicalResult replaceWindows(KernelBuilder &kernel, mlir::Value inPlace,
                                   mlir::AffineExpr extent);
/// What is offered for that.
Offers offerLanes(KernelBuilder &fusion);
Offers offerLanesOfLoop(KernelBuilder &fusion);
/// Ops that an element takes; costly ones count as several.
int64_t workOf(KernelBuilder &kernel);
/// Of the loops' last dim, if lanes are its rows; 0: they are elements.
int64_t sizeOfRowsInLanes(KernelBuilder &kernel, const CollapsedDims &loops);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SKELETONS_H
