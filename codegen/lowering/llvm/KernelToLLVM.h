//===- KernelToLLVM.h - Lower kernels to the llvm dialect -------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_KERNELTOLLVM_H
#define TENSORC_CODEGEN_LOWERING_LLVM_KERNELTOLLVM_H

#include "codegen/lowering/llvm/MemoryToLLVM.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tensorc::codegen {

/// Adds patterns for the dialects of kernels of every target: arith, cf, func,
/// index, math, memref, scf, ub, vector. A single dialect conversion applies
/// all of them, as several would each walk and rewrite the whole kernel.
void populateKernelToLLVM(mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// Reports an error for functions that take or return buffers. Kernels do, but
/// their arguments are words at this stage. Callers of other functions would
/// pass upstream's descriptors where the converter expects bare pointers.
mlir::LogicalResult verifyNoBufferArguments(mlir::ModuleOp module);

/// Applies patterns that convert everything in a module of the host or of a GPU
/// to the llvm dialect and `dialects`.
mlir::LogicalResult
convertToLLVM(mlir::Operation *module, mlir::RewritePatternSet patterns,
              llvm::ArrayRef<llvm::StringRef> dialects = {});

/// The target-specific part of lowering for SIMT targets.
struct SimtLowering {
  MemorySpaces spaces;
  /// Dialects besides llvm that `populate` lowers to.
  llvm::SmallVector<llvm::StringRef, 1> dialects;
  /// LLVM's synchronization scope of all threads of a device.
  llvm::StringRef deviceScope;
  /// Makes the function a kernel for blocks of `threads` threads.
  std::function<void(mlir::LLVM::LLVMFuncOp kernel, int32_t threads)>
      markKernel;
  /// Sets the attributes of a tensor map argument, which is a pointer; null if
  /// the target has no tensor maps.
  std::function<void(mlir::NamedAttrList &attributes, mlir::OpBuilder &b)>
      markTensorMap;
  /// Patterns for gpu.thread_id x, block_id x, barrier, and shuffles of i32.
  std::function<void(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &)>
      populate;
};

/// Converts gpu.funcs in place to llvm.funcs with bare pointers and scalars.
/// Workgroup memory becomes globals of the module. Thread and block ids along y
/// and z are 0, and block sizes are the constants of known_block_size.
mlir::LogicalResult convertSimtKernels(mlir::gpu::GPUModuleOp module,
                                       const SimtLowering &lowering);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_KERNELTOLLVM_H
