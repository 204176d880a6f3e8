//===- Skeletons.h - Kernels for a range of work items --------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_RANGE_SKELETONS_H
#define TENSORC_CODEGEN_EMITTERS_RANGE_SKELETONS_H

#include "codegen/emitters/Emitters.h"

namespace tensorc::codegen::range {

mlir::FailureOr<KernelSpec> emitLoop(KernelBuilder &kernel);
mlir::FailureOr<EmittedKernels> emitReduction(KernelBuilder &kernel,
                                              bool lanesAlongReduced);
mlir::FailureOr<KernelSpec> emitContraction(KernelBuilder &kernel);
mlir::FailureOr<EmittedKernels> emitScan(KernelBuilder &kernel);
mlir::FailureOr<KernelSpec> emitSort(KernelBuilder &kernel);
mlir::FailureOr<EmittedKernels> emitScatter(KernelBuilder &kernel);

} // namespace tensorc::codegen::range

#endif // TENSORC_CODEGEN_EMITTERS_RANGE_SKELETONS_H
