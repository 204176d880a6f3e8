//===- ContractionRows.cpp - A contraction's rows of x, in tiles ----------===//

#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Of a copy of x: it stays in the cache beside y, which is read past it.
static constexpr int64_t mostRowBytes = 1 << 20;
/// With fewer, a copy of x is more work than it saves.
static constexpr int64_t fewestWideSteps = 16;

void ContractionSkeleton::walkMemoryOfX(
    llvm::function_ref<void(BlockArgument, const analysis::Index &)> visit) {
  analysis::walkReads(
      operandX(), xIndex, *space, [&](Value s) { return kernel.symbolOf(s); },
      [](Value) { return false; },
      [&](Value v, const analysis::Index &index) {
        auto argument = dyn_cast<BlockArgument>(v);
        if (argument && !kernel.isScalar(argument))
          visit(argument, index);
      },
      [](const analysis::Guard &) {});
}

/// Whether memory holds x's rows so far apart that they collide.
bool ContractionSkeleton::rowsCollide() {
  bool collide = false;
  walkMemoryOfX([&](BlockArgument argument, const analysis::Index &index) {
    auto linear = analysis::linearIn(
        space->linearize(index, kernel.dims(argument)), rowLoop, *space);
    auto apart = linear ? dyn_cast<AffineConstantExpr>(linear->coefficient)
                        : AffineConstantExpr();
    int64_t bytes = apart ? apart.getValue() * bytesOf(argument) : 0;
    collide |= bytes != 0 && bytes % collidingBytes == 0;
  });
  return collide;
}

/// Makes room for x in tiles where y is packed and several tiles of lanes read
/// x; the scratch it needs.
AffineExpr ContractionSkeleton::planRows() {
  auto count = dyn_cast<AffineConstantExpr>(loops.sizes[rowLoop]);
  auto steps = dyn_cast<AffineConstantExpr>(loops.sizes[sumLoops.front()]);
  bool changesX = llvm::any_of(tiling.batchLoops, [&](unsigned loop) {
    return roles[loops.innermost[loop]] != Role::Lane;
  });
  if (!liesAsPanel(tiling.lanes()) || changesX || !tiling.sharedLoops.empty() ||
      sumLoops.size() > 1 || !count || !steps || tiling.rows < 2)
    return {};
  int64_t elements =
      llvm::alignTo(count.getValue(), tiling.rows) * steps.getValue();
  int64_t each = accumulator.getIntOrFloatBitWidth() / 8;
  int64_t bytes = elements * each;
  if (bytes > mostRowBytes || steps.getValue() * each % collidingBytes != 0)
    return {};
  rowPanel = memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, accumulator), kernel.scratch(),
      indexConstant(kernel, 0), ValueRange{indexConstant(kernel, elements)});
  return constant(bytes);
}

/// Fills it. Rows past the end repeat the last one.
LogicalResult ContractionSkeleton::packRows() {
  Value count = kernel.size(loops.sizes[rowLoop]);
  Value steps = kernel.size(loops.sizes[sumLoops.front()]);
  Value last = b.createOrFold<arith::SubIOp>(count, indexConstant(kernel, 1));
  auto ofStep = [&](Value first, Value k) -> FailureOr<Values> {
    Value at = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(first, steps),
        b.createOrFold<arith::MulIOp>(k, indexConstant(kernel, tiling.rows)));
    for (int64_t r = 0; r < tiling.rows; ++r) {
      Values dims(loops.sizes.size(), indexConstant(kernel, 0));
      dims[sumLoops.front()] = k;
      dims[rowLoop] = b.createOrFold<arith::MinUIOp>(
          b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, r)), last);
      ExpressionEmitter elements(kernel, *space, dims);
      FailureOr<Value> element = elements.emit(operandX(), xIndex);
      if (failed(element))
        return failure();
      memref::StoreOp::create(b, widen(*element), rowPanel,
                              ValueRange{b.createOrFold<arith::AddIOp>(
                                  at, indexConstant(kernel, r))});
    }
    return Values();
  };
  return success(succeeded(forRange(
      kernel, indexConstant(kernel, 0), count, tiling.rows, {},
      [&](Value first, ValueRange) {
        return forRange(kernel, indexConstant(kernel, 0), steps, 1, {},
                        [&](Value k, ValueRange) { return ofStep(first, k); });
      })));
}

std::optional<bool> ContractionSkeleton::findRowsOfX() {
  bool alongSum = true, alongRows = true;
  walkMemoryOfX([&](BlockArgument argument, const analysis::Index &index) {
    AffineExpr position = space->linearize(index, kernel.dims(argument));
    auto isAlong = [&](unsigned loop) {
      auto linear = analysis::linearIn(position, loop, *space);
      return linear && (linear->coefficient == constant(0) ||
                        linear->coefficient == constant(1));
    };
    alongSum &= isAlong(sumLoops.back());
    alongRows &= isAlong(rowLoop);
  });
  if (!alongSum && !alongRows)
    return std::nullopt;
  return !alongSum;
}

/// Whether tiles copy their rows of x, to widen each element once: several
/// vectors of it take no more time than one.
bool ContractionSkeleton::widensRows() {
  auto steps = dyn_cast<AffineConstantExpr>(loops.sizes[sumLoops.front()]);
  if (sumLoops.size() != 1 || (steps && steps.getValue() < fewestWideSteps))
    return false;
  bool isNarrow = false;
  walkMemoryOfX([&](BlockArgument argument, const analysis::Index &) {
    isNarrow |= bytesOf(argument) * 8 < accumulator.getIntOrFloatBitWidth();
  });
  std::optional<bool> alongRows = findRowsOfX();
  return isNarrow && alongRows && !(*alongRows && tiling.outer > 1);
}

