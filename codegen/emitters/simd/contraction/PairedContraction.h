//===- PairedContraction.h - A contraction of bf16, two steps at once -----===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_PAIREDCONTRACTION_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_PAIREDCONTRACTION_H

#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

namespace tensorc::codegen::simd {

class PairedContraction : public ContractionSkeleton {
public:
  using ContractionSkeleton::ContractionSkeleton;

  bool fits();
  mlir::FailureOr<Offers> offerPairs();
  mlir::FailureOr<KernelSpec> emitPairs();

private:
  /// Memory holds x along the rows, not along the sum.
  bool xAlongRows = false;
  /// The tile's rows of x in pairs, row after row, `pairsApart` pairs apart.
  mlir::Value xPairs;
  /// Of the sum; in memory there is room for a few more.
  mlir::AffineExpr pairs, pairsApart;
  /// memref<1xi32>: the smallest magnitude in the panel.
  mlir::Value leastOfPanel;
  /// While something is packed, memref<?xi16>: the smallest magnitudes of its
  /// lanes.
  mlir::Value least;

  unsigned sumLoop() { return sumLoops.front(); }
  mlir::VectorType pairType();
  Numbers choosePairs();

  mlir::LogicalResult pack(const Values &dims, const Place &place) override;
  /// One: a last tile that is not full is not worth more code.
  mlir::LogicalResult emitTiles(const Values &dims, const Row &first,
                                Place place) override {
    return emitTile(dims, first, place);
  }
  mlir::LogicalResult sumTile(const Values &dims, const Place &place) override;

  void beginLeast();
  void store(mlir::Value pairsOfLanes, mlir::Value memory, mlir::Value at);
  mlir::Value endLeast();
  mlir::Value allNormal(mlir::Value leastOfX);
  mlir::Value joined(mlir::Value first, mlir::Value second);
  mlir::Value swapped(mlir::Value halves);
  mlir::Value floatOf(mlir::Value pairsOfLanes, bool first);

  using PackSteps =
      llvm::function_ref<mlir::LogicalResult(mlir::Value step, bool isTail)>;
  mlir::LogicalResult overSteps(int64_t count, PackSteps body);
  mlir::FailureOr<mlir::Value> readAlongSum(mlir::Value v,
                                            const analysis::Index &index,
                                            const Values &dims, bool isTail,
                                            int64_t pad);
  mlir::Value panelAt(mlir::Value pair, int64_t vector);
  mlir::LogicalResult packAcross(Values dims, const Place &place);
  mlir::LogicalResult packAlong(Values dims, const Place &place);
  mlir::LogicalResult packRowsOfX(Values dims, const Place &place);
  mlir::LogicalResult packColumnsOfX(Values dims, const Place &place);
  mlir::FailureOr<mlir::Value> columnOfX(const Values &dims, mlir::Value step,
                                         bool isTail, mlir::Value mask);
  mlir::LogicalResult sumInPairs();
  mlir::LogicalResult sumInSteps();
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_PAIREDCONTRACTION_H
