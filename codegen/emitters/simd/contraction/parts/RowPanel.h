//===- RowPanel.h - Rows of x, in place or packed ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_ROWPANEL_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_ROWPANEL_H

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// Calls `onRead` for each input that x reads.
void walkMemoryOfX(ContractionPlan &plan, MemoryRead onRead);
/// Returns true if x is contiguous along its rows, false if it is along K, and
/// nullopt if it is neither.
std::optional<bool> isXContiguousAlongRows(ContractionPlan &plan);
/// True if the rows of x map to the same L1 sets.
bool rowsCollide(ContractionPlan &plan);
/// True if tiles copy their rows of x, widened, so that each element is widened
/// only once. `outer` is Tiling::outer. The copy widens whole vectors, each of
/// which takes no longer than one element.
bool widensRows(ContractionPlan &plan, int64_t outer);

/// How tiles read the rows of x: in place, or from a packed copy.
class RowPanel {
public:
  RowPanel(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  /// Packed rows, in the type in which they are multiplied. Null if x is read
  /// in place.
  mlir::Value memory;
  /// Strides of packed x in elements: between rows, and between K steps.
  mlir::AffineExpr rowStride, stepStride;
  /// Stride of tiles in elements, if an earlier kernel has packed all of x.
  /// Null otherwise.
  mlir::AffineExpr tileStride;

  bool isPacked() const { return static_cast<bool>(tileStride); }
  /// True if this kernel packs all of x before it computes tiles.
  bool isShared() const { return shared; }
  bool isPerTile() const { return memory && !shared && !isPacked(); }
  bool stepsAreContiguous() const { return stepStride == plan.constant(1); }

  /// Sets the strides of a tile's copy. The copy has the same innermost dim as
  /// x.
  void layOutTile();
  /// Sets the strides of an x that an earlier kernel packs.
  void layOutPacked();
  /// Returns the number of tiles of packed x.
  mlir::AffineExpr numTiles();
  /// Returns the index in `memory` of the packed tile whose first row is `row`.
  mlir::Value packedOffset(const Values &dims, mlir::Value row);
  /// Allocates a tile's widened rows after the first `scratch` bytes of scratch
  /// memory. Returns the new size of the scratch memory.
  mlir::AffineExpr allocateTile(mlir::AffineExpr scratch);
  /// Allocates a copy of all of x, if y is laid out as panels (so that many
  /// tiles of columns read x in place) and rows of x map to the same L1 sets.
  /// Returns the size of the scratch memory, or null if x is not copied.
  mlir::AffineExpr allocateShared();
  /// Packs all of x into the memory of allocateShared().
  mlir::LogicalResult packShared();
  /// Copies the tile's rows. The copy of rows and K steps past the end is
  /// undefined.
  mlir::LogicalResult packTile(Values dims, const Tile &tile);
  /// Copies the K steps [begin, end) of all `count` rows. `length` is end -
  /// begin if that is constant. The copy of rows and K steps past the end is
  /// undefined.
  mlir::LogicalResult packBlock(Values dims, mlir::Value begin, mlir::Value end,
                                mlir::AffineExpr length, int64_t count,
                                int64_t paddedRows);
  /// Loads a vector of x and widens it to the type in which it is multiplied.
  mlir::FailureOr<mlir::Value> loadLanes(const Values &dims,
                                         ExpressionEmitter::Lanes lanes,
                                         mlir::Value mask);
  /// Loads the element of row `row` of the tile at the K step in `dims`.
  mlir::FailureOr<mlir::Value> element(const Values &dims, const Tile &tile,
                                       int64_t row);

private:
  mlir::LogicalResult packAlongK(Values dims, const Tile &tile);
  mlir::LogicalResult packAlongRows(Values dims, const Tile &tile);
  mlir::Value offsetOf(mlir::Value row, mlir::Value step);
  mlir::Value viewOf(mlir::Value byte, mlir::Value elements);

  ContractionPlan &plan;
  const Tiling &tiling;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  bool shared = false;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_ROWPANEL_H
