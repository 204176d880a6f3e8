//===- PairPacking.cpp - Packs bf16 operands in pairs of K steps ----------===//

#include "codegen/emitters/simd/contraction/parts/PairPacking.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/emitters/simd/contraction/amx/Magnitudes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// The elements with which K is padded. Their product is -0, which does not
/// change a sum.
static constexpr int64_t padOfX = 0x8000, padOfY = 0;

static Value pairOf(KernelBuilder &kernel, Value step, int64_t pairsAfter) {
  return kernel.b.createOrFold<arith::AddIOp>(
      kernel.b.createOrFold<arith::DivUIOp>(step, indexConstant(kernel, 2)),
      indexConstant(kernel, pairsAfter));
}

/// Plans the layout. Strides leave room for whole transposed blocks, which may
/// extend past the last pair. Rows of x are padded by one more vector, so that
/// they do not map to the same L1 sets.
void PairPacking::layOut() {
  x.alongRows = *isXContiguousAlongRows(plan);
  y.emplace(ColumnReads::inPlace(plan));
  loads.emplace(plan, tiling, *y, /*packs=*/true);
  pairs = kernel.names.simplify(plan.loops.sizes[kLoop()].ceilDiv(2));
  AffineExpr room = plan.loops.sizes[kLoop()].ceilDiv(2 * tiling.width) *
                    plan.constant(tiling.width);
  x.rowStride = kernel.names.simplify(room + plan.constant(tiling.width));
  x.pairStride = plan.constant(1);
  panels.stride = kernel.names.simplify(room * plan.constant(tiling.lanes()));
}

void PairPacking::beginPanel(Value number) {
  panels.number = number;
  panels.begin =
      b.createOrFold<arith::MulIOp>(number, kernel.size(panels.stride));
}

Value PairPacking::offsetInX(Value row, Value pair) {
  Value at = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(kernel.size(x.rowStride), row),
      b.createOrFold<arith::MulIOp>(kernel.size(x.pairStride), pair));
  return x.begin ? b.createOrFold<arith::AddIOp>(x.begin, at) : at;
}

Value PairPacking::offsetInPanel(Value pair, int64_t vector) {
  Value inPanel = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(pair,
                                    indexConstant(kernel, tiling.lanes())),
      indexConstant(kernel, vector * tiling.width));
  return b.createOrFold<arith::AddIOp>(panels.begin, inPanel);
}

/// Joins the 16-bit elements of two consecutive K steps into 32-bit words.
Value PairPacking::joined(Value first, Value second) {
  auto wide = [&](Value v) -> Value {
    auto bits = VectorType::get({tiling.width}, b.getI16Type());
    return arith::ExtUIOp::create(
        b, pairType(),
        v.getType() == bits ? v : arith::BitcastOp::create(b, bits, v));
  };
  Value half = constantOf(b, b.getLoc(), pairType(), 16);
  return arith::OrIOp::create(b, arith::ShLIOp::create(b, wide(first), half),
                              wide(second));
}

/// Swaps the halves of each word. Words loaded from memory have the earlier
/// step in the lower half.
Value PairPacking::swapped(Value halves) {
  Value v = vector::BitCastOp::create(b, pairType(), halves);
  Value half = constantOf(b, b.getLoc(), pairType(), 16);
  return arith::OrIOp::create(b, arith::ShLIOp::create(b, v, half),
                              arith::ShRUIOp::create(b, v, half));
}

void PairPacking::beginMinMagnitude() {
  auto type = VectorType::get({2 * tiling.width}, b.getI16Type());
  vector::StoreOp::create(b, constantOf(b, b.getLoc(), type, -1), minMagnitude,
                          minMagnitudeAt);
}

/// Stores a vector of pairs and updates the smallest magnitudes.
void PairPacking::store(Value pairsOfLanes, Value memory, Value at) {
  auto type = VectorType::get({2 * tiling.width}, b.getI16Type());
  vector::StoreOp::create(
      b,
      arith::MinUIOp::create(
          b, magnitudesOf(b, pairsOfLanes),
          vector::LoadOp::create(b, type, minMagnitude, minMagnitudeAt)),
      minMagnitude, minMagnitudeAt);
  vector::StoreOp::create(b, pairsOfLanes, memory, at);
}

Value PairPacking::endMinMagnitude() {
  auto type = VectorType::get({2 * tiling.width}, b.getI16Type());
  Value lanes = vector::LoadOp::create(b, type, minMagnitude, minMagnitudeAt);
  return smallestOf(b, lanes);
}

LogicalResult PairPacking::forEachStep(int64_t count, PackSteps body) {
  Value all = kernel.size(plan.loops.sizes[kLoop()]);
  Value fullEnd = b.createOrFold<arith::SubIOp>(
      all, b.createOrFold<arith::RemUIOp>(all, indexConstant(kernel, count)));
  auto over = [&](Value from, Value to, bool isTail) {
    return forRange(kernel, from, to, count, {},
                    [&](Value step, ValueRange) -> FailureOr<Values> {
                      if (failed(body(step, isTail)))
                        return failure();
                      return Values();
                    });
  };
  if (failed(over(indexConstant(kernel, 0), fullEnd, false)))
    return failure();
  auto steps = dyn_cast<AffineConstantExpr>(plan.loops.sizes[kLoop()]);
  if (steps && steps.getValue() % count == 0)
    return success();
  return success(succeeded(over(fullEnd, all, true)));
}

