//===- LinkElf.h - Link shared objects with lld, in process -----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_LINKELF_H
#define TENSORC_CODEGEN_LOWERING_LLVM_LINKELF_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace tensorc::codegen {

/// Links objects into a shared object. Undefined symbols are errors. `options`
/// are passed to lld in addition to the options for all targets. Calls are
/// serialized, because lld is not re-entrant.
llvm::Expected<llvm::SmallVector<char, 0>>
linkElf(llvm::ArrayRef<llvm::ArrayRef<char>> objects,
        llvm::ArrayRef<const char *> options);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_LINKELF_H
