//===- Tiling.h - Tiles of a contraction and loops over them ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TILING_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TILING_H

#include "codegen/emitters/plans/ContractionPlan.h"

namespace tensorc::codegen::simd {

using Values = llvm::SmallVector<mlir::Value>;

/// A row of a tile, as indices of the contraction's loops. `outer` is null if
/// rows are a single loop.
struct Row {
  mlir::Value outer, row;
};

/// The tile that is being emitted.
struct Tile {
  mlir::Value firstRow;
  llvm::SmallVector<Row> rowAt;
  /// Index in packed x at which the tile's rows begin. Null if x is not packed.
  mlir::Value packedRows;
  /// The first lane of each vector, and the mask of its valid lanes (null:
  /// all).
  Values laneAt, masks;
  /// The tile's number among the tiles that read the same block of y.
  mlir::Value number;
  /// An i1: true in the panel's first tile, which prefetches the next panel.
  /// `nextPanel` holds the indices of y's loops at which that panel begins.
  /// Null if nothing is prefetched.
  mlir::Value isFirst;
  Values nextPanel;
};

/// The tiles of one work item.
struct WorkItem {
  /// Indices of the loops that are constant within the item. Others are null.
  Values dims;
  Row first;
  mlir::Value lane0;
  /// An i1: true if the previous item has other lanes, so that panels must be
  /// packed.
  mlir::Value isNew;
};

/// Tile sizes, and the loops around tiles. A tile has `outer` x `rows` rows and
/// `vectors` x `width` lanes.
class Tiling {
public:
  explicit Tiling(ContractionPlan &plan) : plan(plan), kernel(plan.kernel) {}

  /// Rows of the loop `outerRow` per tile, and rows of the innermost loop for
  /// each of them.
  int64_t outer = 1, rows = 0;
  /// Vectors per row, and lanes per vector.
  int64_t vectors = 0, width = 0;
  /// Number of consecutive tiles of lanes in a work item, for which x is packed
  /// once.
  int64_t tilesOfItem = 1;
  /// True if all tiles are whole, so that no lane needs a mask.
  bool areWhole = false;
  /// True if all lanes are computed for a tile of rows before the next rows
  /// are, so that results are stored along their rows.
  bool goesAlongRows = false;
  /// Loops other than rows, lanes and K: those that y depends on, and those of
  /// x alone. The latter run inside the loop over lanes and share a panel of y.
  llvm::SmallVector<unsigned> batchLoops, sharedLoops;
  /// The innermost of `sharedLoops`.
  std::optional<unsigned> outerRow;

  int64_t lanes() const { return vectors * width; }
  mlir::VectorType vectorType() const {
    return mlir::VectorType::get({width}, plan.accumulator);
  }
  /// Sorts the plan's outer loops into `batchLoops` and `sharedLoops`.
  void splitOuterLoops();
  /// Reads the schedule's rows, vectors and lanes, and splits the outer loops.
  void readSchedule();
  /// True if one tile holds all rows that share a panel.
  bool isOneTile() const;
  /// True if the number of lanes is a multiple of a tile's, so that no lane is
  /// masked.
  bool lanesAreWhole() const;
  /// Returns the batch loops that x depends on.
  llvm::SmallVector<unsigned> batchLoopsOfX() const;

  /// Returns the number of work items per loop, rows last unless goesAlongRows.
  /// An item has `lanesOfItem` lanes.
  llvm::SmallVector<mlir::AffineExpr> workOf(int64_t lanesOfItem) const;
  WorkItem beginItem(mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work,
                     int64_t lanesOfItem) const;
  /// Emits the loop over work items and finishes the kernel.
  using ItemBody = llvm::function_ref<mlir::FailureOr<Values>(
      mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work)>;
  mlir::FailureOr<KernelSpec> emitItems(mlir::AffineExpr scratch,
                                        ItemBody body) const;
  /// Emits a loop over the item's tiles of lanes.
  mlir::LogicalResult
  forEachTile(const WorkItem &item,
              llvm::function_ref<mlir::LogicalResult(mlir::Value number,
                                                     mlir::Value lane0)>
                  body) const;

  /// Sets the tile's vectors and their masks.
  void placeLanes(mlir::Value lane0, Tile &tile) const;
  /// Sets the tile's rows. Rows past the end repeat the last one.
  void placeRows(const Row &first, Tile &tile) const;
  void setRow(Values &dims, const Row &row) const;
  /// Returns the indices of `width` columns from `lane` on. Columns past the
  /// end repeat the last one.
  Values columnsFrom(mlir::Value lane) const;

  /// Emits `body` for whole tiles and, if necessary, for a last tile with fewer
  /// outer rows: 7 rows are three tiles of two, and one of one.
  mlir::LogicalResult
  peelOuterRows(const Row &first,
                llvm::function_ref<mlir::LogicalResult()> body);
  /// Emits `body` for whole tiles and, if necessary, for a last tile with fewer
  /// vectors: 14 x 14 pixels are 13 vectors.
  mlir::LogicalResult
  peelVectors(const Tile &tile,
              llvm::function_ref<mlir::LogicalResult(Tile &tile)> body) const;

private:
  ContractionPlan &plan;
  KernelBuilder &kernel;
};

/// Returns the minimum number of multiply-adds per task, for tiles of `rows`
/// rows (nullopt: unknown).
int64_t grainFlops(KernelBuilder &kernel, std::optional<int64_t> rows = {});

/// Emits a step of K; takes and returns the loop-carried values.
using Step = llvm::function_ref<mlir::FailureOr<Values>(
    const Values &dims, mlir::ValueRange carried)>;
/// Emits the K loops `sumLoops` around a step. `sizes` are those of all loops.
/// `beforeInnermost`, if given, is emitted before the innermost loop.
mlir::FailureOr<Values>
forSteps(KernelBuilder &kernel, llvm::ArrayRef<unsigned> sumLoops,
         llvm::ArrayRef<mlir::AffineExpr> sizes, Values dims,
         mlir::ValueRange carried, Step step,
         llvm::function_ref<void(const Values &dims)> beforeInnermost = {});

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TILING_H
