//===- Skeletons.h - Kernels for one thread of a grid ---------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_SKELETONS_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_SKELETONS_H

#include "codegen/emitters/Skeleton.h"

namespace tensorc::codegen::simt {

#define SIMT_SKELETON(NAME) extern const Skeleton NAME;
#include "codegen/emitters/Skeletons.def"

/// All of them: what every grid of threads has.
SkeletonList listSkeletons();

/// Each thread its elements, by squares or lanes, as the fusion's schedule
/// says.
mlir::FailureOr<KernelSpec> emitLoop(KernelBuilder &kernel);
/// What is offered for that.
mlir::FailureOr<Offers> offerLoop(KernelBuilder &fusion);

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_SKELETONS_H
