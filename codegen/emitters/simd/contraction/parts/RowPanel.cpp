//===- RowPanel.cpp - Rows of x, in place or packed -----------------------===//

#include "codegen/emitters/simd/contraction/parts/RowPanel.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

void walkMemoryOfX(ContractionPlan &plan, MemoryRead onRead) {
  walkMemory(plan, plan.operandX(), plan.xIndex, *plan.space, onRead);
}

std::optional<bool> isXContiguousAlongRows(ContractionPlan &plan) {
  bool alongK = true, alongRows = true;
  walkMemoryOfX(plan, [&](BlockArgument, const Index &, AffineExpr position) {
    auto isAlong = [&](unsigned loop) {
      auto linear = analysis::linearIn(position, loop, *plan.space);
      return linear && (linear->coefficient == plan.constant(0) ||
                        linear->coefficient == plan.constant(1));
    };
    alongK &= isAlong(plan.kLoops.back());
    alongRows &= isAlong(plan.rowLoop);
  });
  if (!alongK && !alongRows)
    return std::nullopt;
  return !alongK;
}

bool rowsCollide(ContractionPlan &plan) {
  bool collide = false;
  walkMemoryOfX(
      plan, [&](BlockArgument argument, const Index &, AffineExpr position) {
        auto linear = analysis::linearIn(position, plan.rowLoop, *plan.space);
        std::optional<int64_t> stride =
            linear ? constantOf(linear->coefficient) : std::nullopt;
        int64_t bytes = stride ? *stride * bytesOf(argument) : 0;
        collide |= bytes != 0 && bytes % plan.kernel.costs().l1WayBytes == 0;
      });
  return collide;
}

bool widensRows(ContractionPlan &plan, int64_t outer) {
  std::optional<int64_t> steps =
      constantOf(plan.loops.sizes[plan.kLoops.front()]);
  if (plan.kLoops.size() != 1 ||
      (steps && *steps < plan.kernel.costs().minWidenedSteps))
    return false;
  bool isNarrow = false;
  walkMemoryOfX(plan, [&](BlockArgument argument, const Index &, AffineExpr) {
    isNarrow |=
        bytesOf(argument) * 8 < plan.accumulator.getIntOrFloatBitWidth();
  });
  std::optional<bool> alongRows = isXContiguousAlongRows(plan);
  return isNarrow && alongRows && !(*alongRows && outer > 1);
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

void RowPanel::layOutTile() {
  AffineExpr steps = plan.loops.sizes[plan.kLoops.front()];
  int64_t width = tiling.width;
  if (*isXContiguousAlongRows(plan)) {
    rowStride = plan.constant(1);
    stepStride = plan.constant(llvm::alignTo(tiling.rows, width));
  } else {
    // Each row is padded by one vector, so that rows do not map to the same L1
    // sets.
    rowStride = kernel.names.simplify(
        steps.ceilDiv(width) * plan.constant(width) + plan.constant(width));
    stepStride = plan.constant(1);
  }
}

void RowPanel::layOutPacked() {
  AffineExpr steps = plan.loops.sizes[plan.kLoops.front()];
  layOutTile();
  // Tiles are padded too, for the same reason.
  AffineExpr elements = stepsAreContiguous()
                            ? rowStride * plan.constant(tiling.rows)
                            : steps * stepStride + plan.constant(tiling.width);
  tileStride = kernel.names.simplify(elements);
}

AffineExpr RowPanel::numTiles() {
  AffineExpr tiles = plan.loops.sizes[plan.rowLoop].ceilDiv(tiling.rows);
  for (unsigned loop : tiling.batchLoopsOfX())
    tiles = tiles * plan.loops.sizes[loop];
  return kernel.names.simplify(tiles);
}

Value RowPanel::packedOffset(const Values &dims, Value row) {
  Value number = indexConstant(kernel, 0);
  for (unsigned loop : tiling.batchLoopsOfX())
    number = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(number,
                                      kernel.size(plan.loops.sizes[loop])),
        dims[loop]);
  number = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(
          number,
          kernel.size(plan.loops.sizes[plan.rowLoop].ceilDiv(tiling.rows))),
      b.createOrFold<arith::DivUIOp>(row, indexConstant(kernel, tiling.rows)));
  return b.createOrFold<arith::MulIOp>(number, kernel.size(tileStride));
}

Value RowPanel::offsetOf(Value row, Value step) {
  auto times = [&](Value v, AffineExpr stride) {
    return b.createOrFold<arith::MulIOp>(v, kernel.size(stride));
  };
  return b.createOrFold<arith::AddIOp>(times(row, rowStride),
                                       times(step, stepStride));
}

Value RowPanel::viewOf(Value byte, Value elements) {
  return memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, plan.accumulator),
      kernel.scratch(), byte, ValueRange{elements});
}

