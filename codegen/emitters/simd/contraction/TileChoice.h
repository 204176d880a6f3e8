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

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILECHOICE_H
