//===- PackedLanes.h - Compresses lanes by a mask ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PACKEDLANES_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PACKEDLANES_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen::simd {

/// Maximum number of lanes of a vector of keys.
inline constexpr int64_t maxKeyLanes = 16;

/// Moves the lanes of x that are set in `mask` to the front and fills the other
/// lanes with zeros. Lanes must have 32 or 64 bits. This is slow unless
/// TargetInfo::packsLanes() is true.
mlir::Value packLanes(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                      mlir::Value mask);
/// Returns the number of set lanes of `mask` as an index. The mask must have at
/// least 8 lanes.
mlir::Value countLanes(mlir::ImplicitLocOpBuilder &b, mlir::Value mask);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_PACKEDLANES_H
