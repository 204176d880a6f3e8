//===- TransposedLoads.h - Blocks of y that is contiguous along K -*- C++ -*-=//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDLOADS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDLOADS_H

#include "codegen/emitters/simd/contraction/parts/ColumnLoads.h"
#include "codegen/emitters/simd/contraction/parts/TransposedWords.h"

namespace tensorc::codegen::simd {

/// Loads of y where it is contiguous along K. A block is as many columns as
/// there are lanes, and as many steps: it is loaded along K and transposed in
/// registers.
class TransposedLoads {
public:
  /// `accumulators`: those of the tile, if blocks are multiplied as they are
  /// loaded. Null if they fill a panel.
  TransposedLoads(ContractionPlan &plan, const Tiling &tiling,
                  const ColumnReads &y, mlir::Value accumulators);

  /// Allocates what transposing needs on the stack.
  void allocate();
  /// A vector of y for each of as many steps as there are lanes, from the step
  /// in `dims` on. Their lanes begin at `lane`. Steps that are off in `mask`
  /// are not read.
  mlir::FailureOr<Values> load(const Values &dims, mlir::Value lane,
                               mlir::Value mask);
  /// True if a loop over the tile's vectors runs inside of the K loop, with the
  /// accumulators in memory: a block fills the registers by itself. The FMAs of
  /// one vector wait for each other while the next one's block is transposed.
  bool interleavesVectors(const Tile &tile) const;
  /// Emits the K loops by blocks of steps of the innermost one.
  mlir::FailureOr<Values> forEachBlock(Values dims, const Tile &tile,
                                       mlir::ValueRange carried, BlockStep step,
                                       unsigned level = 0);

private:
  /// Emits a step for one of the tile's vectors: its first lane, its number
  /// among the accumulators, and these.
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
  /// The last block, whose steps are multiplied one by one if their number is
  /// known only at run time.
  mlir::Value tailBlock;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_TRANSPOSEDLOADS_H
