//===- PairPacking.h - Packs bf16 operands in pairs of K steps --*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PAIRPACKING_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_PAIRPACKING_H

#include "codegen/emitters/simd/contraction/parts/ColumnLoads.h"
#include "codegen/emitters/simd/contraction/parts/RowPanel.h"

namespace tensorc::codegen::simd {

/// Size in bytes of a pair of bf16.
inline constexpr int64_t pairBytes = 4;

/// A tile's rows of x, packed in pairs of K steps.
struct PairedRows {
  /// True if x is contiguous along its rows, not along K.
  bool alongRows = false;
  mlir::Value memory;
  /// Index in `memory` at which the tile's rows begin (null: 0).
  mlir::Value begin;
  /// Strides of rows and of K, in pairs.
  mlir::AffineExpr rowStride, pairStride;
  /// The smallest magnitude in the tile's rows, as i32 (see PairKernel.cpp).
  mlir::Value minMagnitude;
};

/// Panels of y, packed in pairs of K steps.
struct PairedPanels {
  mlir::Value memory;
  /// Number of the current panel, and its start in `memory`.
  mlir::Value number, begin;
  /// Stride of panels, in pairs.
  mlir::AffineExpr stride;
  /// Buffer with the smallest magnitude of each panel, as i32.
  mlir::Value minMagnitude;
};

/// Packs two K steps of each lane into a 32-bit word, with the earlier step in
/// the higher half. If an operand is contiguous along K, a load yields both
/// steps as one word, whose halves are then swapped, and y is transposed word by
/// word. Also computes the smallest magnitude of each panel, from which the
/// kernel tells whether all values are normal.
class PairPacking {
public:
  PairPacking(ContractionPlan &plan, const Tiling &tiling)
      : plan(plan), tiling(tiling), kernel(plan.kernel), b(plan.b) {}

  PairedRows x;
  PairedPanels panels;
  /// Number of pairs in K. Buffers have room for a few more.
  mlir::AffineExpr pairs;
  /// Buffer (memref<?xi16>) with the smallest magnitude per lane so far,
  /// starting at index `minMagnitudeAt`.
  mlir::Value minMagnitude, minMagnitudeAt;

  /// Plans how the operands are read, and sets the strides.
  void layOut();
  mlir::VectorType pairType() {
    return mlir::VectorType::get({tiling.width}, b.getI32Type());
  }
  void beginPanel(mlir::Value number);
  /// Packs the tile's columns of y into the current panel.
  mlir::LogicalResult packPanel(Values dims, const Tile &tile);
  /// Packs a tile's rows of x and computes their smallest magnitude.
  mlir::LogicalResult packX(Values dims, const Row &first, mlir::Value lane0);
  /// Packs a tile's rows of an x that is contiguous along K, without computing
  /// the smallest magnitude.
  mlir::LogicalResult packRowsOfX(Values dims, const Tile &tile);
  /// Packs two K steps of tile `number` of an x that is contiguous along its
  /// rows, without transposing. Lanes that exceed the tile's rows hold
  /// arbitrary values.
  mlir::LogicalResult packStepOfX(Values dims, mlir::Value number,
                                  mlir::Value step, bool isTail);
  /// Emits a loop over K with `count` steps per iteration, and code for the
  /// tail.
  using PackSteps =
      llvm::function_ref<mlir::LogicalResult(mlir::Value step, bool isTail)>;
  mlir::LogicalResult forEachStep(int64_t count, PackSteps body);
  void beginMinMagnitude();
  /// Returns the smallest magnitude since the last beginMinMagnitude(), as i32.
  mlir::Value endMinMagnitude();
  /// Return the index in `x.memory` of a pair of a row of the tile, and the
  /// index in `panels.memory` of a vector of pairs of the current panel.
  mlir::Value offsetInX(mlir::Value row, mlir::Value pair);
  mlir::Value offsetInPanel(mlir::Value pair, int64_t vector);

private:
  unsigned kLoop() { return plan.kLoops.front(); }
  mlir::Value joined(mlir::Value first, mlir::Value second);
  mlir::Value swapped(mlir::Value halves);
  void store(mlir::Value pairsOfLanes, mlir::Value memory, mlir::Value at);
  mlir::FailureOr<mlir::Value> readAlongK(mlir::Value v,
                                          const analysis::Index &index,
                                          const Values &dims, bool isTail,
                                          int64_t pad);
  mlir::LogicalResult packAlongLanes(Values dims, const Tile &tile);
  mlir::LogicalResult packAlongK(Values dims, const Tile &tile);
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
