//===- ContractionTile.h - A block's tile of a contraction ------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_TILES_CONTRACTIONTILE_H

#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/simt/Grid.h"

namespace tensorc::codegen::simt {

/// What the skeletons of a contraction share: which tile a block has, which
/// elements of the operands a thread fetches, where edges are, and the epilogue
/// from shared memory.
///
/// Rows, columns and steps of k are numbers over all dims of their role, so
/// that a tile runs through images, lines and pixels of a convolution alike.
/// Each operand, and the output, splits the numbers by loops of its own: those
/// that its places in memory leave.
class ContractionTile : protected ContractionPlan {
protected:
  using Values = llvm::SmallVector<mlir::Value>;

  explicit ContractionTile(KernelBuilder &kernel) : ContractionPlan(kernel) {}

  /// The loops of one operand or of the outputs.
  struct Nest {
    CollapsedDims loops;
    std::optional<analysis::IterationSpace> space;
    /// By role, outermost first; one at least of all but batches.
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

  /// The numbers of a tile's batch, first row and first column.
  struct Tile {
    mlir::Value batch, row, column;
  };

  /// A tile's rows or columns of one operand, by slices of k.
  struct Operand {
    mlir::Value value;
    Role role;
    /// Of the tile, and steps of a slice.
    int64_t size, steps;
    Nest nest;
    analysis::Index index = {};
    /// It is contiguous along k, so that a thread's accesses have one step.
    bool alongSum = false;
    /// Elements that are read at once.
    int64_t lanes = 1;

    unsigned laneLoop() const {
      return nest.innermost(alongSum ? Role::Sum : role);
    }
    /// Accesses along what is contiguous.
    int64_t perRow() const { return (alongSum ? steps : size) / lanes; }
    /// A thread's places in the tile, known before the first slice: one, or
    /// one per access where these are few.
    struct Place {
      mlir::Value number, inside;
      Values dims;
    };
    llvm::SmallVector<Place> places = {};
    Tile tile = {};
  };

  /// Sizes by role; k's is the steps of all contracted dims.
  mlir::AffineExpr rowCount, columnCount, count;
  int64_t threads = 0, rows = 0, columns = 0;
  /// Of k, one per block; the first loop of the grid.
  int64_t parts = 1;
  mlir::Value thread, item, part;

  /// Roles, loops and sizes. Where the output is contiguous along x's dims,
  /// these are the columns.
  mlir::LogicalResult prepareTile();
  /// The same for a skeleton whose operands and outputs share the loops of the
  /// plan, one for rows and one for columns.
  void useOneNest();
  /// The values of those loops where the tile begins; null along k.
  Values dimsOf(const Tile &tile);
  Operand leftOperand(int64_t steps) { return operand(Role::Row, steps); }
  Operand rightOperand(int64_t steps) { return operand(Role::Lane, steps); }
  /// Parts of k, batches, then tiles of columns and of rows.
  llvm::SmallVector<mlir::AffineExpr> planGrid();
  /// The tile of a number of the grid, and the thread.
  Tile beginTile(mlir::Value number, llvm::ArrayRef<mlir::AffineExpr> grid);
  /// The kernel of the whole grid.
  mlir::FailureOr<KernelSpec>
  emitGrid(llvm::function_ref<mlir::LogicalResult(const Tile &tile)> body);

  /// Whether what computes a value reads memory along a loop.
  bool isAlong(mlir::Value value, const analysis::Index &index, unsigned loop,
               const analysis::IterationSpace &space);
  /// An i1, or null where every i is, because tiles of `step` fit the size.
  mlir::Value isBelow(mlir::Value i, mlir::AffineExpr size, int64_t step);
  mlir::Value both(mlir::Value p, mlir::Value q);

  /// Emits what all slices share: where the thread's places lie.
  void findPlaces(Operand &o, const Tile &tile);
  /// One access of a thread: `dims` are the nest's; `inside` (an i1, or null:
  /// yes) says whether the element exists, which is at `place`, `step` of the
  /// slice.
  struct Access {
    Values dims;
    mlir::Value inside, place, step;
  };
  using AccessBody =
      llvm::function_ref<mlir::LogicalResult(const Access &access)>;
  /// The thread's accesses to the slice from step k0 on; consecutive threads
  /// read consecutive memory.
  mlir::LogicalResult forAccesses(const Operand &o, mlir::Value k0,
                                  AccessBody body);

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
  mlir::LogicalResult epilogue(const Tile &tile, const Patch &patch);
  /// From an array of sums.
  mlir::Value loadSums(mlir::Value memory, mlir::Value place, mlir::Type type);
  llvm::MaybeAlign alignment(int64_t elements);
  /// A part of the block's bytes as an array.
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
