//===- AliasScopes.h - Alias scopes of kernel buffers -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_NATIVE_ALIASSCOPES_H
#define TENSORC_CODEGEN_NATIVE_ALIASSCOPES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace tensorc::codegen {

/// Function attribute that lists the argument words of buffers that nothing
/// else aliases, e.g. "0,2".
constexpr llvm::StringLiteral kNoAliasAttribute = "txk-noalias";

/// Adds alias scopes to accesses through those words. Buffers are passed as
/// loaded words, so `noalias` cannot be attached to an argument.
void addAliasScopes(llvm::Function &kernel);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_NATIVE_ALIASSCOPES_H
