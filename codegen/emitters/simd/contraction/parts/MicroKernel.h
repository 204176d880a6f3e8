//===- MicroKernel.h - Multiply-adds of a tile at one step of K -*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_MICROKERNEL_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_MICROKERNEL_H

#include "codegen/emitters/simd/contraction/parts/RowPanel.h"

namespace tensorc::codegen::simd {

/// Multiplies the tile's rows of x by `columns`, which are vectors of y, at the K
/// step in `dims`, and adds the products to `sums`. `columns[0]` is vector number
/// `vector` of the tile.
mlir::LogicalResult multiply(ContractionPlan &plan, const Tiling &tiling,
                             RowPanel &x, const Values &dims, const Tile &tile,
                             llvm::ArrayRef<mlir::Value> columns,
                             unsigned vector, Values &sums);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_MICROKERNEL_H
