//===- Tiling.h - Tiles of a contraction and loops over them ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TILING_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TILING_H

#include "codegen/emitters/plans/ContractionPlan.h"

namespace tensorc::codegen::simd {

using Values = llvm::SmallVector<mlir::Value>;

/// A row of a tile, as indices of the contraction's loops. `outer` is the index
/// of the loop `outerRow`, or null if there is no such loop.
struct Row {
  mlir::Value outer, row;
};

/// The tile whose code is being emitted.
struct Tile {
  mlir::Value firstRow;
  llvm::SmallVector<Row> rowAt;
  /// Index in packed x at which the tile's rows begin, or null if x is not
  /// packed.
  mlir::Value packedRows;
  /// The first lane of each vector, and the mask of its valid lanes (null:
  /// all).
  Values laneAt, masks;
  /// Number of the tile among those that read the same block of y.
  mlir::Value number;
  /// An i1 that is true in the first tile of a panel, which prefetches the next
  /// panel. `nextPanel` holds the indices in y's loops at which that panel
  /// begins. Null if no panel is prefetched.
  mlir::Value isFirst;
  Values nextPanel;
};

/// A work item: consecutive tiles of columns, for one tile of rows.
struct WorkItem {
  /// The indices of loops that do not change within the item; others are null.
  Values dims;
  Row first;
  mlir::Value lane0;
  /// An i1 that is true if the item has other columns than the previous item of
  /// this thread, so that panels must be packed.
  mlir::Value isNew;
};

/// Tile sizes, and the loops over tiles. A tile has `outer` * `rows` rows and
/// `vectors` * `width` columns, which are the lanes of its vectors.
class Tiling {
public:
  explicit Tiling(ContractionPlan &plan) : plan(plan), kernel(plan.kernel) {}

  /// Number of indices of the loop `outerRow` per tile, and of rows of the
  /// innermost row loop for each of them.
  int64_t outer = 1, rows = 0;
  /// Number of vectors per row, and of lanes per vector.
  int64_t vectors = 0, width = 0;
  /// Number of consecutive tiles of columns in a work item. x is packed once
  /// for them.
  int64_t tilesOfItem = 1;
  /// True if every tile has all its lanes, so that none needs a mask.
  bool areFull = false;
  /// True if all lanes of a tile of rows are computed before the next rows, so
  /// that the result is stored row by row.
  bool goesAlongRows = false;
  /// The loops other than rows, lanes and K. `batchLoops`: those that y depends
  /// on. `sharedLoops`: those that only x depends on. They run inside the loop
  /// over columns, and their rows share a panel of y.
  llvm::SmallVector<unsigned> batchLoops, sharedLoops;
  /// The innermost of `sharedLoops`, if any.
  std::optional<unsigned> outerRow;

  int64_t lanes() const { return vectors * width; }
  mlir::VectorType vectorType() const {
    return mlir::VectorType::get({width}, plan.accumulator);
  }
  /// Distributes the plan's outer loops over `batchLoops` and `sharedLoops`.
  void splitOuterLoops();
  /// Reads the sizes of the schedule and splits the outer loops.
  void readSchedule();
  /// True if one tile holds all the rows that share a panel.
  bool isOneTile() const;
  /// True if the number of columns is a multiple of a tile's lanes, so that no
  /// lane needs a mask.
  bool lanesAreFull() const;
  /// Returns the batch loops that x depends on.
  llvm::SmallVector<unsigned> batchLoopsOfX() const;

  /// Returns the numbers of work items along each loop, rows last unless
  /// `goesAlongRows` is set. An item has `lanesOfItem` lanes.
  llvm::SmallVector<mlir::AffineExpr> workOf(int64_t lanesOfItem) const;
  WorkItem beginItem(mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work,
                     int64_t lanesOfItem) const;
  /// Emits the loop over work items and finishes the kernel.
  using ItemBody = llvm::function_ref<mlir::FailureOr<Values>(
      mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work)>;
  mlir::FailureOr<KernelSpec> emitItems(mlir::AffineExpr scratch,
                                        ItemBody body) const;
  /// Emits a loop over the work item's tiles of columns.
  mlir::LogicalResult
  forEachTile(const WorkItem &item,
              llvm::function_ref<mlir::LogicalResult(mlir::Value number,
                                                     mlir::Value lane0)>
                  body) const;

  /// Sets the first lanes and masks of the tile's vectors.
  void placeLanes(mlir::Value lane0, Tile &tile) const;
  /// Sets the tile's rows. Rows past the end repeat the last row.
  void placeRows(const Row &first, Tile &tile) const;
  void setRow(Values &dims, const Row &row) const;
  /// Returns the indices of `width` columns, starting at `lane`. Columns past
  /// the end repeat the last column.
  Values columnsFrom(mlir::Value lane) const;

  /// Emits `body` for whole tiles and, if the last tile has fewer outer rows, a
  /// second time for that tile. For example, 7 outer rows are three tiles of 2
  /// and one of 1.
  mlir::LogicalResult
  peelOuterRows(const Row &first,
                llvm::function_ref<mlir::LogicalResult()> body);
  /// Emits `body` for whole tiles and, if the last tile has fewer vectors, a
  /// second time for that tile. For example, 14 x 14 pixels are 13 vectors of
  /// 16 lanes.
  mlir::LogicalResult
  peelVectors(const Tile &tile,
              llvm::function_ref<mlir::LogicalResult(Tile &tile)> body) const;

private:
  ContractionPlan &plan;
  KernelBuilder &kernel;
};

/// Returns the minimum number of multiply-adds per task, for tiles of `rows`
/// rows (nullopt if unknown).
int64_t grainFlops(KernelBuilder &kernel, std::optional<int64_t> rows = {});

/// Emits a K step. Takes and returns the loop-carried values.
using Step = llvm::function_ref<mlir::FailureOr<Values>(
    const Values &dims, mlir::ValueRange carried)>;
/// Emits the K loops `kLoops` around `step`. `sizes` has the sizes of all
/// loops. `beforeInnermost`, if given, emits code before the innermost loop.
mlir::FailureOr<Values>
forSteps(KernelBuilder &kernel, llvm::ArrayRef<unsigned> kLoops,
         llvm::ArrayRef<mlir::AffineExpr> sizes, Values dims,
         mlir::ValueRange carried, Step step,
         llvm::function_ref<void(const Values &dims)> beforeInnermost = {});

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TILING_H