//===----------------------------------------------------------------------===//
// All of x
//===----------------------------------------------------------------------===//

AffineExpr RowPanel::allocateShared() {
  std::optional<int64_t> count = constantOf(plan.loops.sizes[plan.rowLoop]),
                         steps =
                             constantOf(plan.loops.sizes[plan.kLoops.front()]);
  if (!hasPanelLayout(plan, tiling.lanes()) ||
      !tiling.batchLoopsOfX().empty() || !tiling.sharedLoops.empty() ||
      plan.kLoops.size() > 1 || !count || !steps || tiling.rows < 2)
    return {};
  int64_t elements = llvm::alignTo(*count, tiling.rows) * *steps;
  int64_t each = plan.accumulator.getIntOrFloatBitWidth() / 8;
  int64_t bytes = elements * each;
  if (bytes > kernel.costs().residentBytes ||
      *steps * each % kernel.costs().l1WayBytes != 0)
    return {};
  memory = viewOf(indexConstant(kernel, 0), indexConstant(kernel, elements));
  shared = true;
  return plan.constant(bytes);
}

/// Packs all of x as [tile][k][row]. Rows past the end repeat the last row.
LogicalResult RowPanel::packShared() {
  unsigned sum = plan.kLoops.front();
  Value count = kernel.size(plan.loops.sizes[plan.rowLoop]);
  Value steps = kernel.size(plan.loops.sizes[sum]);
  Value last = b.createOrFold<arith::SubIOp>(count, indexConstant(kernel, 1));
  auto packStep = [&](Value first, Value k) -> FailureOr<Values> {
    Value at = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(first, steps),
        b.createOrFold<arith::MulIOp>(k, indexConstant(kernel, tiling.rows)));
    for (int64_t r = 0; r < tiling.rows; ++r) {
      Values dims(plan.loops.sizes.size(), indexConstant(kernel, 0));
      dims[sum] = k;
      dims[plan.rowLoop] = b.createOrFold<arith::MinUIOp>(
          b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, r)), last);
      ExpressionEmitter elements(kernel, *plan.space, dims);
      FailureOr<Value> element = elements.emit(plan.operandX(), plan.xIndex);
      if (failed(element))
        return failure();
      memref::StoreOp::create(b, plan.widen(*element), memory,
                              ValueRange{b.createOrFold<arith::AddIOp>(
                                  at, indexConstant(kernel, r))});
    }
    return Values();
  };
  return success(succeeded(
      forRange(kernel, indexConstant(kernel, 0), count, tiling.rows, {},
               [&](Value first, ValueRange) {
                 return forRange(
                     kernel, indexConstant(kernel, 0), steps, 1, {},
                     [&](Value k, ValueRange) { return packStep(first, k); });
               })));
}

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

AffineExpr RowPanel::allocateTile(AffineExpr scratch) {
  layOutTile();
  AffineExpr elements = kernel.names.simplify(
      stepsAreContiguous()
          ? rowStride * plan.constant(tiling.outer * tiling.rows)
          : plan.loops.sizes[plan.kLoops.front()] * stepStride);
  memory = viewOf(kernel.size(kernel.names.simplify(scratch)),
                  kernel.size(elements));
  return kernel.names.simplify(
      scratch +
      elements * plan.constant(plan.accumulator.getIntOrFloatBitWidth() / 8));
}

FailureOr<Value> RowPanel::loadLanes(const Values &dims,
                                     ExpressionEmitter::Lanes lanes,
                                     Value mask) {
  ExpressionEmitter elements(kernel, *plan.space, dims, lanes, mask);
  FailureOr<Value> v = elements.emitLanes(plan.operandX(), plan.xIndex);
  return failed(v) ? v : FailureOr<Value>(plan.widen(*v));
}

LogicalResult RowPanel::packTile(Values dims, const Tile &tile) {
  dims[plan.laneLoop] = tile.laneAt.front(); // x does not depend on lanes.
  return stepsAreContiguous() ? packAlongK(dims, tile)
                              : packAlongRows(dims, tile);
}

LogicalResult RowPanel::packAlongK(Values dims, const Tile &tile) {
  unsigned sum = plan.kLoops.front();
  AffineExpr steps = plan.loops.sizes[sum];
  return success(succeeded(forLanes(
      kernel, indexConstant(kernel, 0), kernel.size(steps), tiling.width, steps,
      {}, [&](Value step, Value mask, ValueRange) -> FailureOr<Values> {
        dims[sum] = step;
        for (auto [r, row] : llvm::enumerate(tile.rowAt)) {
          tiling.setRow(dims, row);
          FailureOr<Value> lanes = loadLanes(dims, {sum, tiling.width}, mask);
          if (failed(lanes))
            return failure();
          vector::StoreOp::create(b, *lanes, memory,
                                  offsetOf(indexConstant(kernel, r), step));
        }
        return Values();
      })));
}

