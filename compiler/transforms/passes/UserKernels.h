//===- UserKernels.h - Kernels written by the user --------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_USERKERNELS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_USERKERNELS_H

#include "codegen/kernel/TargetInfo.h"
#include "ir/program/Kernels.h"
#include "ir/program/Txp.h"
#include "ir/tx/Kernel.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tensorc::compiler {

/// A gpu.func in the module of kernels, rewritten for a one-dimensional launch.
struct UserKernel {
  mlir::gpu::GPUFuncOp function;
  /// Number of threads per block.
  unsigned block = 0;
  /// Bytes of dynamic shared memory.
  unsigned dynamicShared = 0;
  /// True if the grid's first two dims are passed after the call's scalars.
  bool takesGrid = false;
};

/// Copies the functions that tx.kernel_call names into the module of kernels,
/// once for each launch shape. They are rewritten for one-dimensional grids and
/// blocks, because all targets launch emitted kernels in this way.
class UserKernels {
public:
  UserKernels(mlir::ModuleOp module, mlir::Operation *kernels,
              const codegen::TargetInfo &target)
      : module(module), kernels(kernels), target(target) {}

  /// Returns the source that a call names, or null if it names a module.
  txp::KernelSourceOp source(tx::KernelCallOp call) {
    return module.lookupSymbol<txp::KernelSourceOp>(call.getKernel());
  }
  mlir::FailureOr<UserKernel> get(tx::KernelCallOp call);
  /// Removes the modules from which kernels were taken.
  void finish();

private:
  struct Known {
    mlir::Operation *symbol;
    llvm::SmallVector<int32_t, 3> block;
    unsigned gridDims;
    UserKernel kernel;
  };
  mlir::FailureOr<mlir::gpu::GPUFuncOp> find(tx::KernelCallOp call);

  mlir::ModuleOp module;
  mlir::Operation *kernels;
  const codegen::TargetInfo &target;
  llvm::SmallVector<Known> known;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_USERKERNELS_H
