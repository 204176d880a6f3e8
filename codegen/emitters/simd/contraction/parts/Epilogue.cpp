//===- Epilogue.cpp - Stores a tile's accumulators after its epilogue -----===//

#include "codegen/emitters/simd/contraction/parts/Epilogue.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

bool isResultContiguousAlongRows(ContractionPlan &plan) {
  AffineExpr position = plan.space->linearize(
      plan.outIndex, plan.kernel.dims(plan.kernel.yield().getValues().front()));
  auto isAlong = [&](unsigned loop) {
    auto linear = analysis::linearIn(position, loop, *plan.space);
    return linear && linear->coefficient == plan.constant(1);
  };
  return isAlong(plan.rowLoop) && !isAlong(plan.laneLoop);
}

bool Epilogue::storesTransposed() const {
  return tiling.rows * kernel.costs().minFilledLanesPart >= tiling.width &&
         llvm::isPowerOf2_64(tiling.width) && isResultContiguousAlongRows(plan);
}

void Epilogue::allocate() {
  auto make = [&](int64_t elements) {
    return memref::AllocaOp::create(
        b, MemRefType::get({elements}, plan.accumulator),
        b.getI64IntegerAttr(64));
  };
  accumulators = make(tiling.outer * tiling.rows * tiling.lanes());
  if (storesTransposed())
    block = make(tiling.width * tiling.width);
}

/// Converts accumulators to the element type of the result.
Value Epilogue::rounded(Value sums) {
  Type to = kernelType(plan.dot.getType().getElementType());
  return to == plan.accumulator
             ? sums
             : Value(arith::TruncFOp::create(
                   b, VectorType::get({tiling.width}, to), sums));
}

LogicalResult Epilogue::emit(Values dims, const Row &first, const Tile &tile) {
  if (!first.outer)
    return storeRows(dims, first.row, {}, tile);
  unsigned loop = *tiling.outerRow;
  Value end = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(first.outer,
                                    indexConstant(kernel, tiling.outer)),
      kernel.size(plan.loops.sizes[loop]));
  return success(succeeded(
      forRange(kernel, first.outer, end, 1, {},
               [&](Value at, ValueRange) -> FailureOr<Values> {
                 Value o = b.createOrFold<arith::SubIOp>(at, first.outer);
                 dims[loop] = at;
                 Value inTile = b.createOrFold<arith::MulIOp>(
                     o, indexConstant(kernel, tiling.rows));
                 if (failed(storeRows(dims, first.row, inTile, tile)))
                   return failure();
                 return Values();
               })));
}

/// Stores the tile's rows along the innermost row loop, starting at `firstRow`.
/// `inTile` is the position of `firstRow` in the tile (null: 0).
LogicalResult Epilogue::storeRows(Values dims, Value firstRow, Value inTile,
                                  const Tile &tile) {
  if (storesTransposed())
    return storeTransposedRows(dims, inTile, tile);
  Value end = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(firstRow,
                                    indexConstant(kernel, tiling.rows)),
      kernel.size(plan.loops.sizes[plan.rowLoop]));
  return success(succeeded(forRange(
      kernel, firstRow, end, 1, {},
      [&](Value row, ValueRange) -> FailureOr<Values> {
        Value r = b.createOrFold<arith::SubIOp>(row, firstRow);
        dims[plan.rowLoop] = row;
        if (failed(storeRow(
                dims, inTile ? b.createOrFold<arith::AddIOp>(inTile, r) : r,
                tile)))
          return failure();
        return Values();
      })));
}

LogicalResult Epilogue::storeRow(const Values &dims, Value inTile,
                                 const Tile &tile) {
  int64_t vectors = tile.laneAt.size(), width = tiling.width;
  for (int64_t v = 0; v < vectors; ++v) {
    Values at = dims;
    at[plan.laneLoop] = tile.laneAt[v];
    ExpressionEmitter elements(kernel, *plan.space, at,
                               ExpressionEmitter::Lanes{plan.laneLoop, width},
                               tile.masks[v]);
    Value element0 = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(inTile,
                                      indexConstant(kernel, vectors * width)),
        indexConstant(kernel, v * width));
    Value sum =
        vector::LoadOp::create(b, tiling.vectorType(), accumulators, element0);
    elements.bindValue(plan.dot.getResult(), rounded(sum));
    if (failed(elements.storeOutputs(plan.outIndex)))
      return failure();
  }
  return success();
}

