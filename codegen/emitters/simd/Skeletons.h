//===- Skeletons.h - Skeletons of CPU targets -----------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SKELETONS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SKELETONS_H

#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/Skeleton.h"

namespace tensorc::codegen::simd {

#define SIMD_SKELETON(NAME) extern const Skeleton NAME;
#include "codegen/emitters/Skeletons.def"

/// Returns the skeletons for all targets with vector units.
SkeletonList listSkeletons();

/// Emits an element-wise loop, with as many lanes as the fusion's schedule
/// says.
mlir::FailureOr<KernelSpec> emitLoop(KernelBuilder &kernel);
/// Stores the windows of tx.dynamic_update_slice ops in outputs that alias the
/// updated operand, if the i1 `inPlace` is true. The windows are divided among
/// `extent` work items; the emitted code stores the share of its range of work
/// items.
mlir::LogicalResult replaceWindows(KernelBuilder &kernel, mlir::Value inPlace,
                                   mlir::AffineExpr extent);
/// Return schedules with different numbers of lanes, for any fusion and for a
/// loop.
Offers offerLanes(KernelBuilder &fusion);
Offers offerLanesOfLoop(KernelBuilder &fusion);
/// Returns the number of ops per element, where costly ops count several times.
int64_t workOf(KernelBuilder &kernel);
/// Returns the size of the last dim if lanes should be rows of that dim, or 0
/// if lanes should be elements.
int64_t sizeOfRowsInLanes(KernelBuilder &kernel, const CollapsedDims &loops);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SKELETONS_H
