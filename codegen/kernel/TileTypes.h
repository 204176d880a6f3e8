//===- TileTypes.h - Sizes of tiles of matrix instructions ------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_KERNEL_TILETYPES_H
#define TENSORC_CODEGEN_KERNEL_TILETYPES_H

#include "mlir/IR/Types.h"

#include <cstdint>

namespace tensorc::codegen {

/// Size in bytes of a row of a left tile, and of a column of a right one: 8 K
/// steps of tf32, 16 of f16 or bf16, and 32 of bytes.
inline constexpr int64_t tileRowBytes = 32;

/// Size in bytes of an element in memory. tf32 is stored as f32.
inline int64_t tileElementBytes(mlir::Type element) {
  return element.isTF32() ? 4 : element.getIntOrFloatBitWidth() / 8;
}
/// Returns the number of K steps of a tile.
inline int64_t tileSteps(mlir::Type element) {
  return tileRowBytes / tileElementBytes(element);
}

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_TILETYPES_H
