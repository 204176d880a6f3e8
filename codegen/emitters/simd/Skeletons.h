//===- Skeletons.h - Skeletons of CPU targets -----------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SKELETONS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SKELETONS_H

#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/Skeleton.h"

namespace tensorc::codegen::simd {

#define SIMD_SKELETON(NAME) extern const Skeleton NAME;
#include "codegen/emitters/Skeletons.def"

/// Returns all skeletons of targets with vector units.
SkeletonList listSkeletons();

/// Emits an element-wise loop with the number of lanes of the fusion's
/// schedule.
mlir::FailureOr<KernelSpec> emitLoop(KernelBuilder &kernel);
/// Stores the windows of tx.dynamic_update_slice in outputs that alias the
/// updated operand, if the i1 `inPlace` is true. This range of work items
/// stores its share of them, out of `extent` work items.
mlir::LogicalResult replaceWindows(KernelBuilder &kernel, mlir::Value inPlace,
                                   mlir::AffineExpr extent);
/// Return the schedules that are offered for the number of lanes.
Offers offerLanes(KernelBuilder &fusion);
Offers offerLanesOfLoop(KernelBuilder &fusion);
/// Returns the number of ops per element; costly ones count as several.
int64_t workOf(KernelBuilder &kernel);
/// Returns the size of the loops' last dim if lanes are rows of it; 0 if lanes
/// are elements.
int64_t sizeOfRowsInLanes(KernelBuilder &kernel, const CollapsedDims &loops);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SKELETONS_H
