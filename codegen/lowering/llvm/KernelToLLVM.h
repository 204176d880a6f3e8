//===- KernelToLLVM.h - Lower kernels to the llvm dialect -------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_KERNELTOLLVM_H
#define TENSORC_CODEGEN_LOWERING_LLVM_KERNELTOLLVM_H

#include "codegen/lowering/llvm/MemoryToLLVM.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tensorc::codegen {

/// Adds patterns for the dialects that kernels of all targets use: arith, cf,
/// func, index, math, memref, scf, ub, vector. A single dialect conversion
/// should apply all of them, because each conversion walks and rewrites the
/// whole kernel.
void populateKernelToLLVM(mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// Reports an error if a func.func takes or returns a memref. Kernels do not at
/// this stage, because their arguments are words. For other functions, callers
/// would pass upstream's descriptors where the converter expects bare pointers.
mlir::LogicalResult verifyNoBufferArguments(mlir::ModuleOp module);

/// Applies patterns that convert all ops of a module, of the host or of a GPU,
/// to the llvm dialect and `dialects`.
mlir::LogicalResult
convertToLLVM(mlir::Operation *module, mlir::RewritePatternSet patterns,
              llvm::ArrayRef<llvm::StringRef> dialects = {});

/// The target-specific part of the lowering for SIMT targets.
struct SimtLowering {
  MemorySpaces spaces;
  /// Dialects besides llvm to which the patterns of `populate` lower.
  llvm::SmallVector<llvm::StringRef, 1> dialects;
  /// LLVM's synchronization scope for all threads of a device.
  llvm::StringRef deviceScope;
  /// Marks the function as a kernel whose blocks have `threads` threads.
  std::function<void(mlir::LLVM::LLVMFuncOp kernel, int32_t threads)>
      markKernel;
  /// Sets the attributes of a tensor map argument, which is a pointer. Null if
  /// the target has no tensor maps.
  std::function<void(mlir::NamedAttrList &attributes, mlir::OpBuilder &b)>
      markTensorMap;
  /// Adds patterns for gpu.thread_id x, block_id x and barrier, and for
  /// shuffles of i32.
  std::function<void(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &)>
      populate;
};

/// Converts gpu.funcs in place to llvm.funcs that take bare pointers and
/// scalars. Workgroup memory becomes globals of the module. Thread and block
/// ids along y and z become 0, and block sizes the constants of
/// known_block_size.
mlir::LogicalResult convertSimtKernels(mlir::gpu::GPUModuleOp module,
                                       const SimtLowering &lowering);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_KERNELTOLLVM_H
