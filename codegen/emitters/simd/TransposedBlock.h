//===- TransposedBlock.h - Transposes squares of vectors ------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_TRANSPOSEDBLOCK_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_TRANSPOSEDBLOCK_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen::simd {

/// Transposes a square of `width` vectors with `width` lanes each (a power of
/// two): lane i of vector j becomes lane j of vector i. If there are fewer
/// vectors, transposes each square of lanes separately.
llvm::SmallVector<mlir::Value> transposed(mlir::ImplicitLocOpBuilder &b,
                                          llvm::SmallVector<mlir::Value> rows);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_TRANSPOSEDBLOCK_H
