//===- Link.h - Links objects with lld in this process ----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_LINK_H
#define TENSORC_CODEGEN_LOWERING_LLVM_LINK_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace tensorc::codegen {

/// Calls of these functions are serialized, because lld is not re-entrant.
/// Undefined symbols are errors.

/// Links objects into a shared object. `options` are passed to lld in addition
/// to the options for all targets.
llvm::Expected<llvm::SmallVector<char, 0>>
linkElf(llvm::ArrayRef<llvm::ArrayRef<char>> objects,
        llvm::ArrayRef<const char *> options);

/// Links an object into a WebAssembly module without imports. It exports its
/// memory, the address behind its data (`__heap_base`), and the functions.
llvm::Expected<llvm::SmallVector<char, 0>>
linkWasm(llvm::ArrayRef<char> object, llvm::ArrayRef<std::string> functions);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_LINK_H
