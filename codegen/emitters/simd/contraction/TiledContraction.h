//===- TiledContraction.h - Contraction in register tiles (GEMM) ----------===//
//
// The loop nest (GEMM as in Goto and BLIS, with everything fused), and the part
// that emits each line:
//
//   for each work item (tiles of rows x columns; same columns are
//     consecutive)
//     if the columns are new: panel[k][column] = y(k, column)   ColumnPanel
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
// The parts share the loops (ContractionPlan) and the tile sizes (Tiling). An
// arrow points from a part to one that it uses:
//
//   ContractionPlan <- Tiling <- Epilogue, RowPanel <- MicroKernel
//                                Epilogue <- ChainSums
//   ColumnReads <- ColumnLoads, TransposedWords <- TransposedLoads
//               <- ColumnPanel <- PrefetchStreams
//
// Skeletons are composed of these parts and do not inherit from each other:
//
//   tiled     this nest; y in a panel, or in place if one tile has all rows or
//             if K is short
//   packed    this nest, after a kernel that packs x for all tiles
//   swapped   this nest with swapped operands; several tiles per epilogue
//   few_columns  this nest with swapped operands; one tile has all columns, and
//             x is transposed in registers
//   swept     accumulators in L1, y read in long runs: few rows
//   blocked   K in blocks, accumulators in memory: few rows, a large y
//   grouped   narrow integers in words of 32 bits (GroupPacking)
//   paired    pairs of bf16 in words (PairPacking, PairKernel); packed_pairs is
//             the same after kernels that pack both operands
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILEDCONTRACTION_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILEDCONTRACTION_H

#include "codegen/emitters/Skeleton.h"
#include "codegen/emitters/simd/contraction/ChainSums.h"
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
  /// Emits the kernel, after the tiles have been planned.
  mlir::FailureOr<KernelSpec> emitTiles();

  /// Plans how y is read and allocates its buffers. Returns the size of the
  /// scratch memory. If `splitSharedBytes` is set, columns of 4-bit elements
  /// may be read in pairs (see ColumnLoads).
  mlir::AffineExpr planColumns(bool splitSharedBytes);
  /// Emits the K loop of a tile and stores its accumulators in memory.
  using ComputeTile = llvm::function_ref<mlir::LogicalResult(const Values &dims,
                                                             const Tile &tile)>;
  /// Emits the loops over work items and their tiles.
  mlir::FailureOr<KernelSpec> emitItems(mlir::AffineExpr scratch,
                                        ComputeTile compute);
  /// Emits one K step of the tile.
  mlir::FailureOr<Values> emitStep(const Values &dims, const Tile &tile,
                                   mlir::ValueRange carried);

private:
  bool prefersRowOrder();
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
  /// The K loops, if the order of the fusion is of class `chains`.
  std::optional<ChainSums> chains;
  /// The panel of y, or nullopt if y is read in place.
  std::optional<ColumnPanel> panel;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_TILEDCONTRACTION_H
