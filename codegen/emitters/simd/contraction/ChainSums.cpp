//===- ChainSums.cpp - A tile's sums in interleaved chains ----------------===//

#include "codegen/emitters/simd/contraction/ChainSums.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

void ChainSums::allocate() {
  int64_t lanes = kernel.fusion.getOrderAttr().getLanes().front();
  int64_t elements = tiling.outer * tiling.rows * tiling.lanes();
  memory = memref::AllocaOp::create(
      b, MemRefType::get({(lanes - 1) * elements}, plan.accumulator),
      b.getI64IntegerAttr(64));
}

/// Emits the steps begin, begin + lanes, ... before `end`, as numbers over all
/// K loops in row-major order.
FailureOr<Values> ChainSums::emitLane(const Values &dims, Value begin,
                                      Value end, ValueRange zeros, Step step) {
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : plan.kLoops)
    sizes.push_back(plan.loops.sizes[loop]);
  return forRange(
      kernel, begin, end, kernel.fusion.getOrderAttr().getLanes().front(),
      zeros, [&](Value k, ValueRange carried) {
        Values at = dims;
        Values parts =
            sizes.size() == 1 ? Values{k} : delinearize(kernel, k, sizes);
        for (auto [loop, value] : llvm::zip_equal(plan.kLoops, parts))
          at[loop] = value;
        return step(at, carried);
      });
}

/// Returns the sum of all lanes of vector `sum` of the tile; `last` is that of
/// the last lane.
Value ChainSums::combineLanes(Value last, size_t sum, size_t numSums) {
  int64_t numLanes = kernel.fusion.getOrderAttr().getLanes().front();
  Values lanes;
  for (int64_t l = 0; l + 1 < numLanes; ++l)
    lanes.push_back(vector::LoadOp::create(
        b, tiling.vectorType(), memory,
        indexConstant(kernel, (l * numSums + sum) * tiling.width)));
  lanes.push_back(last);
  for (int64_t half = numLanes / 2; half > 0; half /= 2)
    for (int64_t l = 0; l < half; ++l)
      lanes[l] = arith::AddFOp::create(b, lanes[l], lanes[l + half]);
  return lanes.front();
}

LogicalResult ChainSums::emit(const Values &dims, const Tile &tile, Step step) {
  tx::OrderAttr order = kernel.fusion.getOrderAttr();
  int64_t numLanes = order.getLanes().front();
  size_t numSums = tiling.outer * tiling.rows * tile.laneAt.size();
  Values zeros(numSums, constantOf(b, b.getLoc(), tiling.vectorType(), 0));
  auto placeOf = [&](size_t sum) {
    return indexConstant(kernel, sum * tiling.width);
  };
  for (auto [i, zero] : llvm::enumerate(zeros))
    vector::StoreOp::create(b, zero, epilogue.accumulators, placeOf(i));
  AffineExpr steps = plan.constant(1);
  for (unsigned loop : plan.kLoops)
    steps = steps * plan.loops.sizes[loop];
  Value end = kernel.size(kernel.names.simplify(steps));
  auto emitChunk = [&](Value begin, ValueRange) -> FailureOr<Values> {
    Value endOfChunk = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(begin,
                                      indexConstant(kernel, order.getChunk())),
        end);
    for (int64_t lane = 0; lane < numLanes; ++lane) {
      FailureOr<Values> sums = emitLane(
          dims,
          b.createOrFold<arith::AddIOp>(begin, indexConstant(kernel, lane)),
          endOfChunk, zeros, step);
      if (failed(sums))
        return failure();
      for (auto [i, sum] : llvm::enumerate(*sums)) {
        if (lane + 1 < numLanes) {
          vector::StoreOp::create(b, sum, memory, placeOf(lane * numSums + i));
          continue;
        }
        Value former = vector::LoadOp::create(
            b, tiling.vectorType(), epilogue.accumulators, placeOf(i));
        vector::StoreOp::create(
            b, arith::AddFOp::create(b, former, combineLanes(sum, i, numSums)),
            epilogue.accumulators, placeOf(i));
      }
    }
    return Values();
  };
  return success(succeeded(forRange(kernel, indexConstant(kernel, 0), end,
                                    order.getChunk(), {}, emitChunk)));
}

} // namespace tensorc::codegen::simd
