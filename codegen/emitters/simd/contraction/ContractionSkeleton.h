//===- ContractionSkeleton.h - A dot_general's fusion, under emission -----===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CONTRACTIONSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CONTRACTIONSKELETON_H

#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/parts/ColumnPanel.h"
#include "codegen/emitters/simd/contraction/parts/Epilogue.h"
#include "codegen/emitters/simd/contraction/parts/PrefetchStreams.h"

namespace tensorc::codegen::simd {

class ContractionSkeleton : public ContractionPlan {
public:
  explicit ContractionSkeleton(KernelBuilder &kernel)
      : ContractionPlan(kernel) {}
  virtual ~ContractionSkeleton() = default;

  mlir::FailureOr<Offers> offer();
  mlir::FailureOr<KernelSpec> emit();

  /// And of its tiles, with x packed before them: ContractionPackedRows.cpp.
  bool takesPacked();
  static mlir::FailureOr<EmittedKernels> emitPacked(KernelBuilder &to);

protected:
  Tiling tiling{*this};
  Epilogue epilogue{*this, tiling};
  RowPanel x{*this, tiling};
  PrefetchStreams streams{*this, tiling};
  std::optional<ColumnReads> y;
  std::optional<ColumnLoads> columnLoads;
  std::optional<TransposedLoads> transposedLoads;
  /// None: y is read in place.
  std::optional<ColumnPanel> panel;

  void planReadLoops(bool inPlace);
  bool isInPlace() {
    return tiling.isOneTile() || liesAsPanel(*this, tiling.lanes());
  }
  int64_t vectorsInTurns(const ColumnReads &reads, int64_t rowCount);
  Numbers choose();
  mlir::AffineExpr planPanel(bool inPlace);
  void planPrefetches();
  bool planPacked();
  mlir::LogicalResult packAlongRows(Values dims, mlir::Value firstStep,
                                    mlir::Value firstTile);
  mlir::LogicalResult packAlongSum(Values dims, mlir::Value row);
  mlir::FailureOr<KernelSpec> emitPacking();
  virtual mlir::FailureOr<Values>
  emitItem(mlir::Value item, llvm::ArrayRef<mlir::AffineExpr> work);
  mlir::LogicalResult emitTile(const Values &dims, const Row &first,
                               Tile &place);
  mlir::LogicalResult emitTiles(const Values &dims, const Row &first,
                                const Tile &place);
  /// The tile's sums, in memory.
  virtual mlir::LogicalResult sumTile(const Values &dims, const Tile &place);
  mlir::LogicalResult
  sumTurned(const Values &dims, const Tile &place, Values zeros,
            llvm::function_ref<void(mlir::ValueRange)> store);
  mlir::FailureOr<KernelSpec> emitTilesOf();
  /// The kernel around the tiles.
  mlir::FailureOr<KernelSpec> emitItems(mlir::AffineExpr scratch);
  mlir::FailureOr<Values> step(const Values &dims, const Tile &place,
                               mlir::ValueRange carried);
  mlir::LogicalResult multiply(const Values &dims, const Tile &place,
                               llvm::ArrayRef<mlir::Value> columns,
                               unsigned vector, Values &sums);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_CONTRACTIONSKELETON_H
