//===- ContractionTile.h - A block's tile of a contraction on GPUs --------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H

#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/simt/Grid.h"

namespace tensorc::codegen::simt {

/// Base class of the contraction skeletons: a block's tile, the operand
/// elements that a thread loads, the edges, and the epilogue from shared
/// memory.
///
/// Rows, columns and k are linear indices over all dims of their role, so a
/// tile may span several images, lines and pixels of a convolution. Each
/// operand and the outputs have their own loops, which delinearize these
/// indices according to the layout in memory.
class ContractionTile : protected ContractionPlan {
protected:
  using Values = llvm::SmallVector<mlir::Value>;

  explicit ContractionTile(KernelBuilder &kernel) : ContractionPlan(kernel) {}

  /// The loops of one operand or of the outputs.
  struct Nest {
    CollapsedDims loops;
    std::optional<analysis::IterationSpace> space;
    /// The loops of each role, outermost first. Every role except the batch has
    /// at least one loop.
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

  /// A tile of a batch, given by its first row and its first column.
  struct Tile {
    mlir::Value batch, row, column;
  };

  /// The rows or columns that a tile needs of an operand, in slices of k.
  struct Operand {
    mlir::Value value;
    Role role;
    /// Number of rows or columns of the tile, and of K steps per slice.
    int64_t size, steps;
    Nest nest;
    analysis::Index index = {};
    /// True if the operand is contiguous along k. All accesses of a thread to a
    /// slice then have the same k.
    bool alongK = false;
    /// Number of elements per load.
    int64_t lanes = 1;
    /// Size in bytes of an access to a slice in shared memory, if its rows are
    /// padded by one such access; 0 otherwise.
    int64_t paddedAccessBytes = 0;

    unsigned laneLoop() const {
      return nest.innermost(alongK ? Role::Sum : role);
    }
    /// Number of accesses along the contiguous dim of a slice.
    int64_t perRow() const { return (alongK ? steps : size) / lanes; }
    mlir::Value rowOf(KernelBuilder &kernel, mlir::Value thread,
                      int64_t threads) const;
    /// A row (of x) or column (of y) of the tile that the thread accesses, with
    /// its indices `dims` and an i1 that says whether it is `inside` the
    /// operand. Computed before the first slice: for all accesses if they are
    /// few, and otherwise for one.
    struct MNIndex {
      mlir::Value number, inside;
      Values dims;
    };
    llvm::SmallVector<MNIndex> mnIndices = {};
    Tile tile = {};
  };

  /// Number of rows, of columns, and of K steps over all contracted dims.
  mlir::AffineExpr rowCount, columnCount, count;
  int64_t threads = 0, rows = 0, columns = 0;
  /// Number of parts into which K is split, each computed by another block.
  /// Parts are the outermost loop of the grid.
  int64_t parts = 1;
  mlir::Value thread, item, part;

  /// Finds roles, loops and sizes. If the output is contiguous along the dims
  /// of x, swaps x and y, so that these dims are the columns.
  mlir::LogicalResult prepareTile();
  /// Like prepareTile, for a skeleton whose operands and outputs share the
  /// loops of the plan, one over rows and one over columns.
  void useOneNest();
  /// Returns the index of each of the plan's loops at the start of the tile, or
  /// null for loops over k.
  Values dimsOf(const Tile &tile);
  Operand leftOperand(int64_t steps) { return operand(Role::Row, steps); }
  Operand rightOperand(int64_t steps) { return operand(Role::Lane, steps); }
  /// Returns the sizes of the grid's loops: parts of K, batches, tiles of
  /// columns, tiles of rows.
  llvm::SmallVector<mlir::AffineExpr> planGrid();
  /// Returns tile `number` of the grid, and sets `thread`, `item` and `part`.
  Tile beginTile(mlir::Value number, llvm::ArrayRef<mlir::AffineExpr> grid);
  /// Emits `body` for each tile of the grid, and finishes the kernel.
  mlir::FailureOr<KernelSpec>
  emitGrid(llvm::function_ref<mlir::LogicalResult(const Tile &tile)> body);

  /// True if the ops that compute `value` read memory contiguously along
  /// `loop`.
  bool isAlong(mlir::Value value, const analysis::Index &index, unsigned loop,
               const analysis::IterationSpace &space);
  /// Returns an i1 that is true if i < size, or null if that always holds
  /// because the size is a multiple of `step`.
  mlir::Value isBelow(mlir::Value i, mlir::AffineExpr size, int64_t step);
  mlir::Value both(mlir::Value p, mlir::Value q);

  /// Sets `o.mnIndices`: the rows or columns that the thread accesses in all
  /// slices.
  void findMNIndices(Operand &o, const Tile &tile);
  /// An access of a thread. `dims` are indices in the operand's loops. `inside`
  /// is an i1 that is true if the element exists (null: always). In shared
  /// memory, the element is at row or column `mn` and K step `step` of the
  /// slice.
  struct Access {
    Values dims;
    mlir::Value inside, mn, step;
  };
  using AccessBody =
      llvm::function_ref<mlir::LogicalResult(const Access &access)>;
  /// Emits `body` for the thread's accesses to the slice that begins at k0,
  /// coalesced across threads.
  mlir::LogicalResult forAccesses(const Operand &o, mlir::Value k0,
                                  AccessBody body);

  /// Some rows of a tile's accumulators in memory. `rowInTile` maps a row of
  /// the patch to a row of the tile.
  struct Patch {
    /// Loads accumulators from index `from` on, as a scalar or vector of type
    /// `type`.
    llvm::function_ref<mlir::Value(mlir::Value from, mlir::Type type)> load;
    int64_t rows, stride;
    /// Maximum number of columns that a thread stores as one vector.
    int64_t lanes;
    llvm::function_ref<mlir::Value(mlir::Value row)> rowInTile;
  };
  /// Emits the epilogue of a patch, with consecutive threads along the columns.
  mlir::LogicalResult epilogue(const Tile &tile, const Patch &patch);
  /// Loads accumulators from an array.
  mlir::Value loadAccumulators(mlir::Value memory, mlir::Value from,
                               mlir::Type type);
  llvm::MaybeAlign alignment(int64_t elements);
  /// Returns a view of the bytes `shared` as an array of `count` elements that
  /// starts at `byte`.
  mlir::Value view(mlir::Value shared, int64_t byte, int64_t count,
                   mlir::Type element);

private:
  bool swapped = false;
  std::optional<Nest> output;
  analysis::Index outputIndex;

  Nest nestOf(llvm::ArrayRef<std::pair<mlir::Value, analysis::Index>> roots);
  Operand operand(Role role, int64_t steps);
  bool isAlongK(const Operand &o);
  mlir::AffineExpr sizeOf(Role role);
  const mlir::AffineExpr &countOf(Role role) {
    return role == Role::Row ? rowCount : columnCount;
  }
  /// Sets the indices of the role's loops, given a linear index over all of
  /// them.
  void setIndices(const Nest &nest, Role role, mlir::Value number,
                  Values &dims);
  Operand::MNIndex mnIndexAt(const Operand &o, mlir::Value number);
  int64_t epilogueLanes(int64_t maxLanes);
  mlir::LogicalResult store(const Values &dims, const Patch &patch,
                            mlir::Value from, int64_t lanes);
};

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H
