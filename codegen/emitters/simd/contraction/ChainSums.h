//===- ChainSums.h - A tile's sums in interleaved chains --------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CHAINSUMS_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CHAINSUMS_H

#include "codegen/emitters/simd/contraction/parts/Epilogue.h"

namespace tensorc::codegen::simd {

/// Computes a tile in an order of class `chains` with FMAs, for processors and
/// layouts without the tile instruction that the order comes from:
///
///   accumulators = 0
///   for each chunk of K:
///     for each lane l of the order:
///       sums[l] = 0; for k = l, l + lanes, ... of the chunk: sums[l] += x * y
///     accumulators += the lanes of sums, combined by halves
///
/// One lane at a time is in registers, so tiles are as large as in the order
/// `fma`.
class ChainSums {
public:
  ChainSums(ContractionPlan &plan, const Tiling &tiling,
            const Epilogue &epilogue)
      : plan(plan), tiling(tiling), epilogue(epilogue), kernel(plan.kernel),
        b(plan.b) {}

  /// Allocates stack memory for the lanes of one tile.
  void allocate();
  /// Emits the K loops around `step`, and stores the sums of the tile in the
  /// epilogue's accumulators.
  mlir::LogicalResult emit(const Values &dims, const Tile &tile, Step step);

private:
  mlir::FailureOr<Values> emitLane(const Values &dims, mlir::Value begin,
                                   mlir::Value end, mlir::ValueRange zeros,
                                   Step step);
  mlir::Value combineLanes(mlir::Value last, size_t sum, size_t numSums);

  ContractionPlan &plan;
  const Tiling &tiling;
  const Epilogue &epilogue;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  /// Sums of all lanes but the last one, as [lane][row][vector].
  mlir::Value memory;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CHAINSUMS_H
