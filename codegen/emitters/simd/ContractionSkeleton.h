//===- ContractionSkeleton.h - A dot_general's fusion, under emission -----===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTIONSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTIONSKELETON_H

#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/simd/Skeletons.h"

namespace tensorc::codegen::simd {

class ContractionSkeleton : ContractionPlan {
public:
  explicit ContractionSkeleton(KernelBuilder &kernel)
      : ContractionPlan(kernel) {}

  mlir::FailureOr<Offers> offer();
  mlir::FailureOr<KernelSpec> emit();

private:
  /// A tile's rows, its vectors side by side, and their lanes.
  int64_t rows = 0, tileVectors = 0, width = 0;
  mlir::Value tile;
  /// Null: y is read in place.
  mlir::Value panel;
  /// Memory holds y along the innermost sum: blocks of as many steps as there
  /// are lanes are read along it and transposed in registers.
  bool alongSum = false;
  /// Then, and if that sum's size has a name: the steps of a block, for those
  /// that are left at the end.
  mlir::Value restBlock;
  /// Elements of y that one step of the innermost sum moves on; 0: unknown.
  int64_t stepElements = 0;

  /// What a tile is about: where its rows and vectors begin, and which lanes of
  /// those are there.
  struct Place {
    Values rowAt, laneAt, masks;
  };

  void planReads();
  Numbers choose();
  mlir::AffineExpr planPanel();
  mlir::FailureOr<Values> emitItem(mlir::Value item,
                                   llvm::ArrayRef<mlir::AffineExpr> work);
  void planLanes(mlir::Value lane0, Place &place);
  mlir::LogicalResult pack(mlir::Value isNew, const Values &dims,
                           const Place &place);
  mlir::Value panelPlace(const Values &dims, unsigned vector);
  void askAhead(ExpressionEmitter &elements);
  mlir::FailureOr<Values> columnsOf(const Values &dims, const Place &place);
  mlir::FailureOr<Values> blockOf(const Values &dims, mlir::Value lane,
                                  mlir::Value mask);
  mlir::LogicalResult emitTile(const Values &dims, mlir::Value row0,
                               Place &place);
  /// One step of the sum, or, given several vectors of y that follow each
  /// other along the sum (`vector` of the tile's), so many.
  using Step = llvm::function_ref<mlir::FailureOr<Values>(const Values &,
                                                          mlir::ValueRange)>;
  using BlockStep = llvm::function_ref<mlir::FailureOr<Values>(
      const Values &, unsigned vector, llvm::ArrayRef<mlir::Value> block,
      mlir::ValueRange)>;
  mlir::FailureOr<Values> sumOver(unsigned level, Values dims,
                                  mlir::ValueRange carried, Step step);
  mlir::FailureOr<Values> sumOverBlocks(unsigned level, Values dims,
                                        const Place &place,
                                        mlir::ValueRange carried,
                                        BlockStep step);
  mlir::FailureOr<Values> blockStep(const Values &dims, const Place &place,
                                    mlir::Value mask, int64_t steps,
                                    mlir::ValueRange carried, BlockStep step);
  mlir::FailureOr<Values> forRest(const Values &dims, const Place &place,
                                  mlir::Value mask, mlir::Value rest,
                                  mlir::ValueRange carried, BlockStep step);
  mlir::FailureOr<Values> step(const Values &dims, const Place &place,
                               mlir::ValueRange carried);
  mlir::LogicalResult multiply(const Values &dims, const Place &place,
                               llvm::ArrayRef<mlir::Value> columns,
                               unsigned vector, Values &sums);
  mlir::LogicalResult epilogue(Values dims, mlir::Value row0,
                               const Place &place);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTIONSKELETON_H
