//===- MicroKernel.cpp - Multiply-adds of a tile at one step of K ---------===//

#include "codegen/emitters/simd/contraction/parts/MicroKernel.h"

using namespace mlir;

namespace tensorc::codegen::simd {

LogicalResult multiply(ContractionPlan &plan, const Tiling &tiling, RowPanel &x,
                       const Values &dims, const Tile &tile,
                       ArrayRef<Value> columns, unsigned vector, Values &sums) {
  for (auto [r, row] : llvm::enumerate(tile.rowAt)) {
    Values at = dims;
    tiling.setRow(at, row);
    FailureOr<Value> element = x.element(at, tile, r);
    if (failed(element))
      return failure();
    Value factor = vector::BroadcastOp::create(
        plan.b, columns.front().getType(), *element);
    for (auto [v, column] : llvm::enumerate(columns)) {
      Value &sum = sums[r * tile.laneAt.size() + vector + v];
      sum = plan.multiplyAdd(factor, column, sum);
    }
  }
  return success();
}

} // namespace tensorc::codegen::simd
