//===- Emitters.h - Emits the kernels of a fusion -------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_EMITTERS_H
#define TENSORC_CODEGEN_EMITTERS_EMITTERS_H

#include "codegen/emitters/Skeleton.h"

namespace tensorc::codegen {

/// Emits the fusion's kernels at the insertion point, according to its order
/// and schedule. `byValue` is set for inputs that are passed by value. Errors
/// are diagnostics at the ops.
mlir::FailureOr<EmittedKernels>
emitKernels(mlir::OpBuilder &b, tx::FusionOp fusion, tx::DimSpace &names,
            llvm::ArrayRef<bool> byValue, const TargetInfo &target);

/// Wraps the single kernel of a fusion.
mlir::FailureOr<EmittedKernels> single(mlir::FailureOr<KernelSpec> kernel);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_EMITTERS_H
