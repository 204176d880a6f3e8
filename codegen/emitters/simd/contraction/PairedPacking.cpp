//===- PairedPacking.cpp - Operands of bf16 as pairs of steps -------------===//
//
// Columns of y in the panel, and a tile's rows of x: the earlier step of a pair
// in the higher half. Where memory holds an operand along the sum, two steps
// lie side by side in one word; y is turned by words.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/emitters/simd/contraction/PairedContraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// Factors that pad a sum: their product, -0, changes no sum.
static constexpr int64_t padOfX = 0x8000, padOfY = 0;

Value PairedContraction::panelAt(Value pair, int64_t vector) {
  Value inPanel = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(pair,
                                    indexConstant(kernel, tiling.lanes())),
      indexConstant(kernel, vector * tiling.width));
  return b.createOrFold<arith::AddIOp>(panelBegin, inPanel);
}

static Value pairOf(KernelBuilder &kernel, Value step, int64_t pairsBehind) {
  return kernel.b.createOrFold<arith::AddIOp>(
      kernel.b.createOrFold<arith::DivUIOp>(step, indexConstant(kernel, 2)),
      indexConstant(kernel, pairsBehind));
}

/// `count` steps of the sum at a time, and then those that are left.
LogicalResult PairedContraction::overSteps(int64_t count, PackSteps body) {
  Value all = kernel.size(loops.sizes[sumLoop()]);
  Value whole = b.createOrFold<arith::SubIOp>(
      all, b.createOrFold<arith::RemUIOp>(all, indexConstant(kernel, count)));
  auto over = [&](Value from, Value to, bool isTail) {
    return forRange(kernel, from, to, count, {},
                    [&](Value step, ValueRange) -> FailureOr<Values> {
                      if (failed(body(step, isTail)))
                        return failure();
                      return Values();
                    });
  };
  if (failed(over(indexConstant(kernel, 0), whole, false)))
    return failure();
  auto steps = dyn_cast<AffineConstantExpr>(loops.sizes[sumLoop()]);
  if (steps && steps.getValue() % count == 0)
    return success();
  return success(succeeded(over(whole, all, true)));
}

/// Two vectors of steps from that in `dims` on, as pairs.
FailureOr<Value> PairedContraction::readAlongSum(Value v, const Index &index,
                                                 const Values &dims,
                                                 bool isTail, int64_t pad) {
  Value mask =
      isTail ? laneMask(kernel, dims[sumLoop()],
                        kernel.size(loops.sizes[sumLoop()]), 2 * tiling.width)
             : Value();
  ExpressionEmitter elements(
      kernel, *space, dims,
      ExpressionEmitter::Lanes{sumLoop(), 2 * tiling.width}, mask);
  if (v == dot.getY() && !isTail)
    askAhead(elements);
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

/// Memory holds y along the lanes.
LogicalResult PairedContraction::packAcross(Values dims, const Tile &place) {
  return overSteps(2, [&](Value step, bool isTail) -> LogicalResult {
    auto columnsAt = [&](int64_t behind) {
      Values at = dims;
      at[sumLoop()] =
          b.createOrFold<arith::AddIOp>(step, indexConstant(kernel, behind));
      return narrowColumnsOf(at, place);
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
      // Lanes that are not there are computed on anything.
      Value joinedLanes = joined((*first)[v], (*second)[v]);
      if (place.masks[v])
        joinedLanes =
            arith::SelectOp::create(b, place.masks[v], joinedLanes,
                                    constantOf(b, b.getLoc(), pairType(), 0));
      store(joinedLanes, panel, panelAt(pairOf(kernel, step, 0), v));
    }
    return success();
  });
}

/// Memory holds y along the sum: blocks are turned as pairs, by one piece of
/// code for all vectors of the tile.
LogicalResult PairedContraction::packAlong(Values dims, const Tile &place) {
  auto ofVector = [&](Value lane, ValueRange) -> FailureOr<Values> {
    Values columns = tiling.columnsFrom(
        b.createOrFold<arith::AddIOp>(place.laneAt.front(), lane));
    auto ofBlock = [&](Value step, bool isTail) -> LogicalResult {
      dims[sumLoop()] = step;
      Values block;
      for (Value column : columns) {
        dims[laneLoop] = column;
        FailureOr<Value> steps =
            readAlongSum(dot.getY(), y->index, dims, isTail, padOfY);
        if (failed(steps))
          return failure();
        block.push_back(*steps);
      }
      for (auto [p, lanes] : llvm::enumerate(transposed(b, std::move(block))))
        store(lanes, panel,
              b.createOrFold<arith::AddIOp>(panelAt(pairOf(kernel, step, p), 0),
                                            lane));
      return success();
    };
    if (failed(overSteps(2 * tiling.width, ofBlock)))
      return failure();
    return Values();
  };
  return success(succeeded(forRange(kernel, indexConstant(kernel, 0),
                                    indexConstant(kernel, tiling.lanes()),
                                    tiling.width, {}, ofVector)));
}

LogicalResult PairedContraction::packPanel(Values dims, const Tile &place) {
  dims[rowLoop] = indexConstant(kernel, 0); // y does not depend on rows
  dims[laneLoop] = place.laneAt.front();
  beginLeast();
  if (failed(y->alongSum ? packAlong(dims, place) : packAcross(dims, place)))
    return failure();
  memref::StoreOp::create(b, endLeast(), leastOfPanels, panelNumber);
  return success();
}

/// Memory holds x along the sum.
LogicalResult PairedContraction::packRowsOfX(Values dims, const Tile &place) {
  return overSteps(
      2 * tiling.width, [&](Value step, bool isTail) -> LogicalResult {
        dims[sumLoop()] = step;
        for (auto [r, row] : llvm::enumerate(place.rowAt)) {
          tiling.setRow(dims, row);
          FailureOr<Value> lanes =
              readAlongSum(dot.getX(), xIndex, dims, isTail, padOfX);
          if (failed(lanes))
            return failure();
          store(*lanes, xPairs,
                placeInX(indexConstant(kernel, r), pairOf(kernel, step, 0)));
        }
        return success();
      });
}

/// Of one step, a row in each lane, as i16; in the tail perhaps a step that is
/// not there.
FailureOr<Value> PairedContraction::columnOfX(const Values &dims, Value step,
                                              bool isTail, Value mask) {
  Value all = kernel.size(loops.sizes[sumLoop()]);
  Value last = b.createOrFold<arith::SubIOp>(all, indexConstant(kernel, 1));
  Values at = dims;
  at[sumLoop()] = isTail ? Value(arith::MinUIOp::create(b, step, last)) : step;
  ExpressionEmitter elements(kernel, *space, at,
                             ExpressionEmitter::Lanes{rowLoop, tiling.width},
                             mask);
  FailureOr<Value> column = elements.emitLanes(dot.getX(), xIndex);
  if (failed(column))
    return failure();
  auto type = VectorType::get({tiling.width}, b.getI16Type());
  Value bits = arith::BitcastOp::create(b, type, *column);
  Value pad = constantOf(b, b.getLoc(), type, padOfX);
  if (mask)
    bits = arith::SelectOp::create(b, mask, bits, pad);
  if (!isTail)
    return bits;
  Value isThere =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, step, all);
  return Value(arith::SelectOp::create(b, isThere, bits, pad));
}

