//===- PairPacking.h - Pack bf16 operands in pairs of K steps ---*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PAIRPACKING_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PAIRPACKING_H

#include "codegen/emitters/simd/contraction/parts/ColumnLoads.h"
#include "codegen/emitters/simd/contraction/parts/RowPanel.h"

namespace tensorc::codegen::simd {

/// Bytes of a pair of bf16.
inline constexpr int64_t pairBytes = 4;

/// A tile's rows of x, packed in pairs.
struct PairedRows {
  /// True if x is contiguous along its rows, not along K.
  bool alongRows = false;
  mlir::Value memory;
  /// Index in `memory` at which the tile's rows begin. Null: 0.
  mlir::Value begin;
  /// Strides of rows and of pairs, in pairs.
  mlir::AffineExpr rowStride, pairStride;
  /// The smallest magnitude in the rows, as i32 (see PairKernel.cpp).
  mlir::Value least;
};

/// Panels of y's columns, packed in pairs.
struct PairedPanels {
  mlir::Value memory;
  /// The number of the current panel, and the index in `memory` at which it
  /// begins.
  mlir::Value number, begin;
  /// Stride of panels, in pairs.
  mlir::AffineExpr stride;
  /// Buffer of the smallest magnitude in each panel, as i32.
  mlir::Value least;
};

/// Packs two K steps of each lane into a 32-bit word, the earlier step in the
/// higher half. If an operand is contiguous along K, two steps are a word in
/// memory already; y is then transposed word by word. Also tracks the smallest
/// magnitudes.
class PairPacking {
public:
  PairPacking(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  PairedRows x;
  PairedPanels panels;
  /// Number of pairs of K. Buffers have room for a few more.
  mlir::AffineExpr pairs;
  /// Buffer (memref<?xi16>) of the smallest magnitude per lane so far, from
  /// index `leastAt` on.
  mlir::Value least, leastAt;

  /// Plans how the operands are read, and sets the strides.
  void layOut();
  mlir::VectorType pairType() {
    return mlir::VectorType::get({tiling.width}, b.getI32Type());
  }
  void beginPanel(mlir::Value number);
  /// Packs the tile's columns into the current panel.
  mlir::LogicalResult packPanel(Values dims, const Tile &tile);
  /// Packs a tile's rows of x and finds their smallest magnitude.
  mlir::LogicalResult packX(Values dims, const Row &first, mlir::Value lane0);
  /// Packs a tile's rows of an x that is contiguous along K, without finding
  /// the smallest magnitude.
  mlir::LogicalResult packRowsOfX(Values dims, const Tile &tile);
  /// Packs two steps of tile `number` of an x that is contiguous along its
  /// rows, without a transpose. Lanes after the tile's rows hold arbitrary
  /// values.
  mlir::LogicalResult packStepOfX(Values dims, mlir::Value number,
                                  mlir::Value step, bool isTail);
  /// Emits a loop over K in steps of `count`, and one for the tail.
  using PackSteps =
      llvm::function_ref<mlir::LogicalResult(mlir::Value step, bool isTail)>;
  mlir::LogicalResult forEachStep(int64_t count, PackSteps body);
  void beginLeast();
  /// Returns the smallest magnitude since beginLeast, as i32.
  mlir::Value endLeast();
  /// Return the index of a pair: of a row of the tile, and of a vector of the
  /// panel.
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
