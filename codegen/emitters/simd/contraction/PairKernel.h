//===- PairKernel.h - K loop of a tile of bf16 pairs ------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIRKERNEL_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIRKERNEL_H

#include "codegen/emitters/simd/contraction/parts/Epilogue.h"
#include "codegen/emitters/simd/contraction/parts/PairPacking.h"
#include "codegen/emitters/simd/contraction/parts/PrefetchStreams.h"

namespace tensorc::codegen::simd {

/// The K loop of a tile whose operands are packed in pairs.
///
/// The instruction adds the product of the higher halves, rounds, then adds
/// that of the lower halves and rounds again: these are two steps in the order
/// of k. It differs from multiply-adds only where an operand or a sum is
/// subnormal, which large enough exponents rule out: a product, and with it
/// each nonzero sum, is a multiple of the product of the operands' lowest bits.
/// So each tile chooses between the two by the smallest magnitudes in it, and
/// results are the same bits as with any other schedule.
/// those of any other schedule.
class PairKernel {
public:
  PairKernel(ContractionPlan &plan, const Tiling &tiling, PairPacking &packing,
             Epilogue &epilogue)
      : streams(plan, tiling), plan(plan), tiling(tiling), packing(packing),
        epilogue(epilogue), kernel(plan.kernel), b(plan.b) {}

  PrefetchStreams streams;

  /// Emits the K loop of a tile and its epilogue.
  mlir::LogicalResult emitTile(const Values &dims, const Row &first,
                               Tile &tile);

private:
  mlir::Value allNormal();
  mlir::Value floatOf(mlir::Value pairsOfLanes, bool first);
  mlir::LogicalResult emitPairs(const Tile &tile);
  mlir::LogicalResult emitSteps();

  ContractionPlan &plan;
  const Tiling &tiling;
  PairPacking &packing;
  Epilogue &epilogue;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIRKERNEL_H
