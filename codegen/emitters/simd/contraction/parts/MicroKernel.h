//===- MicroKernel.h - Multiply-adds of a tile at one step of K -*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_MICROKERNEL_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_MICROKERNEL_H

#include "codegen/emitters/simd/contraction/parts/RowPanel.h"

namespace tensorc::codegen::simd {

/// Adds to `sums` the products of the tile's rows of x, at the K step in
/// `dims`, with the vectors `columns` of y. The first of these is vector
/// `vector` of the tile.
mlir::LogicalResult multiply(ContractionPlan &plan, const Tiling &tiling,
                             RowPanel &x, const Values &dims, const Tile &tile,
                             llvm::ArrayRef<mlir::Value> columns,
                             unsigned vector, Values &sums);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_MICROKERNEL_H
