//===- TransposedLoads.h - Load and transpose blocks of y -------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDLOADS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDLOADS_H

#include "codegen/emitters/simd/contraction/parts/ColumnLoads.h"
#include "codegen/emitters/simd/contraction/parts/TransposedWords.h"

namespace tensorc::codegen::simd {

/// Loads y if it is contiguous along K. A block has as many columns and as many
/// K steps as a vector has lanes. It is loaded along K and transposed in
/// registers.
class TransposedLoads {
public:
  /// `accumulators` holds the tile's accumulators if blocks are multiplied as
  /// they are loaded. Null if they fill a panel.
  TransposedLoads(ContractionPlan &plan, const Tiling &tiling,
                  const ColumnReads &y, mlir::Value accumulators);

  /// Allocates buffers on the stack.
  void allocate();
  /// Loads and transposes a block from the step in `dims` on: returns one
  /// vector per step, whose lanes are columns from `lane` on. Steps masked off
  /// in `mask` are not read.
  mlir::FailureOr<Values> load(const Values &dims, mlir::Value lane,
                               mlir::Value mask);
  /// True if the loop over the tile's vectors runs inside the K loop, with
  /// accumulators in memory, because a block alone fills the registers. The
  /// FMAs of one vector then overlap with the transpose of the next one's
  /// block.
  bool interleavesVectors(const Tile &tile) const;
  /// Emits the K loops, the innermost one in blocks of steps.
  mlir::FailureOr<Values> forEachBlock(Values dims, const Tile &tile,
                                       mlir::ValueRange carried, BlockStep step,
                                       unsigned level = 0);

private:
  /// Emits a step for one of the tile's vectors, given its first lane, its
  /// number, and its accumulators.
  using VectorStep = llvm::function_ref<mlir::FailureOr<Values>(
      mlir::Value lane, unsigned vector, mlir::ValueRange sums)>;
  mlir::FailureOr<Values>
  forEachVector(const Tile &tile, mlir::ValueRange carried, VectorStep step);
  mlir::FailureOr<Values> emitBlock(const Values &dims, const Tile &tile,
                                    mlir::Value mask, int64_t steps,
                                    mlir::Value end, mlir::ValueRange carried,
                                    BlockStep step);
  mlir::FailureOr<Values> emitTail(const Values &dims, const Tile &tile,
                                   mlir::Value mask, mlir::Value tail,
                                   mlir::ValueRange carried, BlockStep step);

  ContractionPlan &plan;
  const Tiling &tiling;
  const ColumnReads &y;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  LoadPrefetch prefetch;
  TransposedWords words;
  mlir::Value accumulators;
  /// Buffer for the last block, whose steps are emitted in a loop if their
  /// number is symbolic.
  mlir::Value tailBlock;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDLOADS_H
