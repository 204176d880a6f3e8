//===- TiledContraction.h - A contraction in register tiles -----*- C++ -*-===//
//
// The loop nest (GEMM as in Goto and BLIS, with everything fused):
//
//   for each work item: tiles of rows x lanes, those of the same lanes in turn
//     if the lanes are new: panel[k][lane] = y(k, lane)         ColumnPanel
//     for each tile, and smaller ones at the ends               Tiling
//       copy the tile's rows of x, if they are narrow           RowPanel
//       accumulators = 0
//       for k:
//         prefetch                                              PrefetchStreams
//         columns = panel[k][..], or y(k, ..) in place          ColumnLoads,
//                                                               TransposedLoads
//         accumulators[row][vector] += x(row, k) * columns      MicroKernel
//       for each row of the tile: epilogue, store               Epilogue
//
// Parts are values, and know the loops (ContractionPlan) and the tile (Tiling):
//
//   ContractionPlan <- Tiling <- Epilogue, RowPanel <- MicroKernel
//   ColumnReads <- ColumnLoads, TransposedWords <- TransposedLoads
//               <- ColumnPanel <- PrefetchStreams
//
// Skeletons are made of parts and inherit nothing of each other:
//
//   tiled     this nest; y in a panel, or in place where one tile has all rows
//             or K is short
//   packed    this nest, after a kernel that packs x for all tiles
//   swapped   this nest with the operands swapped, several tiles an epilogue
//   swept     accumulators in L1, y read by long runs: few rows
//   blocked   K in blocks, accumulators in memory: few rows, a large y
//   grouped   words of narrow integers (GroupPacking)
//   paired    words of two bf16 (PairPacking, PairKernel), packed_pairs after
//             kernels that pack both operands
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILEDCONTRACTION_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILEDCONTRACTION_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/simd/contraction/parts/Epilogue.h"
#include "codegen/emitters/simd/contraction/parts/PrefetchStreams.h"

namespace tensorc::codegen::simd {

class TiledContraction {
public:
  explicit TiledContraction(KernelBuilder &kernel)
      : plan(kernel), kernel(kernel), b(kernel.b) {}

  ContractionPlan plan;
  Tiling tiling{plan};
  Epilogue epilogue{plan, tiling};
  RowPanel x{plan, tiling};
  PrefetchStreams streams{plan, tiling};

  mlir::FailureOr<Offers> offer();
  mlir::FailureOr<KernelSpec> emit();

  /// Plans the loops and reads the schedule.
  mlir::LogicalResult readSchedule();
  /// Emits the kernel of planned tiles.
  mlir::FailureOr<KernelSpec> emitTiles();

  /// Plans how y is read, and allocates what that needs. Returns the scratch.
  mlir::AffineExpr planColumns(bool splitSharedBytes);
  /// Computes a tile's accumulators into memory.
  using ComputeTile = llvm::function_ref<mlir::LogicalResult(const Values &dims,
                                                             const Tile &tile)>;
  /// Emits the loops over items and tiles.
  mlir::FailureOr<KernelSpec> emitItems(mlir::AffineExpr scratch,
                                        ComputeTile compute);
  /// Emits one step of K for the whole tile.
  mlir::FailureOr<Values> emitStep(const Values &dims, const Tile &tile,
                                   mlir::ValueRange carried);

private:
  bool paysAlongRows();
  void planReads(bool inPlace);
  void planPrefetches();
  mlir::FailureOr<Values> emitItem(mlir::Value item,
                                   llvm::ArrayRef<mlir::AffineExpr> work,
                                   ComputeTile compute);
  mlir::LogicalResult emitTile(const Values &dims, const Row &first, Tile &tile,
                               ComputeTile compute);
  mlir::LogicalResult computeTile(const Values &dims, const Tile &tile);
  mlir::LogicalResult
  computeTransposed(const Values &dims, const Tile &tile, Values zeros,
                    llvm::function_ref<void(mlir::ValueRange)> store);

  std::optional<ColumnReads> y;
  std::optional<ColumnLoads> columns;
  std::optional<TransposedLoads> blocks;
  /// None: y is read in place.
  std::optional<ColumnPanel> panel;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILEDCONTRACTION_H
