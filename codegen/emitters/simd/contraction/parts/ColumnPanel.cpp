//===- ColumnPanel.cpp - Packed panel of y --------------------------------===//

#include "codegen/emitters/simd/contraction/parts/ColumnPanel.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

AffineExpr ColumnPanel::allocate() {
  AffineExpr elements = plan.constant(tiling.lanes());
  for (unsigned loop : plan.kLoops)
    elements = elements * plan.loops.sizes[loop];
  elements = kernel.names.simplify(elements);
  memory = memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, plan.accumulator),
      kernel.scratch(), indexConstant(kernel, 0),
      ValueRange{kernel.size(elements)});
  return elements * plan.constant(plan.accumulator.getIntOrFloatBitWidth() / 8);
}

Values ColumnPanel::load(const Values &dims, const Tile &tile) {
  Values columns;
  for (unsigned v = 0; v < tile.laneAt.size(); ++v)
    columns.push_back(vector::LoadOp::create(
        b, tiling.vectorType(), memory,
        offsetOf(dims, plan.kLoops, plan.loops.sizes,
                 indexConstant(kernel, v * tiling.width))));
  return columns;
}

/// Returns the index in the panel of the K step in `dims` and a lane of the
/// tile.
Value ColumnPanel::offsetOf(const Values &dims, ArrayRef<unsigned> kLoops,
                            ArrayRef<AffineExpr> sizes, Value lane) {
  Value step = dims[kLoops.front()];
  for (unsigned loop : kLoops.drop_front())
    step = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(step, kernel.size(sizes[loop])),
        dims[loop]);
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(step,
                                    indexConstant(kernel, tiling.lanes())),
      lane);
}

LogicalResult ColumnPanel::packBlocks(const Values &dims, const Tile &tile,
                                      TransposedLoads &blocks) {
  unsigned inner = y.kLoops.back();
  auto store = [&](const Values &at, unsigned vector, ArrayRef<Value> block,
                   ValueRange) -> FailureOr<Values> {
    Values here = at;
    for (auto [k, column] : llvm::enumerate(block)) {
      here[inner] =
          b.createOrFold<arith::AddIOp>(at[inner], indexConstant(kernel, k));
      vector::StoreOp::create(
          b, column, memory,
          offsetInPanel(here, indexConstant(kernel, vector * tiling.width)));
    }
    return Values();
  };
  return success(succeeded(blocks.forEachBlock(dims, tile, {}, store)));
}

/// Packs each contiguous run of y that overlaps the tile's lanes.
LogicalResult ColumnPanel::packRuns(Values dims, Value lane0,
                                    const LoadPrefetch &prefetch) {
  SmallVector<AffineExpr> outer;
  for (unsigned loop : y.runLoops)
    outer.push_back(y.size(loop));
  Value length = kernel.size(y.size(y.laneLoop));
  auto add = [&](Value v, Value w) {
    return b.createOrFold<arith::AddIOp>(v, w);
  };
  auto subtract = [&](Value v, Value w) {
    return b.createOrFold<arith::SubIOp>(v, w);
  };
  Value end = b.createOrFold<arith::MinUIOp>(
      add(lane0, indexConstant(kernel, tiling.lanes())),
      kernel.size(plan.loops.sizes[plan.laneLoop]));
  Value one = indexConstant(kernel, 1);
  Value firstRun = b.createOrFold<arith::DivUIOp>(lane0, length);
  Value endRun =
      add(b.createOrFold<arith::DivUIOp>(subtract(end, one), length), one);
  auto ofRun = [&](Value run, ValueRange) -> FailureOr<Values> {
    for (auto [loop, value] :
         llvm::zip_equal(y.runLoops, delinearize(kernel, run, outer)))
      dims[loop] = value;
    Value begin = b.createOrFold<arith::MulIOp>(run, length);
    Value from = b.createOrFold<arith::MaxUIOp>(begin, lane0);
    Value to = b.createOrFold<arith::MinUIOp>(add(begin, length), end);
    return forRange(
        kernel, from, to, tiling.width, {},
        [&](Value lane, ValueRange) -> FailureOr<Values> {
          Value mask = laneMask(kernel, lane, to, tiling.width);
          Value inTile = subtract(lane, lane0);
          dims[y.laneLoop] = subtract(lane, begin);
          return forSteps(
              kernel, y.kLoops, y.space->getSizes(), dims, {},
              [&](const Values &at, ValueRange) -> FailureOr<Values> {
                ExpressionEmitter elements(
                    kernel, *y.space, at,
                    ExpressionEmitter::Lanes{y.laneLoop, tiling.width}, mask);
                elements.preferMasks();
                prefetch.apply(elements, y.kLoops.back());
                FailureOr<Value> column =
                    elements.emitLanes(plan.operandY(), y.index);
                if (failed(column))
                  return failure();
                vector::MaskedStoreOp::create(b, memory,
                                              offsetInPanel(at, inTile), mask,
                                              plan.widen(*column));
                return Values();
              });
        });
  };
  return success(succeeded(forRange(kernel, firstRun, endRun, 1, {}, ofRun)));
}

Values ColumnPanel::dimsOf(const Values &tileDims) const {
  ArrayRef<AffineExpr> sizes = y.space->getSizes();
  // y does not depend on rows.
  Values dims(sizes.size(), indexConstant(kernel, 0));
  for (auto &[loop, yLoops] : y.others) {
    SmallVector<AffineExpr> parts;
    for (unsigned each : yLoops)
      parts.push_back(sizes[each]);
    for (auto [each, value] :
         llvm::zip_equal(yLoops, delinearize(kernel, tileDims[loop], parts)))
      dims[each] = value;
  }
  return dims;
}

LogicalResult ColumnPanel::pack(const Values &tileDims, const Tile &tile,
                                ColumnLoads &columns, TransposedLoads &blocks) {
  Values dims = dimsOf(tileDims);
  if (!y.runLoops.empty())
    return packRuns(dims, tile.laneAt.front(), columns.prefetch);
  if (y.alongK)
    return packBlocks(dims, tile, blocks);
  auto packStep = [&](const Values &at, ValueRange) -> FailureOr<Values> {
    FailureOr<Values> vectors = columns.load(at, tile);
    if (failed(vectors))
      return failure();
    for (auto [v, column] : llvm::enumerate(*vectors))
      vector::StoreOp::create(
          b, column, memory,
          offsetInPanel(at, indexConstant(kernel, v * tiling.width)));
    return Values();
  };
  return success(succeeded(forSteps(
      kernel, y.kLoops, y.space->getSizes(), dims, {}, packStep,
      [&](const Values &at) { columns.prefetchNextGroup(at, tile); })));
}

} // namespace tensorc::codegen::simd
