//===- MemoryKinds.h - Memories in which callers keep values ----*- C++ -*-===//
#ifndef TENSORC_IR_TX_STRUCTURE_MEMORYKINDS_H
#define TENSORC_IR_TX_STRUCTURE_MEMORYKINDS_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::tx {

/// Name of an attribute of an argument or result: the kind of memory in which
/// the caller keeps it, in JAX's words, such as `pinned_host`. Kernels do not
/// depend on it.
constexpr llvm::StringLiteral memoryAttr = "tx.memory";

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_STRUCTURE_MEMORYKINDS_H
