//===- ColumnPanel.h - Packed panel of y ------------------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNPANEL_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNPANEL_H

#include "codegen/emitters/simd/contraction/parts/TransposedLoads.h"

namespace tensorc::codegen::simd {

/// A panel of y: the columns of one tile, packed into scratch memory as
/// [k][lane]. In place, the rows of y often have a power of two as stride and
/// would map to the same L1 sets.
class ColumnPanel {
public:
  ColumnPanel(ContractionPlan &plan, const Tiling &tiling, const ColumnReads &y)
      : plan(plan), tiling(tiling), y(y), kernel(plan.kernel), b(plan.b) {}

  /// Allocates the panel at the start of scratch memory. Returns its size in
  /// bytes.
  mlir::AffineExpr allocate();
  /// Loads the tile's vectors from the panel at the K step in `dims`.
  Values load(const Values &dims, const Tile &tile);
  /// Emits the code that packs the tile's columns of y.
  mlir::LogicalResult pack(const Values &tileDims, const Tile &tile,
                           ColumnLoads &columns, TransposedLoads &blocks);
  /// Returns the indices of y's loops other than lanes and K, given those of a
  /// tile.
  Values dimsOf(const Values &tileDims) const;

private:
  mlir::Value offsetOf(const Values &dims, llvm::ArrayRef<unsigned> kLoops,
                       llvm::ArrayRef<mlir::AffineExpr> sizes,
                       mlir::Value lane);
  mlir::Value offsetInPanel(const Values &dims, mlir::Value lane) {
    return offsetOf(dims, y.kLoops, y.space->getSizes(), lane);
  }
  mlir::LogicalResult packBlocks(const Values &dims, const Tile &tile,
                                 TransposedLoads &blocks);
  mlir::LogicalResult packRuns(Values dims, mlir::Value lane0,
                               const LoadPrefetch &prefetch);

  ContractionPlan &plan;
  const Tiling &tiling;
  const ColumnReads &y;
  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  mlir::Value memory;
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_PARTS_COLUMNPANEL_H