/// Memory holds x along the rows: blocks are turned as pairs.
LogicalResult PairedContraction::packColumnsOfX(Values dims,
                                                const Tile &place) {
  Value mask = laneMask(kernel, place.firstRow,
                        kernel.size(loops.sizes[rowLoop]), tiling.width);
  dims[rowLoop] = place.firstRow;
  return overSteps(
      2 * tiling.width, [&](Value step, bool isTail) -> LogicalResult {
        auto columnAt = [&](int64_t behind) {
          return columnOfX(dims,
                           b.createOrFold<arith::AddIOp>(
                               step, indexConstant(kernel, behind)),
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
        Values turned = transposed(b, std::move(block));
        for (int64_t r = 0; r < tiling.rows; ++r) {
          store(turned[r], xPairs,
                placeInX(indexConstant(kernel, r), pairOf(kernel, step, 0)));
        }
        return success();
      });
}

/// Memory holds x along the rows: two steps of a tile's, as they lie there. The
/// lanes behind its rows are other rows, or none.
LogicalResult PairedContraction::packStepOfX(Values dims, Value number,
                                             Value step, bool isTail) {
  int64_t count = *constantOf(loops.sizes[rowLoop]);
  int64_t vectors = llvm::divideCeil(tiling.rows, tiling.width);
  // Tiles whose vectors are all within x.
  int64_t whole =
      std::max<int64_t>(0, count - vectors * tiling.width + tiling.rows) /
      tiling.rows;
  Value row =
      b.createOrFold<arith::MulIOp>(number, indexConstant(kernel, tiling.rows));
  auto ofTile = [&](bool isWhole) -> LogicalResult {
    for (int64_t v = 0; v < vectors; ++v) {
      dims[rowLoop] = b.createOrFold<arith::AddIOp>(
          row, indexConstant(kernel, v * tiling.width));
      Value mask = isWhole
                       ? Value()
                       : laneMask(kernel, dims[rowLoop],
                                  indexConstant(kernel, count), tiling.width);
      Value next =
          b.createOrFold<arith::AddIOp>(step, indexConstant(kernel, 1));
      FailureOr<Value> first = columnOfX(dims, step, isTail, mask),
                       second = columnOfX(dims, next, isTail, mask);
      if (failed(first) || failed(second))
        return failure();
      store(joined(*first, *second), xPairs,
            placeInX(indexConstant(kernel, v * tiling.width),
                     pairOf(kernel, step, 0)));
    }
    return success();
  };
  auto ifOp = scf::IfOp::create(
      b,
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number,
                            indexConstant(kernel, whole)),
      /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  if (failed(ofTile(true)))
    return failure();
  b.setInsertionPointToStart(ifOp.elseBlock());
  return ofTile(false);
}

LogicalResult PairedContraction::packX(Values dims, const Row &first,
                                       Value lane0) {
  Tile place;
  tiling.placeRows(first, place);
  dims[laneLoop] = lane0; // x does not depend on lanes
  beginLeast();
  if (failed(xAlongRows ? packColumnsOfX(dims, place)
                        : packRowsOfX(dims, place)))
    return failure();
  leastOfX = endLeast();
  return success();
}

} // namespace tensorc::codegen::simd
