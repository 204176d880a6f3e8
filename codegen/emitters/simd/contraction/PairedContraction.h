//===- PairedContraction.h - A contraction of bf16, two steps at once -----===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H

#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

namespace tensorc::codegen::simd {

class PairedContraction : public ContractionSkeleton {
public:
  using ContractionSkeleton::ContractionSkeleton;

  bool fits();
  mlir::FailureOr<Offers> offerPairs();
  mlir::FailureOr<KernelSpec> emitPairs();
  /// With both operands packed before the tiles: PackedPairs.cpp.
  bool fitsPacked();
  mlir::FailureOr<Offers> offerPacked();
  static mlir::FailureOr<EmittedKernels> emitPacked(KernelBuilder &to);

private:
  /// Memory holds x along the rows, not along the sum.
  bool xAlongRows = false;
  /// The tile's rows of x in pairs, from `xBegin` on (null: 0), so many pairs
  /// apart.
  mlir::Value xPairs, xBegin;
  mlir::AffineExpr rowsApartInX, pairsApartInX;
  /// Of the sum; in memory there is room for a few more.
  mlir::AffineExpr pairs;
  /// The smallest magnitude in each tile's panel, as i32, and in the rows of x.
  mlir::Value leastOfPanels, leastOfX;
  /// Whether kernels before have packed both operands: x of all tiles,
  /// `tilePairs` apart, with the smallest magnitude in each. The tile's number.
  bool arePacked = false;
  mlir::AffineExpr tilePairs;
  mlir::Value leastOfTiles, tileNumber;
  /// Of an item's panels, that of the tile which is emitted, and where it
  /// begins.
  mlir::Value panelNumber, panelBegin;
  mlir::AffineExpr panelPairs;
  /// While something is packed, memref<?xi16>: the smallest magnitudes of its
  /// lanes, from `leastAt` on.
  mlir::Value least, leastAt;

  unsigned sumLoop() { return sumLoops.front(); }
  mlir::VectorType pairType();
  int64_t chooseTiles(int64_t rows, int64_t vectors);
  Numbers choosePairs();

  mlir::FailureOr<Values>
  emitItem(mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work) override;
  void beginPanel(mlir::Value number);
  mlir::LogicalResult packPanel(Values dims, const Tile &place);
  mlir::LogicalResult packX(Values dims, const Row &first, mlir::Value lane0);
  mlir::LogicalResult sumTile(const Values &dims, const Tile &place) override;

  void planPairs();
  mlir::LogicalResult planPacked();
  mlir::AffineExpr rowTiles() {
    return loops.sizes[rowLoop].ceilDiv(tiling.rows);
  }
  mlir::AffineExpr lanePanels() {
    return loops.sizes[laneLoop].ceilDiv(tiling.lanes());
  }
  mlir::AffineExpr countOf(mlir::AffineExpr tilesOfBatch);
  mlir::Value numberOf(const Values &dims, mlir::Value number,
                       mlir::AffineExpr tilesOfBatch);
  llvm::SmallVector<KernelSpec::Temporary> packedMemory();
  void useMemory();
  void beginRows(const Values &dims, mlir::Value number);
  mlir::FailureOr<KernelSpec> emitRows();
  mlir::FailureOr<KernelSpec> emitColumns();
  mlir::FailureOr<Values> emitPackedItem(mlir::Value item,
                                         llvm::ArrayRef<mlir::AffineExpr> work);
  void askForPacked(mlir::Value pair);
  mlir::LogicalResult packStepOfX(Values dims, mlir::Value number,
                                  mlir::Value step, bool isTail);
  mlir::Value placeInX(mlir::Value row, mlir::Value pair);

  void beginLeast();
  void store(mlir::Value pairsOfLanes, mlir::Value memory, mlir::Value at);
  mlir::Value endLeast();
  mlir::Value allNormal();
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
  mlir::LogicalResult packAcross(Values dims, const Tile &place);
  mlir::LogicalResult packAlong(Values dims, const Tile &place);
  mlir::LogicalResult packRowsOfX(Values dims, const Tile &place);
  mlir::LogicalResult packColumnsOfX(Values dims, const Tile &place);
  mlir::FailureOr<mlir::Value> columnOfX(const Values &dims, mlir::Value step,
                                         bool isTail, mlir::Value mask);
  mlir::LogicalResult sumInPairs();
  mlir::LogicalResult sumInSteps();
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PAIREDCONTRACTION_H
