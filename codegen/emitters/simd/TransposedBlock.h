//===- TransposedBlock.h - Transposes squares of vectors ------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_TRANSPOSEDBLOCK_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_TRANSPOSEDBLOCK_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen::simd {

/// Transposes `width` vectors of `width` lanes: lane j of vector i and lane i of
/// vector j are exchanged. If there are only n < `width` vectors, each n x n
/// block of lanes is transposed separately. Both numbers are powers of two.
llvm::SmallVector<mlir::Value> transposed(mlir::ImplicitLocOpBuilder &b,
                                          llvm::SmallVector<mlir::Value> rows);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_TRANSPOSEDBLOCK_H
