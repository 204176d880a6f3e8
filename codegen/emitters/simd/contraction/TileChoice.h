//===- TileChoice.h - Tile sizes of a contraction ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILECHOICE_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILECHOICE_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// Returns the sizes of TiledContraction's tiles. Rows are distributed evenly,
/// so that no tile computes many rows past the end. With few rows, reading y is
/// the bottleneck: one tile holds all rows and is as wide as registers allow,
/// to read more contiguous memory of each row of y.
Numbers chooseTile(ContractionPlan &plan, const Tiling &tiling);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILECHOICE_H