LogicalResult Epilogue::storeTransposedRows(const Values &dims, Value inTile,
                                            const Tile &tile) {
  int64_t vectors = tile.laneAt.size();
  for (int64_t firstRow = 0; firstRow < tiling.rows; firstRow += tiling.width)
    for (int64_t v = 0; v < vectors; ++v)
      if (failed(storeBlock(dims, inTile, tile, firstRow, v)))
        return failure();
  return success();
}

/// Transposes the accumulators of vector `vector` of the tile, for the rows
/// from `firstRow` on, and stores each column with rows as lanes.
LogicalResult Epilogue::storeBlock(Values dims, Value inTile, const Tile &tile,
                                   int64_t firstRow, int64_t vector) {
  int64_t vectors = tile.laneAt.size(), width = tiling.width;
  auto type = tiling.vectorType();
  auto add = [&](Value v, Value w) {
    return b.createOrFold<arith::AddIOp>(v, w);
  };
  Values rows(width, constantOf(b, b.getLoc(), type, 0));
  Value step = indexConstant(kernel, width);
  for (int64_t r = firstRow; r < std::min(firstRow + width, tiling.rows); ++r) {
    Value at = indexConstant(kernel, (r * vectors + vector) * width);
    if (inTile)
      at = add(at, b.createOrFold<arith::MulIOp>(
                       inTile, indexConstant(kernel, vectors * width)));
    rows[r - firstRow] = vector::LoadOp::create(b, type, accumulators, at);
  }
  for (auto [c, column] : llvm::enumerate(transposed(b, rows)))
    vector::StoreOp::create(b, column, block, indexConstant(kernel, c * width));
  dims[plan.rowLoop] = add(tile.firstRow, indexConstant(kernel, firstRow));
  Value mask = maskOfRows(firstRow, tile);
  Value lane0 = tile.laneAt[vector];
  Value count = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::SubIOp>(
          kernel.size(plan.loops.sizes[plan.laneLoop]), lane0),
      step);
  return success(succeeded(forRange(
      kernel, indexConstant(kernel, 0), count, 1, {},
      [&](Value c, ValueRange) -> FailureOr<Values> {
        dims[plan.laneLoop] = add(lane0, c);
        ExpressionEmitter elements(
            kernel, *plan.space, dims,
            ExpressionEmitter::Lanes{plan.rowLoop, width}, mask);
        elements.bindValue(
            plan.dot.getResult(),
            rounded(vector::LoadOp::create(
                b, type, block, b.createOrFold<arith::MulIOp>(c, step))));
        if (failed(elements.storeOutputs(plan.outIndex)))
          return failure();
        return Values();
      })));
}

/// Returns the mask for lanes that are the tile's rows from `first` on. If the
/// number of rows is constant, the mask is, too: a comparison would keep lane
/// numbers in a register that accumulators need.
Value Epilogue::maskOfRows(int64_t first, const Tile &tile) {
  int64_t tileRows = tiling.rows, width = tiling.width;
  AffineExpr size = plan.loops.sizes[plan.rowLoop];
  std::optional<int64_t> count = constantOf(size);
  if (!count) {
    Value all = kernel.size(size);
    auto after = [&](int64_t rows) {
      return b.createOrFold<arith::AddIOp>(tile.firstRow,
                                           indexConstant(kernel, rows));
    };
    Value end = b.createOrFold<arith::MinUIOp>(after(tileRows), all);
    return laneMask(kernel, after(first), end, width);
  }
  auto maskOf = [&](int64_t rows) -> Value {
    SmallVector<bool> exists(width);
    for (auto [lane, set] : llvm::enumerate(exists))
      set = first + static_cast<int64_t>(lane) < rows;
    auto type = VectorType::get({width}, b.getI1Type());
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, exists));
  };
  if (*count % tileRows == 0)
    return maskOf(tileRows);
  if (*count < tileRows)
    return maskOf(*count);
  Value isFull =
      b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ule, tile.firstRow,
                                    indexConstant(kernel, *count - tileRows));
  return arith::SelectOp::create(b, isFull, maskOf(tileRows),
                                 maskOf(*count % tileRows));
}

} // namespace tensorc::codegen::simd