/// How a copy of a tile's rows lies: as memory holds them.
void ContractionSkeleton::layOutRows() {
  AffineExpr steps = loops.sizes[sumLoops.front()];
  if (*findRowsOfX()) {
    rowsApart = constant(1);
    stepsApart = constant(llvm::alignTo(tiling.rows, tiling.width));
  } else {
    // A line more keeps rows out of each other's places in the cache.
    rowsApart = kernel.names.simplify(steps.ceilDiv(tiling.width) *
                                          constant(tiling.width) +
                                      constant(tiling.width));
    stepsApart = constant(1);
  }
}

/// Makes room for a tile's rows behind the panel; all the scratch.
AffineExpr ContractionSkeleton::planWideRows(AffineExpr scratch) {
  if (packedTile || !panel || !widensRows())
    return scratch;
  layOutRows();
  AffineExpr elements = kernel.names.simplify(
      stepsApart == constant(1)
          ? rowsApart * constant(tiling.outer * tiling.rows)
          : loops.sizes[sumLoops.front()] * stepsApart);
  wideRows = memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, accumulator), kernel.scratch(),
      kernel.size(kernel.names.simplify(scratch)),
      ValueRange{kernel.size(elements)});
  return kernel.names.simplify(
      scratch + elements * constant(accumulator.getIntOrFloatBitWidth() / 8));
}

FailureOr<Value> ContractionSkeleton::wideX(const Values &dims,
                                            ExpressionEmitter::Lanes lanes,
                                            Value mask) {
  ExpressionEmitter elements(kernel, *space, dims, lanes, mask);
  FailureOr<Value> v = elements.emitLanes(operandX(), xIndex);
  return failed(v) ? v : FailureOr<Value>(widen(*v));
}

/// Fills it along x's memory. Rows and steps that are not there have any value.
LogicalResult ContractionSkeleton::widenRows(Values dims, const Tile &place) {
  unsigned sum = sumLoops.front();
  AffineExpr steps = loops.sizes[sum];
  dims[laneLoop] = place.laneAt.front(); // x does not depend on lanes
  Value zero = indexConstant(kernel, 0);
  auto times = [&](Value v, AffineExpr apart) {
    return b.createOrFold<arith::MulIOp>(v, kernel.size(apart));
  };
  auto store = [&](Value lanes, Value row, Value step) {
    vector::StoreOp::create(
        b, lanes, wideRows,
        b.createOrFold<arith::AddIOp>(times(row, rowsApart),
                                      times(step, stepsApart)));
  };
  if (stepsApart == constant(1))
    return success(succeeded(forLanes(
        kernel, zero, kernel.size(steps), tiling.width, steps, {},
        [&](Value step, Value mask, ValueRange) -> FailureOr<Values> {
          dims[sum] = step;
          for (auto [r, row] : llvm::enumerate(place.rowAt)) {
            tiling.setRow(dims, row);
            FailureOr<Value> lanes = wideX(dims, {sum, tiling.width}, mask);
            if (failed(lanes))
              return failure();
            store(*lanes, indexConstant(kernel, r), step);
          }
          return Values();
        })));
  Value end = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(place.firstRow, kernel.size(stepsApart)),
      kernel.size(loops.sizes[rowLoop]));
  return success(succeeded(forLanes(
      kernel, place.firstRow, end, tiling.width, {}, {},
      [&](Value row, Value mask, ValueRange) -> FailureOr<Values> {
        dims[rowLoop] = row;
        Value inTile = b.createOrFold<arith::SubIOp>(row, place.firstRow);
        return forRange(kernel, zero, kernel.size(steps), 1, {},
                        [&](Value step, ValueRange) -> FailureOr<Values> {
                          dims[sum] = step;
                          auto lanes =
                              wideX(dims, {rowLoop, tiling.width}, mask);
                          if (failed(lanes))
                            return failure();
                          store(*lanes, inTile, step);
                          return Values();
                        });
      })));
}

/// x in the tile's `row` at the step of the sum in `dims`.
FailureOr<Value> ContractionSkeleton::elementOfX(const Values &dims,
                                                 const Tile &place,
                                                 int64_t row) {
  if (wideRows) {
    auto times = [&](Value v, AffineExpr apart) {
      return b.createOrFold<arith::MulIOp>(v, kernel.size(apart));
    };
    Value at = b.createOrFold<arith::AddIOp>(
        times(indexConstant(kernel, row), rowsApart),
        times(dims[sumLoops.front()], stepsApart));
    if (place.packedRows)
      at = b.createOrFold<arith::AddIOp>(place.packedRows, at);
    return Value(memref::LoadOp::create(b, wideRows, ValueRange{at}));
  }
  if (!rowPanel) {
    ExpressionEmitter elements(kernel, *space, dims);
    FailureOr<Value> element = elements.emit(operandX(), xIndex);
    return failed(element) ? element : FailureOr<Value>(widen(*element));
  }
  Value steps = kernel.size(loops.sizes[sumLoops.front()]);
  Value at = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(place.firstRow, steps),
      b.createOrFold<arith::MulIOp>(dims[sumLoops.front()],
                                    indexConstant(kernel, tiling.rows)));
  return Value(memref::LoadOp::create(b, rowPanel,
                                      ValueRange{b.createOrFold<arith::AddIOp>(
                                          at, indexConstant(kernel, row))}));
}

} // namespace tensorc::codegen::simd
