//===- CudaCompiler.h - Compiles CUDA C++ with NVRTC ------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_NVPTX_CUDACOMPILER_H
#define TENSORC_CODEGEN_TARGETS_NVPTX_CUDACOMPILER_H

#include "codegen/targets/Target.h"

namespace tensorc::codegen {

/// Compiles CUDA C++ to PTX for the chip, or to a cubin if the flags name an
/// architecture (-arch=sm_90). libnvrtc is searched for by the dynamic loader,
/// in the lib folder of CUDA_PATH or CUDA_HOME, and in /usr/local/cuda.
/// Thread-safe.
llvm::Expected<CompiledSource> compileCuda(const KernelSource &source,
                                           llvm::StringRef chip);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_NVPTX_CUDACOMPILER_H
