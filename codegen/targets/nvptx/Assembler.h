//===- Assembler.h - Assembles PTX to cubins with ptxas ---------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_NVPTX_ASSEMBLER_H
#define TENSORC_CODEGEN_TARGETS_NVPTX_ASSEMBLER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace tensorc::codegen {

/// Assembles PTX to a cubin with ptxas, from PATH or the bin folder of
/// CUDA_PATH or CUDA_HOME. Used only to emit cubins, because the driver
/// assembles PTX itself.
llvm::Expected<llvm::SmallVector<char, 0>>
assemblePtx(llvm::StringRef ptx, llvm::StringRef chip, unsigned optLevel);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_NVPTX_ASSEMBLER_H
