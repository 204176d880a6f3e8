//===- Emitters.h - From a fusion to its kernel ---------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_EMITTERS_H
#define TENSORC_CODEGEN_EMITTERS_EMITTERS_H

#include "codegen/emitters/KernelBuilder.h"

namespace tensorc::codegen {

/// Emits the fusion's kernels, as its kind's skeleton makes them, at the
/// builder's place. `byValue` tells which of its inputs are scalars of the
/// launch. Errors are diagnostics at the ops.
mlir::FailureOr<EmittedKernels>
emitKernels(mlir::OpBuilder &b, tx::FusionOp fusion, tx::DimSpace &names,
            llvm::ArrayRef<bool> byValue, const TargetInfo &target);

/// A fusion of one kernel.
mlir::FailureOr<EmittedKernels> single(mlir::FailureOr<KernelSpec> kernel);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_EMITTERS_H
