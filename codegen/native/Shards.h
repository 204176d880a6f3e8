//===- Shards.h - Kernels in parts that are compiled at once ----*- C++ -*-===//
//
// The kernels of a large program become several objects, which the linker makes
// one image of. How they are divided follows from the kernels alone, so the
// image is the same for any number of threads.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_NATIVE_SHARDS_H
#define TENSORC_CODEGEN_NATIVE_SHARDS_H

#include "codegen/lowering/llvm/LLVMCompilation.h"
#include "codegen/native/NativeCode.h"

#include "mlir/IR/OwningOpRef.h"

namespace tensorc::codegen {

/// The kernels in their order, in modules of about the same size. What refers
/// to another symbol with a body is in the first. Empty: too few to divide.
llvm::SmallVector<mlir::OwningOpRef<mlir::ModuleOp>>
splitKernels(mlir::ModuleOp kernels);

/// An object of each, made by up to options.threads threads, of which the
/// caller's is one. options.onKernel is called on that alone.
llvm::Expected<llvm::SmallVector<ImageBytes>>
emitObjects(std::vector<std::unique_ptr<LLVMCompilation>> parts,
            const NativeOptions &options);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_NATIVE_SHARDS_H
