//===- ArgumentNames.h - What a program of JAX calls its arguments --------===//
#ifndef TENSORC_COMPILER_IMPORT_STABLEHLO_ARGUMENTNAMES_H
#define TENSORC_COMPILER_IMPORT_STABLEHLO_ARGUMENTNAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tensorc::stablehlo {

/// `params.dense.kernel` of `params['dense']['kernel']`; empty where nothing
/// but numbers is left (Converter.cpp).
std::string plainName(llvm::StringRef path);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_IMPORT_STABLEHLO_ARGUMENTNAMES_H
