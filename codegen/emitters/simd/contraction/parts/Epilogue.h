//===- Epilogue.h - Stores a tile's accumulators after its epilogue -------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_EPILOGUE_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_EPILOGUE_H

#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// True if the result is contiguous along its rows, and not along the lanes.
bool isResultContiguousAlongRows(ContractionPlan &plan);

/// Computes the fused consumers of a tile's accumulators and stores the
/// outputs. It loops over the tile's rows instead of unrolling them, so that a
/// long epilogue is emitted only once.
class Epilogue {
public:
  Epilogue(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  /// The tile's accumulators in memory, as [row][vector].
  mlir::Value accumulators;

  /// Allocates stack memory for the accumulators of one tile and, if needed,
  /// for a block in which to transpose them.
  void allocate();
  /// True if accumulators are transposed before they are stored.
  bool storesTransposed() const;
  /// Emits the epilogue of the tile whose first row is `first`.
  mlir::LogicalResult emit(Values dims, const Row &first, const Tile &tile);
  /// Emits the epilogue of row `inTile` of the tile. `dims` holds the indices
  /// of that row.
  mlir::LogicalResult storeRow(const Values &dims, mlir::Value inTile,
                               const Tile &tile);

private:
  mlir::Value rounded(mlir::Value sums);
  mlir::LogicalResult storeRows(Values dims, mlir::Value firstRow,
                                mlir::Value inTile, const Tile &tile);
  mlir::LogicalResult storeTransposedRows(const Values &dims,
                                          mlir::Value inTile, const Tile &tile);
  mlir::LogicalResult storeBlock(Values dims, mlir::Value inTile,
                                 const Tile &tile, int64_t firstRow,
                                 int64_t vector);
  mlir::Value maskOfRows(int64_t first, const Tile &tile);

  ContractionPlan &plan;
  const Tiling &tiling;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  /// Buffer for a transposed block of accumulators, as [column][row].
  mlir::Value block;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_EPILOGUE_H
