//===- TileChoice.h - Sizes of a contraction's tiles ------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILECHOICE_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILECHOICE_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// The sizes of TiledContraction's tiles. Rows are shared out evenly, so that
/// no tile computes many that do not exist. With few rows, reading y is the
/// bottleneck: one tile has all of them, and is as wide as registers allow, so
/// that reads down its columns take more of each row of memory.
Numbers chooseTile(ContractionPlan &plan, const Tiling &tiling);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILECHOICE_H
