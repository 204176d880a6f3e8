//===- ContractionPackedRows.cpp - x packed by a kernel before the tiles --===//
//
// first kernel, for each block of x:
//   rows of x in tiles, widened: packed[tile][k][row] or packed[tile][row][k]
// second kernel, as in Contraction.cpp, with x read from there
//
// Many tiles of lanes read the same rows of x. Where memory holds these so that
// a tile cannot read them well, they are packed once for all tiles and threads:
// x along its rows, of which a tile has a line or two in each row of memory,
// and x that is narrower than it is multiplied. Blocks are packed as memory
// holds them, so nothing is turned, and whole lines are read.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Tiles of fewer columns do not pay for a copy of x, fewer rows or steps not
/// for a kernel.
static constexpr int64_t fewestColumns = 256, fewestRows = 64, fewestSteps = 64;
/// Of packed x. The second cache holds less, whose rows a tile reads well, and
/// more memory is not worth it.
static constexpr int64_t leastBytes = 1 << 21, mostBytes = 1 << 28;
/// Of a block along the rows: some lines of each row of memory.
static constexpr int64_t tilesOfBlock = 24, stepsOfBlock = 32;
/// Elements that one work item's worth of overhead is spread over.
static constexpr int64_t grainElements = 1 << 15;

AffineExpr ContractionSkeleton::tilesOfX() {
  AffineExpr tiles = loops.sizes[rowLoop].ceilDiv(tiling.rows);
  for (unsigned loop : tiling.batchLoopsOfX())
    tiles = tiles * loops.sizes[loop];
  return kernel.names.simplify(tiles);
}

/// How a tile's rows lie. A line more keeps tiles, or rows, out of each other's
/// places in the cache.
void ContractionSkeleton::layOutPacked() {
  AffineExpr steps = loops.sizes[sumLoops.front()];
  layOutRows();
  AffineExpr elements = stepsApart == constant(1)
                            ? rowsApart * constant(tiling.rows)
                            : steps * stepsApart + constant(tiling.width);
  packedTile = kernel.names.simplify(elements);
}

bool ContractionSkeleton::takesPacked() {
  if (failed(planNest()))
    return false;
  tiling.splitOuterLoops();
  if (sumLoops.size() != 1 || !tiling.sharedLoops.empty() ||
      !isa<FloatType>(accumulator))
    return false;
  for (AffineExpr size : loops.sizes)
    if (!constantOf(size))
      return false;
  auto sizeOf = [&](unsigned loop) { return *constantOf(loops.sizes[loop]); };
  std::optional<bool> alongRows = findRowsOfX();
  if (sizeOf(laneLoop) < fewestColumns || sizeOf(rowLoop) < fewestRows ||
      sizeOf(sumLoops.front()) < fewestSteps || !alongRows)
    return false;
  int64_t bytes = accumulator.getIntOrFloatBitWidth() / 8 * sizeOf(rowLoop) *
                  sizeOf(sumLoops.front());
  for (unsigned loop : tiling.batchLoopsOfX())
    bytes *= sizeOf(loop);
  return bytes <= mostBytes &&
         (widensRows() || (*alongRows && bytes >= leastBytes));
}

/// Where the packed rows from `row` on begin; `row` begins a tile.
Value ContractionSkeleton::packedPlace(const Values &dims, Value row) {
  Value number = indexConstant(kernel, 0);
  for (unsigned loop : tiling.batchLoopsOfX())
    number = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(number, kernel.size(loops.sizes[loop])),
        dims[loop]);
  number = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(
          number, kernel.size(loops.sizes[rowLoop].ceilDiv(tiling.rows))),
      b.createOrFold<arith::DivUIOp>(row, indexConstant(kernel, tiling.rows)));
  return b.createOrFold<arith::MulIOp>(number, kernel.size(packedTile));
}

/// for step in [firstStep, ..): for tile in [firstTile, ..): its rows
LogicalResult ContractionSkeleton::packAlongRows(Values dims, Value firstStep,
                                                 Value firstTile) {
  unsigned sum = sumLoops.front();
  Value count = kernel.size(loops.sizes[rowLoop]);
  auto endOf = [&](Value begin, int64_t size, int64_t all) {
    return b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(begin, indexConstant(kernel, size)),
        indexConstant(kernel, all));
  };
  int64_t numRows = *constantOf(loops.sizes[rowLoop]);
  int64_t vectors = llvm::divideCeil(tiling.rows, tiling.width);
  // Their vectors are all within x.
  int64_t whole =
      std::max<int64_t>(0, numRows - vectors * tiling.width + tiling.rows) /
      tiling.rows;
  Value endTile =
      endOf(firstTile, tilesOfBlock, llvm::divideCeil(numRows, tiling.rows));
  Value endWhole =
      b.createOrFold<arith::MinUIOp>(endTile, indexConstant(kernel, whole));
  auto ofTile = [&](Value tileNumber, bool isWhole) -> FailureOr<Values> {
    Value row = b.createOrFold<arith::MulIOp>(
        tileNumber, indexConstant(kernel, tiling.rows));
    Value to = b.createOrFold<arith::AddIOp>(
        packedPlace(dims, row),
        b.createOrFold<arith::MulIOp>(dims[sum], kernel.size(stepsApart)));
    for (int64_t v = 0; v < vectors; ++v) {
      Values at = dims;
      at[rowLoop] = b.createOrFold<arith::AddIOp>(
          row, indexConstant(kernel, v * tiling.width));
      Value mask = isWhole ? Value()
                           : laneMask(kernel, at[rowLoop], count, tiling.width);
      FailureOr<Value> lanes = wideX(at, {rowLoop, tiling.width}, mask);
      if (failed(lanes))
        return failure();
      vector::StoreOp::create(b, *lanes, wideRows,
                              b.createOrFold<arith::AddIOp>(
                                  to, indexConstant(kernel, v * tiling.width)));
    }
    return Values();
  };
  return success(succeeded(forRange(
      kernel, firstStep,
      endOf(firstStep, stepsOfBlock, *constantOf(loops.sizes[sum])), 1, {},
      [&](Value step, ValueRange) -> FailureOr<Values> {
        dims[sum] = step;
        if (failed(
                forRange(kernel, firstTile, endWhole, 1, {},
                         [&](Value t, ValueRange) { return ofTile(t, true); })))
          return failure();
        return forRange(kernel,
                        b.createOrFold<arith::MaxUIOp>(firstTile, endWhole),
                        endTile, 1, {},
                        [&](Value t, ValueRange) { return ofTile(t, false); });
      })));
}