/// Loads 2 * width consecutive K steps, starting at the step in `dims`, as
/// pairs.
FailureOr<Value> PairPacking::readAlongK(Value v, const Index &index,
                                         const Values &dims, bool isTail,
                                         int64_t pad) {
  Value mask = isTail ? laneMask(kernel, dims[kLoop()],
                                 kernel.size(plan.loops.sizes[kLoop()]),
                                 2 * tiling.width)
                      : Value();
  ExpressionEmitter elements(
      kernel, *plan.space, dims,
      ExpressionEmitter::Lanes{kLoop(), 2 * tiling.width}, mask);
  if (v == plan.dot.getY() && !isTail)
    loads->prefetch.apply(elements, y->kLoops.back());
  FailureOr<Value> halves = elements.emitLanes(v, index);
  if (failed(halves))
    return failure();
  auto type = VectorType::get({2 * tiling.width}, b.getI16Type());
  Value bits = arith::BitcastOp::create(b, type, *halves);
  if (mask)
    bits = arith::SelectOp::create(b, mask, bits,
                                   constantOf(b, b.getLoc(), type, pad));
  return swapped(bits);
}

/// Packs a panel of y if y is contiguous along the lanes.
LogicalResult PairPacking::packAlongLanes(Values dims, const Tile &tile) {
  return forEachStep(2, [&](Value step, bool isTail) -> LogicalResult {
    auto columnsAt = [&](int64_t after) {
      Values at = dims;
      at[kLoop()] =
          b.createOrFold<arith::AddIOp>(step, indexConstant(kernel, after));
      return loads->loadNarrow(at, tile);
    };
    FailureOr<Values> first = columnsAt(0);
    FailureOr<Values> second = Values(
        tiling.vectors,
        constantOf(b, b.getLoc(),
                   VectorType::get({tiling.width}, b.getI16Type()), padOfY));
    if (!isTail)
      second = columnsAt(1);
    if (failed(first) || failed(second))
      return failure();
    for (int64_t v = 0; v < tiling.vectors; ++v) {
      // Clears the lanes past the end, which hold arbitrary values.
      Value joinedLanes = joined((*first)[v], (*second)[v]);
      if (tile.masks[v])
        joinedLanes =
            arith::SelectOp::create(b, tile.masks[v], joinedLanes,
                                    constantOf(b, b.getLoc(), pairType(), 0));
      store(joinedLanes, panels.memory,
            offsetInPanel(pairOf(kernel, step, 0), v));
    }
    return success();
  });
}

/// Packs a panel of y if y is contiguous along K. Blocks of pairs are
/// transposed, in a loop over the tile's vectors.
LogicalResult PairPacking::packAlongK(Values dims, const Tile &tile) {
  auto ofVector = [&](Value lane, ValueRange) -> FailureOr<Values> {
    Values columns = tiling.columnsFrom(
        b.createOrFold<arith::AddIOp>(tile.laneAt.front(), lane));
    auto ofBlock = [&](Value step, bool isTail) -> LogicalResult {
      dims[kLoop()] = step;
      Values block;
      for (Value column : columns) {
        dims[plan.laneLoop] = column;
        FailureOr<Value> steps =
            readAlongK(plan.dot.getY(), y->index, dims, isTail, padOfY);
        if (failed(steps))
          return failure();
        block.push_back(*steps);
      }
      for (auto [p, lanes] : llvm::enumerate(transposed(b, std::move(block))))
        store(lanes, panels.memory,
              b.createOrFold<arith::AddIOp>(
                  offsetInPanel(pairOf(kernel, step, p), 0), lane));
      return success();
    };
    if (failed(forEachStep(2 * tiling.width, ofBlock)))
      return failure();
    return Values();
  };
  return success(succeeded(forRange(kernel, indexConstant(kernel, 0),
                                    indexConstant(kernel, tiling.lanes()),
                                    tiling.width, {}, ofVector)));
}

LogicalResult PairPacking::packPanel(Values dims, const Tile &tile) {
  dims[plan.rowLoop] = indexConstant(kernel, 0); // y does not depend on rows.
  dims[plan.laneLoop] = tile.laneAt.front();
  beginMinMagnitude();
  if (failed(y->alongK ? packAlongK(dims, tile) : packAlongLanes(dims, tile)))
    return failure();
  memref::StoreOp::create(b, endMinMagnitude(), panels.minMagnitude,
                          panels.number);
  return success();
}

LogicalResult PairPacking::packRowsOfX(Values dims, const Tile &tile) {
  return forEachStep(
      2 * tiling.width, [&](Value step, bool isTail) -> LogicalResult {
        dims[kLoop()] = step;
        for (auto [r, row] : llvm::enumerate(tile.rowAt)) {
          tiling.setRow(dims, row);
          FailureOr<Value> lanes =
              readAlongK(plan.dot.getX(), plan.xIndex, dims, isTail, padOfX);
          if (failed(lanes))
            return failure();
          store(*lanes, x.memory,
                offsetInX(indexConstant(kernel, r), pairOf(kernel, step, 0)));
        }
        return success();
      });
}