LogicalResult RowPanel::packAlongRows(Values dims, const Tile &tile) {
  unsigned sum = plan.kLoops.front();
  Value zero = indexConstant(kernel, 0);
  Value end = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(tile.firstRow, kernel.size(stepStride)),
      kernel.size(plan.loops.sizes[plan.rowLoop]));
  return success(succeeded(forLanes(
      kernel, tile.firstRow, end, tiling.width, {}, {},
      [&](Value row, Value mask, ValueRange) -> FailureOr<Values> {
        dims[plan.rowLoop] = row;
        Value inTile = b.createOrFold<arith::SubIOp>(row, tile.firstRow);
        return forRange(kernel, zero, kernel.size(plan.loops.sizes[sum]), 1, {},
                        [&](Value step, ValueRange) -> FailureOr<Values> {
                          dims[sum] = step;
                          auto lanes = loadLanes(
                              dims, {plan.rowLoop, tiling.width}, mask);
                          if (failed(lanes))
                            return failure();
                          vector::StoreOp::create(b, *lanes, memory,
                                                  offsetOf(inTile, step));
                          return Values();
                        });
      })));
}

LogicalResult RowPanel::packBlock(Values dims, Value begin, Value end,
                                  AffineExpr length, int64_t count,
                                  int64_t paddedRows) {
  unsigned sum = plan.kLoops.front();
  Value zero = indexConstant(kernel, 0);
  dims[plan.laneLoop] = zero; // x does not depend on lanes.
  auto store = [&](Value lanes, Value at) {
    vector::StoreOp::create(b, lanes, memory, at);
  };
  if (stepsAreContiguous()) {
    Value last = indexConstant(kernel, count - 1);
    auto packRow = [&](Value row, ValueRange) {
      dims[plan.rowLoop] = b.createOrFold<arith::MinUIOp>(row, last);
      Value to = b.createOrFold<arith::MulIOp>(row, kernel.size(rowStride));
      return forLanes(
          kernel, begin, end, tiling.width, length, {},
          [&](Value step, Value mask, ValueRange) -> FailureOr<Values> {
            dims[sum] = step;
            FailureOr<Value> lanes = loadLanes(dims, {sum, tiling.width}, mask);
            if (failed(lanes))
              return failure();
            store(*lanes, b.createOrFold<arith::AddIOp>(
                              to, b.createOrFold<arith::SubIOp>(step, begin)));
            return Values();
          });
    };
    return success(succeeded(forRange(
        kernel, zero, indexConstant(kernel, paddedRows), 1, {}, packRow)));
  }
  auto packStep = [&](Value step, ValueRange) {
    dims[sum] = step;
    Value to = b.createOrFold<arith::MulIOp>(
        b.createOrFold<arith::SubIOp>(step, begin), kernel.size(stepStride));
    return forLanes(
        kernel, indexConstant(kernel, 0), indexConstant(kernel, count),
        tiling.width, plan.constant(count), {},
        [&](Value row, Value mask, ValueRange) -> FailureOr<Values> {
          dims[plan.rowLoop] = row;
          FailureOr<Value> lanes =
              loadLanes(dims, {plan.rowLoop, tiling.width}, mask);
          if (failed(lanes))
            return failure();
          store(*lanes, b.createOrFold<arith::AddIOp>(to, row));
          return Values();
        });
  };
  return success(succeeded(forRange(kernel, begin, end, 1, {}, packStep)));
}

FailureOr<Value> RowPanel::element(const Values &dims, const Tile &tile,
                                   int64_t row) {
  if (!memory) {
    ExpressionEmitter elements(kernel, *plan.space, dims);
    FailureOr<Value> element = elements.emit(plan.operandX(), plan.xIndex);
    return failed(element) ? element : FailureOr<Value>(plan.widen(*element));
  }
  Value step = dims[plan.kLoops.front()];
  if (!shared) {
    Value at = offsetOf(indexConstant(kernel, row), step);
    if (tile.packedRows)
      at = b.createOrFold<arith::AddIOp>(tile.packedRows, at);
    return Value(memref::LoadOp::create(b, memory, ValueRange{at}));
  }
  Value steps = kernel.size(plan.loops.sizes[plan.kLoops.front()]);
  Value at = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(tile.firstRow, steps),
      b.createOrFold<arith::MulIOp>(step, indexConstant(kernel, tiling.rows)));
  return Value(memref::LoadOp::create(b, memory,
                                      ValueRange{b.createOrFold<arith::AddIOp>(
                                          at, indexConstant(kernel, row))}));
}

} // namespace tensorc::codegen::simd
