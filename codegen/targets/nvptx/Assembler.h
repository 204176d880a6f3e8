//===- Assembler.h - From PTX to a cubin ------------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_NVPTX_ASSEMBLER_H
#define TENSORC_CODEGEN_TARGETS_NVPTX_ASSEMBLER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace tensorc::codegen {

/// Runs ptxas, found by PATH or in the bin of CUDA_PATH or CUDA_HOME. Only for
/// those who want a cubin: the driver assembles PTX by itself.
llvm::Expected<llvm::SmallVector<char, 0>>
assemblePtx(llvm::StringRef ptx, llvm::StringRef chip, unsigned optLevel);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_NVPTX_ASSEMBLER_H
