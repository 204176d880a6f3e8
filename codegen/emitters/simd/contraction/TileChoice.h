//===- TileChoice.h - Tile sizes of a contraction ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILECHOICE_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILECHOICE_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// Returns the tile sizes for TiledContraction. Rows are distributed evenly
/// over tiles, so that no tile computes many rows past the end. If one tile
/// holds all rows, reading y is the bottleneck: the tile is then as wide as the
/// registers allow, to read more contiguous memory of each row of y.
Numbers chooseTile(ContractionPlan &plan, const Tiling &tiling);

/// Returns the maximum number of rows of a tile that adds blocks of K to
/// accumulators in memory.
inline int64_t maxBlockTileRows(const TargetInfo &target) {
  return target.getNumVectorRegisters() / 4;
}

/// Offers tile sizes for blocks of K. Rows are distributed evenly over tiles.
/// The number of vectors is the largest for which registers hold the
/// accumulators, one row of columns and an element of x, and which is at most
/// the number of columns. If this computes at least 5 % more products than
/// another tile, counting columns past the end, that tile comes first.
Offers offerBlockTiles(ContractionPlan &plan);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILECHOICE_H
