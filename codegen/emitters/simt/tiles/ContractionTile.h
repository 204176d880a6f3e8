//===- ContractionTile.h - A block's tile of a contraction ------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H

#include "codegen/emitters/ContractionPlan.h"
#include "codegen/emitters/simt/Grid.h"

namespace tensorc::codegen::simt {

/// What the routes of a contraction share: which tile a block has, where its
/// edges are, and the epilogue from shared memory.
class ContractionTile : protected ContractionPlan {
protected:
  using Values = llvm::SmallVector<mlir::Value>;

  explicit ContractionTile(KernelBuilder &kernel) : ContractionPlan(kernel) {}

  /// Steps of k, over all contracted dims.
  mlir::AffineExpr count;
  llvm::SmallVector<mlir::AffineExpr> sumSizes;
  int64_t threads = 0, rows = 0, columns = 0;
  /// Of k, one per block; the first loop of the grid.
  int64_t parts = 1;
  mlir::Value thread, item, part;

  void planSums();
  /// Parts of k, then tiles per loop, rows last.
  llvm::SmallVector<mlir::AffineExpr> planGrid();
  /// The loops' values at the tile's first row and column.
  Values beginTile(mlir::Value number, llvm::ArrayRef<mlir::AffineExpr> grid);
  /// The kernel of the whole grid.
  mlir::FailureOr<KernelSpec>
  emitGrid(llvm::function_ref<mlir::LogicalResult(const Values &dims)> tile);

  /// Whether what computes an operand reads memory along a loop; along k.
  bool isAlong(mlir::Value value, const analysis::Index &index, unsigned loop);
  bool isAlongSum(mlir::Value value, const analysis::Index &index) {
    return isAlong(value, index, sumLoops.back());
  }
  /// An i1, or null where every i is, because tiles of `step` fit the size.
  mlir::Value isBelow(mlir::Value i, mlir::AffineExpr size, int64_t step);
  mlir::Value both(mlir::Value p, mlir::Value q);

  /// Some of the tile's rows in memory, and which they are.
  struct Patch {
    /// The sums from a place on, as a scalar or vector of the type.
    llvm::function_ref<mlir::Value(mlir::Value place, mlir::Type type)> load;
    int64_t rows, stride;
    /// Columns that a thread stores at once, at most.
    int64_t lanes;
    llvm::function_ref<mlir::Value(mlir::Value row)> rowInTile;
  };
  /// Emitted once; consecutive threads along the columns.
  mlir::LogicalResult epilogue(const Values &dims, const Patch &patch);
  /// From an array of sums.
  mlir::Value loadSums(mlir::Value memory, mlir::Value place, mlir::Type type);
  llvm::MaybeAlign alignment(int64_t elements);
  /// A part of the block's bytes as an array.
  mlir::Value view(mlir::Value shared, int64_t byte, int64_t count,
                   mlir::Type element);

private:
  int64_t epilogueLanes(int64_t most);
  mlir::LogicalResult store(const Values &dims, const Patch &patch,
                            mlir::Value place, int64_t lanes);
};

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H
