//===- ContractionTile.h - A block's tile of a contraction ------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H

#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/simt/Grid.h"

namespace tensorc::codegen::simt {

/// Base of the contraction skeletons: the tile of a block, the operand elements
/// that a thread fetches, edges, and the epilogue from shared memory.
///
/// Rows, columns and k steps are numbers over all dims of their role, so that a
/// tile may cross images, lines and pixels of a convolution. Each operand, and
/// the output, splits these numbers by loops of its own, the ones that its
/// layout in memory allows.
class ContractionTile : protected ContractionPlan {
protected:
  using Values = llvm::SmallVector<mlir::Value>;

  explicit ContractionTile(KernelBuilder &kernel) : ContractionPlan(kernel) {}

  /// Loops of one operand or of the outputs.
  struct Nest {
    CollapsedDims loops;
    std::optional<analysis::IterationSpace> space;
    /// Loops by role, outermost first. Every role but the batch has at least
    /// one.
    llvm::SmallVector<unsigned> byRole[4];

    llvm::ArrayRef<unsigned> of(Role role) const {
      return byRole[static_cast<unsigned>(role)];
    }
    unsigned innermost(Role role) const { return of(role).back(); }
    mlir::AffineExpr innerSize(Role role) const {
      return loops.sizes[innermost(role)];
    }
    analysis::Index indexOf(const analysis::Index &index) const;
  };

  /// Batch, first row and first column of a tile.
  struct Tile {
    mlir::Value batch, row, column;
  };

  /// A tile's rows or columns of one operand, in slices of k.
  struct Operand {
    mlir::Value value;
    Role role;
    /// Rows or columns of the tile, and steps of a slice.
    int64_t size, steps;
    Nest nest;
    analysis::Index index = {};
    /// True if the operand is contiguous along k; a thread's accesses then
    /// share one step.
    bool alongSum = false;
    /// Elements per read.
    int64_t lanes = 1;

    unsigned laneLoop() const {
      return nest.innermost(alongSum ? Role::Sum : role);
    }
    /// Number of accesses along the contiguous direction.
    int64_t perRow() const { return (alongSum ? steps : size) / lanes; }
    /// A thread's places in the tile that are computed before the first slice:
    /// one, or one per access if there are few.
    struct Place {
      mlir::Value number, inside;
      Values dims;
    };
    llvm::SmallVector<Place> places = {};
    Tile tile = {};
  };

  /// Sizes by role. `count` is the number of steps over all contracted dims.
  mlir::AffineExpr rowCount, columnCount, count;
  int64_t threads = 0, rows = 0, columns = 0;
  /// Number of parts of k, one per block. They are the first loop of the grid.
  int64_t parts = 1;
  mlir::Value thread, item, part;

  /// Finds roles, loops and sizes. If the output is contiguous along x's dims,
  /// these become the columns.
  mlir::LogicalResult prepareTile();
  /// Does the same for a skeleton whose operands and outputs share the plan's
  /// loops, one for rows and one for columns.
  void useOneNest();
  /// Returns the values of those loops at the beginning of the tile; null along
  /// k.
  Values dimsOf(const Tile &tile);
  Operand leftOperand(int64_t steps) { return operand(Role::Row, steps); }
  Operand rightOperand(int64_t steps) { return operand(Role::Lane, steps); }
  /// Grid of parts of k, batches, tiles of columns, and tiles of rows.
  llvm::SmallVector<mlir::AffineExpr> planGrid();
  /// Returns the tile with this number in the grid. Sets the thread.
  Tile beginTile(mlir::Value number, llvm::ArrayRef<mlir::AffineExpr> grid);
  /// Emits the kernel of the whole grid.
  mlir::FailureOr<KernelSpec>
  emitGrid(llvm::function_ref<mlir::LogicalResult(const Tile &tile)> body);

  /// True if the producers of a value read memory along a loop.
  bool isAlong(mlir::Value value, const analysis::Index &index, unsigned loop,
               const analysis::IterationSpace &space);
  /// Returns an i1, or null if tiles of `step` divide the size, so that every i
  /// is below it.
  mlir::Value isBelow(mlir::Value i, mlir::AffineExpr size, int64_t step);
  mlir::Value both(mlir::Value p, mlir::Value q);

  /// Computes the thread's places, which all slices share.
  void findPlaces(Operand &o, const Tile &tile);
  /// One access of a thread. `dims` are the nest's. `inside` is an i1, true if
  /// the element exists (null: always). The element is at `place`, at `step` of
  /// the slice.
  struct Access {
    Values dims;
    mlir::Value inside, place, step;
  };
  using AccessBody =
      llvm::function_ref<mlir::LogicalResult(const Access &access)>;
  /// Runs the body for the thread's accesses to the slice from step k0 on.
  /// Consecutive threads read consecutive memory.
  mlir::LogicalResult forAccesses(const Operand &o, mlir::Value k0,
                                  AccessBody body);

  /// Some of the tile's rows in memory. `rowInTile` maps a row of the patch to
  /// its index in the tile.
  struct Patch {
    /// Loads accumulators from a place on, as a scalar or vector of the type.
    llvm::function_ref<mlir::Value(mlir::Value place, mlir::Type type)> load;
    int64_t rows, stride;
    /// Maximum number of columns that a thread stores at once.
    int64_t lanes;
    llvm::function_ref<mlir::Value(mlir::Value row)> rowInTile;
  };
  /// Emits the epilogue once, with consecutive threads along the columns.
  mlir::LogicalResult epilogue(const Tile &tile, const Patch &patch);
  /// Loads from an array of accumulators.
  mlir::Value loadSums(mlir::Value memory, mlir::Value place, mlir::Type type);
  llvm::MaybeAlign alignment(int64_t elements);
  /// Returns a part of the block's bytes as an array.
  mlir::Value view(mlir::Value shared, int64_t byte, int64_t count,
                   mlir::Type element);

private:
  bool swapped = false;
  std::optional<Nest> output;
  analysis::Index outputIndex;

  Nest nestOf(llvm::ArrayRef<std::pair<mlir::Value, analysis::Index>> roots);
  Operand operand(Role role, int64_t steps);
  bool isAlongSum(const Operand &o);
  mlir::AffineExpr sizeOf(Role role);
  const mlir::AffineExpr &countOf(Role role) {
    return role == Role::Row ? rowCount : columnCount;
  }
  /// Sets the dims of the role.
  void place(const Nest &nest, Role role, mlir::Value number, Values &dims);
  Operand::Place placeAt(const Operand &o, mlir::Value number);
  int64_t epilogueLanes(int64_t most);
  mlir::LogicalResult store(const Values &dims, const Patch &patch,
                            mlir::Value place, int64_t lanes);
};

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H
