//===- AliasScopes.h - What kernel buffers do not overlap -------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_NATIVE_ALIASSCOPES_H
#define TENSORC_CODEGEN_NATIVE_ALIASSCOPES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace tensorc::codegen {

/// The function attribute that lists the argument words of buffers which
/// nothing else points into: "0,2".
constexpr llvm::StringLiteral kNoAliasAttribute = "txk-noalias";

/// Gives accesses through those words alias scopes. Buffers arrive as loaded
/// words, where an argument's noalias has no place.
void addAliasScopes(llvm::Function &kernel);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_NATIVE_ALIASSCOPES_H
