//===- AliasScopes.h - Alias scopes of kernel buffers -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_NATIVE_ALIASSCOPES_H
#define TENSORC_CODEGEN_NATIVE_ALIASSCOPES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace tensorc::codegen {

/// Function attribute with the indices of the argument words that hold buffers
/// which nothing else aliases, such as "0,2".
constexpr llvm::StringLiteral kNoAliasAttribute = "txk-noalias";

/// Adds alias scopes to accesses through the words that kNoAliasAttribute
/// lists. Buffers are loaded from words, so there are no arguments that could
/// be `noalias`.
void addAliasScopes(llvm::Function &kernel);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_NATIVE_ALIASSCOPES_H
