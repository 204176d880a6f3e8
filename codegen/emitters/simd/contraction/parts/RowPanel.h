//===- RowPanel.h - x as tiles read it --------------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_ROWPANEL_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_ROWPANEL_H

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/simd/contraction/parts/Tiling.h"

namespace tensorc::codegen::simd {

/// Calls `onRead` for each input that x reads.
void walkMemoryOfX(ContractionPlan &plan, MemoryRead onRead);
/// True if x is contiguous along its rows, false if along K. Returns nullopt if
/// it is neither.
std::optional<bool> xIsAlongRows(ContractionPlan &plan);
/// True if rows of x collide in L1.
bool rowsCollide(ContractionPlan &plan);
/// True if tiles of so many outer rows copy their rows of x, to widen each
/// element once: several vectors of x take no more time than one.
bool widensRows(ContractionPlan &plan, int64_t outer);

/// Where tiles read x from: memory as it is, or a packed copy.
class RowPanel {
public:
  RowPanel(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  /// Null: x is read in place. Else it holds rows as they are multiplied.
  mlir::Value memory;
  /// Strides of the copy in elements, for a row and for a step of K.
  mlir::AffineExpr rowStride, stepStride;
  /// Elements from one tile to the next, if a kernel before has packed all of
  /// them. Null: each tile copies its rows.
  mlir::AffineExpr tileStride;

  bool isPacked() const { return static_cast<bool>(tileStride); }
  /// True if the kernel packs all tiles of x before it begins.
  bool isShared() const { return shared; }
  bool isPerTile() const { return memory && !shared && !isPacked(); }
  bool stepsAreContiguous() const { return stepStride == plan.constant(1); }

  /// Sets the strides of a tile's copy: it lies as memory holds x.
  void layOutTile();
  /// Sets them for all tiles of x, packed by a kernel before.
  void layOutPacked();
  /// Number of tiles of packed x.
  mlir::AffineExpr numTiles();
  /// Where the packed tile that begins at `row` begins.
  mlir::Value packedPlace(const Values &dims, mlir::Value row);
  /// Makes room after `scratch` for one tile's widened rows, if y has a panel.
  /// Returns all scratch.
  mlir::AffineExpr allocateTile(mlir::AffineExpr scratch);
  /// Makes room for all of x, if y lies as a panel in memory, so that several
  /// tiles of lanes read x, and its rows collide. Returns the scratch, or null.
  mlir::AffineExpr allocateShared();
  mlir::LogicalResult packShared();
  /// Copies the tile's rows. Rows and steps that do not exist have any value.
  mlir::LogicalResult packTile(Values dims, const Tile &tile);
  /// Copies the steps [begin, end) of all rows; `length` is constant if that is
  /// their number. Rows and steps that do not exist have any value.
  mlir::LogicalResult packBlock(Values dims, mlir::Value begin, mlir::Value end,
                                mlir::AffineExpr length, int64_t count,
                                int64_t paddedRows);
  /// A vector of x as it is multiplied.
  mlir::FailureOr<mlir::Value> loadLanes(const Values &dims,
                                         ExpressionEmitter::Lanes lanes,
                                         mlir::Value mask);
  /// x in the tile's `row` at the step in `dims`.
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