/// Loads one K step of x as i16, with rows as lanes. In the tail, steps past
/// the end are padding.
FailureOr<Value> PairPacking::columnOfX(const Values &dims, Value step,
                                        bool isTail, Value mask) {
  Value all = kernel.size(plan.loops.sizes[kLoop()]);
  Value last = b.createOrFold<arith::SubIOp>(all, indexConstant(kernel, 1));
  Values at = dims;
  at[kLoop()] = isTail ? Value(arith::MinUIOp::create(b, step, last)) : step;
  ExpressionEmitter elements(
      kernel, *plan.space, at,
      ExpressionEmitter::Lanes{plan.rowLoop, tiling.width}, mask);
  FailureOr<Value> column = elements.emitLanes(plan.dot.getX(), plan.xIndex);
  if (failed(column))
    return failure();
  auto type = VectorType::get({tiling.width}, b.getI16Type());
  Value bits = arith::BitcastOp::create(b, type, *column);
  Value pad = constantOf(b, b.getLoc(), type, padOfX);
  if (mask)
    bits = arith::SelectOp::create(b, mask, bits, pad);
  if (!isTail)
    return bits;
  Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, step, all);
  return Value(arith::SelectOp::create(b, exists, bits, pad));
}

/// Packs an x whose consecutive rows are adjacent in memory, not its consecutive
/// steps of K. Blocks of pairs are transposed.
LogicalResult PairPacking::packColumnsOfX(Values dims, const Tile &tile) {
  Value mask =
      laneMask(kernel, tile.firstRow,
               kernel.size(plan.loops.sizes[plan.rowLoop]), tiling.width);
  dims[plan.rowLoop] = tile.firstRow;
  return forEachStep(
      2 * tiling.width, [&](Value step, bool isTail) -> LogicalResult {
        auto columnAt = [&](int64_t after) {
          return columnOfX(
              dims,
              b.createOrFold<arith::AddIOp>(step, indexConstant(kernel, after)),
              isTail, mask);
        };
        Values block;
        for (int64_t p = 0; p < tiling.width; ++p) {
          FailureOr<Value> first = columnAt(2 * p),
                           second = columnAt(2 * p + 1);
          if (failed(first) || failed(second))
            return failure();
          block.push_back(joined(*first, *second));
        }
        Values rows = transposed(b, std::move(block));
        for (int64_t r = 0; r < tiling.rows; ++r) {
          store(rows[r], x.memory,
                offsetInX(indexConstant(kernel, r), pairOf(kernel, step, 0)));
        }
        return success();
      });
}

LogicalResult PairPacking::packStepOfX(Values dims, Value number, Value step,
                                       bool isTail) {
  int64_t count = *constantOf(plan.loops.sizes[plan.rowLoop]);
  int64_t vectors = llvm::divideCeil(tiling.rows, tiling.width);
  // Number of tiles whose vectors lie within the rows of x, although the last
  // vector of a tile may exceed the tile.
  int64_t numFullTiles =
      std::max<int64_t>(0, count - vectors * tiling.width + tiling.rows) /
      tiling.rows;
  Value row =
      b.createOrFold<arith::MulIOp>(number, indexConstant(kernel, tiling.rows));
  auto ofTile = [&](bool isFull) -> LogicalResult {
    for (int64_t v = 0; v < vectors; ++v) {
      dims[plan.rowLoop] = b.createOrFold<arith::AddIOp>(
          row, indexConstant(kernel, v * tiling.width));
      Value mask = isFull
                       ? Value()
                       : laneMask(kernel, dims[plan.rowLoop],
                                  indexConstant(kernel, count), tiling.width);
      Value next =
          b.createOrFold<arith::AddIOp>(step, indexConstant(kernel, 1));
      FailureOr<Value> first = columnOfX(dims, step, isTail, mask),
                       second = columnOfX(dims, next, isTail, mask);
      if (failed(first) || failed(second))
        return failure();
      store(joined(*first, *second), x.memory,
            offsetInX(indexConstant(kernel, v * tiling.width),
                      pairOf(kernel, step, 0)));
    }
    return success();
  };
  auto ifOp = scf::IfOp::create(
      b,
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number,
                            indexConstant(kernel, numFullTiles)),
      /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  if (failed(ofTile(true)))
    return failure();
  b.setInsertionPointToStart(ifOp.elseBlock());
  return ofTile(false);
}

LogicalResult PairPacking::packX(Values dims, const Row &first, Value lane0) {
  Tile tile;
  tiling.placeRows(first, tile);
  dims[plan.laneLoop] = lane0; // x does not depend on lanes.
  beginMinMagnitude();
  if (failed(x.alongRows ? packColumnsOfX(dims, tile)
                         : packRowsOfX(dims, tile)))
    return failure();
  x.minMagnitude = endMinMagnitude();
  return success();
}

} // namespace tensorc::codegen::simd