/// A row of a tile, as far as there is one.
LogicalResult ContractionSkeleton::packAlongSum(Values dims, Value row) {
  unsigned sum = sumLoops.front();
  AffineExpr steps = loops.sizes[sum];
  Value inTile =
      b.createOrFold<arith::RemUIOp>(row, indexConstant(kernel, tiling.rows));
  Value begin = b.createOrFold<arith::AddIOp>(
      packedPlace(dims, b.createOrFold<arith::SubIOp>(row, inTile)),
      b.createOrFold<arith::MulIOp>(inTile, kernel.size(rowsApart)));
  dims[rowLoop] = row;
  return success(succeeded(forLanes(
      kernel, indexConstant(kernel, 0), kernel.size(steps), tiling.width, steps,
      {}, [&](Value step, Value mask, ValueRange) -> FailureOr<Values> {
        dims[sum] = step;
        FailureOr<Value> lanes = wideX(dims, {sum, tiling.width}, mask);
        if (failed(lanes))
          return failure();
        vector::StoreOp::create(b, *lanes, wideRows,
                                b.createOrFold<arith::AddIOp>(begin, step));
        return Values();
      })));
}

FailureOr<KernelSpec> ContractionSkeleton::emitPacking() {
  SmallVector<AffineExpr> work;
  SmallVector<unsigned> batch = tiling.batchLoopsOfX();
  for (unsigned loop : batch)
    work.push_back(loops.sizes[loop]);
  bool alongRows = stepsApart != constant(1);
  unsigned sum = sumLoops.front();
  int64_t tileRows = tilesOfBlock * tiling.rows;
  int64_t elements = *constantOf(loops.sizes[sum]);
  if (alongRows) {
    work.push_back(
        kernel.names.simplify(loops.sizes[sum].ceilDiv(stepsOfBlock)));
    work.push_back(
        kernel.names.simplify(loops.sizes[rowLoop].ceilDiv(tileRows)));
    elements = stepsOfBlock * tileRows;
  } else {
    work.push_back(loops.sizes[rowLoop]);
  }
  auto ofItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work);
    Values dims(loops.sizes.size(), indexConstant(kernel, 0));
    Value last = at.pop_back_val();
    Value step = alongRows ? at.pop_back_val() : Value();
    for (auto [loop, value] : llvm::zip_equal(batch, at))
      dims[loop] = value;
    LogicalResult packed =
        alongRows
            ? packAlongRows(dims,
                            b.createOrFold<arith::MulIOp>(
                                step, indexConstant(kernel, stepsOfBlock)),
                            b.createOrFold<arith::MulIOp>(
                                last, indexConstant(kernel, tilesOfBlock)))
            : packAlongSum(dims, last);
    if (failed(packed))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, ofItem)))
    return failure();
  return kernel.finish(kernel.names.product(work),
                       constant(llvm::divideCeil(grainElements, elements)));
}

bool ContractionSkeleton::planPacked() {
  if (failed(planNest()))
    return false;
  tiling.readSchedule();
  tiling.outer = kernel.scheduled("outer");
  layOutPacked();
  return true;
}

FailureOr<EmittedKernels> ContractionSkeleton::emitPacked(KernelBuilder &to) {
  EmittedKernels result;
  ContractionSkeleton tiles(to);
  if (!tiles.planPacked())
    return failure();
  result.temporaries = {
      {tiles.accumulator,
       to.names.simplify(tiles.tilesOfX() * tiles.packedTile)}};
  KernelBuilder before(to, "_rows");
  before.addTemporaries(result.temporaries);
  to.addTemporaries(result.temporaries);
  ContractionSkeleton rows(before);
  if (!rows.planPacked())
    return failure();
  rows.wideRows = before.temporary(0);
  tiles.wideRows = to.temporary(0);
  FailureOr<KernelSpec> packing = rows.emitPacking();
  FailureOr<KernelSpec> products = tiles.emitTilesOf();
  if (failed(packing) || failed(products))
    return failure();
  result.launches = {*packing, *products};
  return result;
}

const Skeleton contractionPacked = {
    .name = "packed",
    .kind = tx::kinds::contraction,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return ContractionSkeleton(fusion).takesPacked();
        },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return ContractionSkeleton(fusion).offer();
        },
    .emit = ContractionSkeleton::emitPacked,
    .order = contractionOrder,
    // The first kernel writes no result; the second is as in tiles.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
