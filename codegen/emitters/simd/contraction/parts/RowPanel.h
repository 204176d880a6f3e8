//===- RowPanel.h - Rows of x, in place or packed ---------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_ROWPANEL_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_ROWPANEL_H

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// Calls `onRead` for each input that x reads.
void walkMemoryOfX(ContractionPlan &plan, MemoryRead onRead);
/// True if x is contiguous along its rows, false if along K. Returns nullopt if
/// neither.
std::optional<bool> xIsAlongRows(ContractionPlan &plan);
/// True if rows of x map to the same sets of L1.
bool rowsCollide(ContractionPlan &plan);
/// True if tiles with `outer` outer rows copy their rows of x, to widen each
/// element once. Widening a vector takes no longer than widening one element.
bool widensRows(ContractionPlan &plan, int64_t outer);

/// The rows of x as tiles read them: in place, or from a packed copy.
class RowPanel {
public:
  RowPanel(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  /// Packed rows in the type in which they are multiplied. Null: x is read in
  /// place.
  mlir::Value memory;
  /// Strides of the packed rows, in elements: of a row, and of a step of K.
  mlir::AffineExpr rowStride, stepStride;
  /// Stride of tiles in elements, if an earlier kernel has packed all of x.
  /// Null: it has not.
  mlir::AffineExpr tileStride;

  bool isPacked() const { return static_cast<bool>(tileStride); }
  /// True if this kernel packs all of x before its tiles.
  bool isShared() const { return shared; }
  bool isPerTile() const { return memory && !shared && !isPacked(); }
  bool stepsAreContiguous() const { return stepStride == plan.constant(1); }

  /// Sets the strides of a tile's copy: it keeps the order of memory.
  void layOutTile();
  /// Sets the strides for an x that an earlier kernel packs.
  void layOutPacked();
  /// Returns the number of tiles of packed x.
  mlir::AffineExpr numTiles();
  /// Returns the index in `memory` of the packed tile that begins at `row`.
  mlir::Value packedPlace(const Values &dims, mlir::Value row);
  /// Allocates one tile's widened rows after `scratch`, if y has a panel.
  /// Returns the size of the scratch.
  mlir::AffineExpr allocateTile(mlir::AffineExpr scratch);
  /// Allocates all of x, if y lies in memory as panels (so that several tiles
  /// of lanes read x) and rows of x map to the same sets of L1. Returns the
  /// size of the scratch, or null.
  mlir::AffineExpr allocateShared();
  mlir::LogicalResult packShared();
  /// Copies the tile's rows. Rows and steps past the end hold arbitrary values.
  mlir::LogicalResult packTile(Values dims, const Tile &tile);
  /// Copies the steps [begin, end) of all rows. `length` is end - begin if that
  /// is constant. Rows and steps past the end hold arbitrary values.
  mlir::LogicalResult packBlock(Values dims, mlir::Value begin, mlir::Value end,
                                mlir::AffineExpr length, int64_t count,
                                int64_t paddedRows);
  /// Loads a vector of x in the type in which it is multiplied.
  mlir::FailureOr<mlir::Value> loadLanes(const Values &dims,
                                         ExpressionEmitter::Lanes lanes,
                                         mlir::Value mask);
  /// Loads the element of x in the tile's row `row` at the step in `dims`.
  mlir::FailureOr<mlir::Value> element(const Values &dims, const Tile &tile,
                                       int64_t row);

private:
  mlir::LogicalResult packAlongSum(Values dims, const Tile &tile);
  mlir::LogicalResult packAlongRows(Values dims, const Tile &tile);
  mlir::Value placeOf(mlir::Value row, mlir::Value step);
  mlir::Value viewOf(mlir::Value byte, mlir::Value elements);

  ContractionPlan &plan;
  const Tiling &tiling;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  bool shared = false;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_ROWPANEL_H
