//===- Skeletons.h - Kernels for one thread of a grid ---------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_SKELETONS_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_SKELETONS_H

#include "codegen/emitters/Emitters.h"

namespace tensorc::codegen::simt {

mlir::FailureOr<KernelSpec> emitLoop(KernelBuilder &kernel);
/// Row and column: which of them it is follows from the innermost loop.
mlir::FailureOr<EmittedKernels> emitReduction(KernelBuilder &kernel);
mlir::FailureOr<EmittedKernels> emitContraction(KernelBuilder &kernel);
mlir::FailureOr<KernelSpec> emitAttention(KernelBuilder &kernel);
mlir::FailureOr<KernelSpec> emitScan(KernelBuilder &kernel);
mlir::FailureOr<EmittedKernels> emitSort(KernelBuilder &kernel);
mlir::FailureOr<EmittedKernels> emitScatter(KernelBuilder &kernel);

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_SKELETONS_H
