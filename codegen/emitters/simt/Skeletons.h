//===- Skeletons.h - Skeletons of GPU targets -----------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_SKELETONS_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_SKELETONS_H

#include "codegen/emitters/Skeleton.h"

namespace tensorc::codegen::simt {

#define SIMT_SKELETON(NAME) extern const Skeleton NAME;
#include "codegen/emitters/Skeletons.def"

/// Returns the skeletons for all SIMT targets.
SkeletonList listSkeletons();

/// Emits an element-wise loop, by squares that are transposed in shared memory
/// or by vectors, as the fusion's schedule says.
mlir::FailureOr<KernelSpec> emitLoop(KernelBuilder &kernel);
/// Returns the possible schedules for emitLoop.
mlir::FailureOr<Offers> offerLoop(KernelBuilder &fusion);

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_SKELETONS_H
