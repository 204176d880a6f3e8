//===- FastMath.h - The attribute that allows fast math -------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_FASTMATH_H
#define TENSORC_CODEGEN_KERNEL_FASTMATH_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::codegen {

/// Attribute of a module. It allows floating-point additions, subtractions and
/// multiplications in kernels to be reassociated and contracted to FMAs.
/// Targets without FMA may round products of matrices before they add them.
constexpr llvm::StringLiteral kFastMathAttr = "txk.fast_math";

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_FASTMATH_H
