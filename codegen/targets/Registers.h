//===- Registers.h - Registers of the kernels of an image -------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_REGISTERS_H
#define TENSORC_CODEGEN_TARGETS_REGISTERS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace tensorc::codegen {

/// Returns the kind of artefact that states the registers of a target's kernels;
/// empty if there is none.
llvm::StringRef artefactWithRegisters(llvm::StringRef target);

/// Returns the number of registers per thread of each kernel of such an
/// artefact, by the kernel's name.
llvm::Expected<llvm::StringMap<int64_t>> readRegisters(llvm::StringRef image);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_REGISTERS_H
