//===- PairPacking.h - Operands of bf16 as pairs of K steps -----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PAIRPACKING_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PAIRPACKING_H

#include "codegen/emitters/simd/contraction/parts/ColumnLoads.h"
#include "codegen/emitters/simd/contraction/parts/RowPanel.h"

namespace tensorc::codegen::simd {

/// Two bf16.
inline constexpr int64_t pairBytes = 4;

/// A tile's rows of x in pairs.
struct PairedRows {
  /// x is contiguous along its rows, not along K.
  bool alongRows = false;
  mlir::Value memory;
  /// Where the tile's rows begin. Null: at 0.
  mlir::Value begin;
  /// Strides in pairs.
  mlir::AffineExpr rowStride, pairStride;
  /// The smallest magnitude in the rows, as i32.
  mlir::Value least;
};

/// The panels of y's columns in pairs.
struct PairedPanels {
  mlir::Value memory;
  /// The number of the panel under emission, and where it begins.
  mlir::Value number, begin;
  /// Pairs from one panel to the next.
  mlir::AffineExpr stride;
  /// The smallest magnitude in each panel, as i32.
  mlir::Value least;
};

/// Packs two K steps of each lane into a word, the earlier one in the higher
/// half. Where an operand is contiguous along K, two steps are one word of
/// memory; y is transposed by words. Remembers the smallest magnitudes.
class PairPacking {
public:
  PairPacking(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  PairedRows x;
  PairedPanels panels;
  /// Pairs of K. Memory has room for a few more.
  mlir::AffineExpr pairs;
  /// While something is packed, memref<?xi16>: the smallest magnitudes of its
  /// lanes, from `leastAt` on.
  mlir::Value least, leastAt;

  /// Plans how the operands are read, and the strides.
  void layOut();
  mlir::VectorType pairType() {
    return mlir::VectorType::get({tiling.width}, b.getI32Type());
  }
  void beginPanel(mlir::Value number);
  /// Packs the tile's columns into the panel under emission.
  mlir::LogicalResult packPanel(Values dims, const Tile &tile);
  /// Packs a tile's rows of x, and finds their smallest magnitude.
  mlir::LogicalResult packX(Values dims, const Row &first, mlir::Value lane0);
  /// The same of an x that is contiguous along K, without the magnitude.
  mlir::LogicalResult packRowsOfX(Values dims, const Tile &tile);
  /// Packs two steps of the tile `number` of an x that is contiguous along its
  /// rows, in the order of memory. The lanes after its rows are other rows, or
  /// none.
  mlir::LogicalResult packStepOfX(Values dims, mlir::Value number,
                                  mlir::Value step, bool isTail);
  /// Emits a loop over K by `count` steps, and another one for the tail.
  using PackSteps =
      llvm::function_ref<mlir::LogicalResult(mlir::Value step, bool isTail)>;
  mlir::LogicalResult forEachStep(int64_t count, PackSteps body);
  void beginLeast();
  /// The smallest magnitude since beginLeast, as i32.
  mlir::Value endLeast();
  /// Where a row of the tile, and where a vector of the panel has a pair.
  mlir::Value placeInX(mlir::Value row, mlir::Value pair);
  mlir::Value placeInPanel(mlir::Value pair, int64_t vector);

private:
  unsigned sumLoop() { return plan.sumLoops.front(); }
  mlir::Value joined(mlir::Value first, mlir::Value second);
  mlir::Value swapped(mlir::Value halves);
  void store(mlir::Value pairsOfLanes, mlir::Value memory, mlir::Value at);
  mlir::FailureOr<mlir::Value> readAlongSum(mlir::Value v,
                                            const analysis::Index &index,
                                            const Values &dims, bool isTail,
                                            int64_t pad);
  mlir::LogicalResult packAlongLanes(Values dims, const Tile &tile);
  mlir::LogicalResult packAlongSum(Values dims, const Tile &tile);
  mlir::LogicalResult packColumnsOfX(Values dims, const Tile &tile);
  mlir::FailureOr<mlir::Value> columnOfX(const Values &dims, mlir::Value step,
                                         bool isTail, mlir::Value mask);

  ContractionPlan &plan;
  const Tiling &tiling;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  std::optional<ColumnReads> y;
  std::optional<ColumnLoads> loads;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PAIRPACKING_H
