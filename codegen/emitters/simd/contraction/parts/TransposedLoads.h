//===- TransposedLoads.h - Loads and transposes blocks of y -----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDLOADS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDLOADS_H

#include "codegen/emitters/simd/contraction/parts/ColumnLoads.h"
#include "codegen/emitters/simd/contraction/parts/TransposedWords.h"

namespace tensorc::codegen::simd {

/// Loads y if it is contiguous along K, in square blocks of `width` columns and
/// `width` K steps. A block is loaded along K and transposed in registers.
class TransposedLoads {
public:
  /// `accumulators` is the memory of the tile's accumulators if blocks are
  /// multiplied as soon as they are loaded, or null if they fill a panel.
  TransposedLoads(ContractionPlan &plan, const Tiling &tiling,
                  const ColumnReads &y, mlir::Value accumulators);

  /// Allocates stack buffers.
  void allocate();
  /// Loads and transposes the block that begins at the K step in `dims`.
  /// Returns one vector per step, whose lanes are the columns from `lane` on.
  /// Steps that are off in `mask` are not loaded.
  mlir::FailureOr<Values> load(const Values &dims, mlir::Value lane,
                               mlir::Value mask);
  /// True if the loop over the tile's vectors is inside the K loop, with
  /// accumulators in memory, because one block fills the registers. The FMAs of
  /// one vector then overlap with the transpose of the next vector's block.
  bool interleavesVectors(const Tile &tile) const;
  /// Emits the K loops. The innermost one iterates over blocks.
  mlir::FailureOr<Values> forEachBlock(Values dims, const Tile &tile,
                                       mlir::ValueRange carried, BlockStep step,
                                       unsigned level = 0);

private:
  /// Emits a K step for one vector of the tile, given its first lane, its
  /// number and its accumulators.
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
  /// Buffer for the last block if the length of its tail is symbolic. A loop
  /// then emits the steps of the tail.
  mlir::Value tailBlock;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDLOADS_H
