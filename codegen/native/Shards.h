//===- Shards.h - Compiles kernels in parallel ------------------*- C++ -*-===//
//
// The kernels of a large program are compiled to several objects in parallel
// and linked into one image. The division depends only on the kernels, so the
// image is the same for any number of threads.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_NATIVE_SHARDS_H
#define TENSORC_CODEGEN_NATIVE_SHARDS_H

#include "codegen/lowering/llvm/LLVMCompilation.h"
#include "codegen/native/NativeCode.h"

#include "mlir/IR/OwningOpRef.h"

namespace tensorc::codegen {

/// Divides the kernels, in their order, into modules of about the same size.
/// Kernels that refer to other symbols with bodies are in the first module.
/// Returns an empty list if there are too few kernels to divide.
llvm::SmallVector<mlir::OwningOpRef<mlir::ModuleOp>>
splitKernels(mlir::ModuleOp kernels);

/// Compiles each module to an object, on up to options.threads threads,
/// including the caller's. Calls options.onKernel only on the caller's thread.
llvm::Expected<llvm::SmallVector<ImageBytes>>
emitObjects(std::vector<std::unique_ptr<LLVMCompilation>> parts,
            const NativeOptions &options);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_NATIVE_SHARDS_H
