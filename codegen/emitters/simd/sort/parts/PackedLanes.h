//===- PackedLanes.h - The lanes of a vector that a mask names --*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PACKEDLANES_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PACKEDLANES_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen::simd {

/// Maximum number of lanes of a row's keys that are loaded and stored together.
inline constexpr int64_t maxKeyLanes = 16;

/// Moves the lanes of x, of 32 or 64 bits, that the mask names to its front;
/// zeros follow. Quick only where TargetInfo::packsLanes says so.
mlir::Value packLanes(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                      mlir::Value mask);
/// Returns the number of set lanes of a mask of 8 or more lanes, as an index.
mlir::Value countLanes(mlir::ImplicitLocOpBuilder &b, mlir::Value mask);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PACKEDLANES_H
