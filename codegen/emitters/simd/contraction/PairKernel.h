//===- PairKernel.h - K loop of a tile of bf16 pairs ------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIRKERNEL_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIRKERNEL_H

#include "codegen/emitters/simd/contraction/parts/Epilogue.h"
#include "codegen/emitters/simd/contraction/parts/PairPacking.h"
#include "codegen/emitters/simd/contraction/parts/PrefetchStreams.h"

namespace tensorc::codegen::simd {

/// The K loop of a tile whose operands are packed in pairs of bf16.
///
/// The dot-product instruction adds the product of the higher halves, rounds,
/// adds the product of the lower halves, and rounds again. These are two FMAs
/// in the order of k, except that subnormal operands and sums count as zero. If
/// the exponents are large enough, nothing is subnormal: a product, and with it
/// each nonzero sum, is a multiple of the product of the operands' lowest bits.
/// So each tile chooses the instruction or FMAs by the smallest magnitudes in
/// it. The results are the same bits as those of any other schedule.
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
