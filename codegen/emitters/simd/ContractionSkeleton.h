//===- ContractionSkeleton.h - A dot_general's fusion, under emission -----===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTIONSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTIONSKELETON_H

#include "codegen/emitters/ContractionPlan.h"
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

  mlir::AffineExpr planPanel();
  mlir::FailureOr<Values> emitItem(mlir::Value item,
                                   llvm::ArrayRef<mlir::AffineExpr> work);
  void planLanes(mlir::Value lane0, Values &laneAt, Values &masks);
  mlir::LogicalResult pack(mlir::Value isNew, const Values &dims,
                           llvm::ArrayRef<mlir::Value> laneAt,
                           llvm::ArrayRef<mlir::Value> masks);
  mlir::Value panelPlace(const Values &dims, unsigned vector);
  mlir::FailureOr<Values> columnsOf(const Values &dims,
                                    llvm::ArrayRef<mlir::Value> laneAt,
                                    llvm::ArrayRef<mlir::Value> masks);
  mlir::LogicalResult emitTile(const Values &dims, mlir::Value row0,
                               llvm::ArrayRef<mlir::Value> laneAt,
                               llvm::ArrayRef<mlir::Value> masks);
  using Step = llvm::function_ref<mlir::FailureOr<Values>(const Values &,
                                                          mlir::ValueRange)>;
  mlir::FailureOr<Values> sumOver(unsigned level, Values dims,
                                  mlir::ValueRange carried, Step step);
  mlir::FailureOr<Values> step(const Values &dims,
                               llvm::ArrayRef<mlir::Value> rowAt,
                               llvm::ArrayRef<mlir::Value> laneAt,
                               llvm::ArrayRef<mlir::Value> masks,
                               mlir::ValueRange carried);
  mlir::LogicalResult epilogue(Values dims, mlir::Value row0,
                               llvm::ArrayRef<mlir::Value> laneAt,
                               llvm::ArrayRef<mlir::Value> masks);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTIONSKELETON_H
