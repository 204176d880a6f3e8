//===- Structure.h - Checks of bytecode that MLIR's reader omits ----------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_STRUCTURE_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_STRUCTURE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tensorc::stablehlo {

/// Checks bytecode in the order in which MLIR's reader will read it. The reader
/// allocates by counts and writes by indices that it does not check. Returns a
/// description of the error; empty if the bytes are valid.
std::string whyNoBytecode(llvm::StringRef bytes);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_STRUCTURE_H
