//===- Structure.h - What MLIR's reader of bytecode takes for granted -----===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_STRUCTURE_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_STRUCTURE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tensorc::stablehlo {

/// Checks bytecode in the order in which MLIR's reader will read it. The reader
/// allocates by counts and writes by indices that it does not check. Returns
/// what is wrong with the bytes; empty if they are valid.
std::string whyNoBytecode(llvm::StringRef bytes);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_PORTABLE_STRUCTURE_H
