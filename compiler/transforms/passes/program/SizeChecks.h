//===- SizeChecks.h - Sizes that a run checks -------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_SIZECHECKS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_SIZECHECKS_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::compiler {

/// Attribute of a function: a list of [size, divisor, reason]. A run checks that
/// the divisor divides the size, which is an expression of named sizes.
inline constexpr llvm::StringLiteral sizeChecksAttr = "txp.size_checks";

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_SIZECHECKS_H
