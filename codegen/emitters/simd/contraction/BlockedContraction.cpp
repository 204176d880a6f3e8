//===- BlockedContraction.cpp - Some rows times a large matrix ------------===//
//
// for each run of columns:
//   sums[tile of columns][row] = 0
//   for each block of steps:
//     copy x's rows of the block
//     for each tile of columns:
//       where memory holds y along k: turn the block into a panel
//       for each tile of rows:
//         registers = sums
//         for k in the block: registers += x(row, k) * y(k, ..)
//         sums = registers
//   for each tile of columns, each row: epilogue, store
//
// A sum over all steps at once would read y once for each tile of rows, from
// memory or from a panel that the nearest cache does not hold. A block of a
// tile's columns stays there for all rows. Each step of a tile asks for a part
// of the next tile's columns, so that memory is read while sums are added to.
// Each sum takes its steps in the order of k, as in a tile.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Sweep.h"
#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// Fewer rows leave no time for more than reading y (ContractionSweep.cpp).
/// With more a panel for the whole sum is filled for enough of them.
static constexpr int64_t fewestRows = 4, mostRows = 64;
/// A tile of fewer multiplies squares of y as they are turned.
static constexpr int64_t fewestTurnedRows = 11;
/// Steps of a block of one tile of rows. Several tiles pay for twice as many.
static constexpr int64_t stepsOfBlock = 64;
static constexpr int64_t mostVectors = 8;
static constexpr int64_t lineBytes = 64;
/// Of a run: long enough for a processor to look ahead within a row of memory.
/// Fewer runs do not occupy threads.
static constexpr int64_t runBytes = 4096, enoughRuns = 8;
/// Multiply-adds of a grain: about 5 us (docs/design/0098).
static constexpr int64_t grainFlops = 524288;

namespace {

class BlockedContraction : public ContractionSkeleton {
public:
  using ContractionSkeleton::ContractionSkeleton;

  bool matches();
  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emit();

private:
  /// Rows with those that fill the last tile, columns of a run in tiles.
  int64_t count = 0, paddedRows = 0, tilesOfRun = 0;
  int64_t blockSteps = 0, steps = 0, columns = 0;
  /// A block of a tile's columns where memory holds y along the sum: it begins
  /// behind a vector's worth of steps, as the last square begins early enough
  /// to be whole. Null: y is read in place.
  Value turnedBlock;
  /// What is read of y from step to step.
  SmallVector<std::pair<BlockArgument, AffineExpr>> memoryOfY;

  /// A tile's columns: where those that it stores begin, and which of the run's
  /// tiles it is.
  struct Columns {
    Tile place;
    Value begin, number;
  };

  Value add(Value v, Value w) { return b.createOrFold<arith::AddIOp>(v, w); }
  Value times(Value v, int64_t n) {
    return b.createOrFold<arith::MulIOp>(v, indexConstant(kernel, n));
  }
  int64_t mostTileRows() { return kernel.target.getNumVectorRegisters() / 4; }
  void planMemoryOfY();
  void layOut();
  AffineExpr makeScratch();
  LogicalResult copyRows(Values dims, Value begin, Value end);
  LogicalResult copyAlongSum(Values dims, Value begin, Value end);
  LogicalResult copyAlongRows(Values dims, Value begin, Value end);
  void ask(const Values &next, Value step, Value tileOfRows);
  LogicalResult turnBlock(Values dims, const Columns &tile, Value begin,
                          Value end);
  Value placeInBlock(Value inBlock, Value vector);
  FailureOr<Values> columnsOfStep(const Values &dims, const Tile &place,
                                  Value inBlock);
  Columns columnsAt(Value begin, Value number);
  Values masksOf(const Columns &tile);
  FailureOr<Values>
  overTilesOf(Value begin, Value end,
              llvm::function_ref<LogicalResult(const Columns &tile)> body);
  LogicalResult sumBlock(Values dims, Value runBegin, Value runEnd,
                         Value begin);
  LogicalResult sumRows(const Values &dims, const Columns &tile,
                        Value tileOfRows, Value begin, Value end,
                        const Values &next);
  LogicalResult emitRun(const Values &dims, Value begin, Value end);
};

} // namespace

bool BlockedContraction::matches() {
  if (failed(planNest()))
    return false;
  tiling.splitOuterLoops();
  auto numRows = constantOf(loops.sizes[rowLoop]),
       numColumns = constantOf(loops.sizes[laneLoop]),
       numSteps = constantOf(loops.sizes[sumLoops.front()]);
  if (!tiling.sharedLoops.empty() || sumLoops.size() != 1 || !numRows ||
      !numColumns || !numSteps || *numRows < fewestRows || *numRows > mostRows)
    return false;
  tiling.rows = *numRows;
  tiling.width = kernel.target.getLanes(accumulator);
  ReadLoops reads = loopsInPlace();
  int64_t bytes = reads.elementBytes;
  bool isTurned =
      reads.alongSum && reads.bytes.empty() && *numRows >= fewestTurnedRows;
  // Each tile of rows would compute y again.
  bool isRead = reads.alongLanes &&
                (isa<BlockArgument>(dot.getY()) || *numRows <= mostTileRows());
  return (isRead || isTurned) && bytes >= 4 && *numSteps >= 2 * stepsOfBlock &&
         *numColumns * bytes >= fewestSweptBytes && findRowsOfX() &&
         !epilogue.storesTransposed() &&
         *numColumns * *numSteps * bytes >
             2 * static_cast<int64_t>(kernel.target.getL2Bytes());
}

/// Tiles share rows evenly, and have as many vectors as registers hold beside
/// one of columns each and an element of x.
FailureOr<Offers> BlockedContraction::offer() {
  if (failed(planNest()))
    return failure();
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t all = *constantOf(loops.sizes[rowLoop]);
  int64_t few = stepsOfBlock, many = 2 * stepsOfBlock;
  int64_t best = all > mostTileRows() ? many : few;
  Offers offers;
  for (auto [most, steps] :
       {std::pair(mostTileRows(), best), std::pair(mostTileRows(), few),
        std::pair(mostTileRows(), many), std::pair(registers / 8, best)}) {
    int64_t each = llvm::divideCeil(all, llvm::divideCeil(all, most));
    int64_t vectors =
        std::clamp<int64_t>((registers - 1) / (each + 1), 1, mostVectors);
    offers.push_back({{"rows", each},
                      {"vectors", vectors},
                      {"steps", steps},
                      {"lanes", kernel.target.getLanes(accumulator)}});
  }
  return offers;
}

void BlockedContraction::planMemoryOfY() {
  unsigned sum = sumLoops.front();
  analysis::walkReads(
      dot.getY(), y->index, *y->space,
      [&](Value s) { return kernel.symbolOf(s); }, [](Value) { return false; },
      [&](Value v, const Index &index) {
        auto argument = dyn_cast<BlockArgument>(v);
        if (!argument || kernel.isScalar(argument))
          return;
        AffineExpr position = y->space->linearize(index, kernel.dims(argument));
        if (position.isFunctionOfDim(sum) &&
            position.isFunctionOfDim(y->laneLoop))
          memoryOfY.push_back({argument, position});
      },
      [](const analysis::Guard &) {});
}

void BlockedContraction::layOut() {
  tiling.rows = kernel.scheduled("rows");
  tiling.vectors = kernel.scheduled("vectors");
  blockSteps = kernel.scheduled("steps");
  tiling.width = kernel.scheduled("lanes");
  count = *constantOf(loops.sizes[rowLoop]);
  columns = *constantOf(loops.sizes[laneLoop]);
  steps = *constantOf(loops.sizes[sumLoops.front()]);
  paddedRows = llvm::alignTo(count, tiling.rows);
  int64_t lanes = tiling.lanes();
  int64_t tiles = llvm::divideCeil(columns, lanes);
  int64_t most = std::max<int64_t>(runBytes / (lanes * y->elementBytes), 1);
  tilesOfRun = std::min<int64_t>(llvm::divideCeil(tiles, enoughRuns), most);
  // A line more keeps rows out of each other's places in the cache.
  if (*findRowsOfX()) {
    rowsApart = constant(1);
    stepsApart = constant(llvm::alignTo(paddedRows, tiling.width));
  } else {
    rowsApart =
        constant(llvm::alignTo(blockSteps, tiling.width) + tiling.width);
    stepsApart = constant(1);
  }
}

/// Sums, behind them the rows of x, and a block of y.
AffineExpr BlockedContraction::makeScratch() {
  int64_t each = accumulator.getIntOrFloatBitWidth() / 8, bytes = 0;
  auto make = [&](int64_t elements) -> Value {
    Value made = memref::ViewOp::create(
        b, MemRefType::get({ShapedType::kDynamic}, accumulator),
        kernel.scratch(), indexConstant(kernel, bytes),
        ValueRange{indexConstant(kernel, elements)});
    bytes += llvm::alignTo(elements * each, lineBytes);
    return made;
  };
  epilogue.accumulators = make(tilesOfRun * paddedRows * tiling.lanes());
  wideRows =
      make(stepsApart == constant(1) ? *constantOf(rowsApart) * paddedRows
                                     : *constantOf(stepsApart) * blockSteps);
  if (y->alongSum)
    turnedBlock = make((blockSteps + tiling.width) * tiling.lanes());
  return constant(bytes);
}

//===----------------------------------------------------------------------===//
// x
//===----------------------------------------------------------------------===//

LogicalResult BlockedContraction::copyAlongSum(Values dims, Value begin,
                                               Value end) {
  unsigned sum = sumLoops.front();
  Value last = indexConstant(kernel, count - 1);
  AffineExpr length =
      steps % blockSteps == 0 ? constant(blockSteps) : AffineExpr();
  return success(succeeded(forRange(
      kernel, indexConstant(kernel, 0), indexConstant(kernel, paddedRows), 1,
      {}, [&](Value row, ValueRange) {
        dims[rowLoop] = b.createOrFold<arith::MinUIOp>(row, last);
        Value to = b.createOrFold<arith::MulIOp>(row, kernel.size(rowsApart));
        return forLanes(
            kernel, begin, end, tiling.width, length, {},
            [&](Value step, Value mask, ValueRange) -> FailureOr<Values> {
              dims[sum] = step;
              FailureOr<Value> lanes = wideX(dims, {sum, tiling.width}, mask);
              if (failed(lanes))
                return failure();
              vector::StoreOp::create(
                  b, *lanes, wideRows,
                  add(to, b.createOrFold<arith::SubIOp>(step, begin)));
              return Values();
            });
      })));
}

LogicalResult BlockedContraction::copyAlongRows(Values dims, Value begin,
                                                Value end) {
  return success(succeeded(
      forRange(kernel, begin, end, 1, {}, [&](Value step, ValueRange) {
        dims[sumLoops.front()] = step;
        Value to = b.createOrFold<arith::MulIOp>(
            b.createOrFold<arith::SubIOp>(step, begin),
            kernel.size(stepsApart));
        return forLanes(
            kernel, indexConstant(kernel, 0), indexConstant(kernel, count),
            tiling.width, constant(count), {},
            [&](Value row, Value mask, ValueRange) -> FailureOr<Values> {
              dims[rowLoop] = row;
              FailureOr<Value> lanes =
                  wideX(dims, {rowLoop, tiling.width}, mask);
              if (failed(lanes))
                return failure();
              vector::StoreOp::create(b, *lanes, wideRows, add(to, row));
              return Values();
            });
      })));
}

/// Rows and steps that are not there have any value.
LogicalResult BlockedContraction::copyRows(Values dims, Value begin,
                                           Value end) {
  dims[laneLoop] = indexConstant(kernel, 0); // x does not depend on lanes
  return stepsApart == constant(1) ? copyAlongSum(dims, begin, end)
                                   : copyAlongRows(dims, begin, end);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The last tile begins early enough to be whole, as masks would cost a tenth,
/// and computes some sums twice. Only those that no other tile has are stored.
BlockedContraction::Columns BlockedContraction::columnsAt(Value begin,
                                                          Value number) {
  int64_t lanes = tiling.lanes();
  Columns tile;
  tile.number = number;
  tile.begin =
      add(begin,
          b.createOrFold<arith::MulIOp>(number, indexConstant(kernel, lanes)));
  Value first = tile.begin;
  if (columns % lanes != 0)
    first = b.createOrFold<arith::MinUIOp>(
        first, indexConstant(kernel, columns - lanes));
  for (int64_t v = 0; v < tiling.vectors; ++v)
    tile.place.laneAt.push_back(
        add(first, indexConstant(kernel, v * tiling.width)));
  tile.place.masks.resize(tiling.vectors);
  return tile;
}

/// Which lanes of a tile are stored.
Values BlockedContraction::masksOf(const Columns &tile) {
  if (columns % (tiling.lanes()) == 0)
    return tile.place.masks;
  Values masks;
  for (Value lane : tile.place.laneAt) {
    Value before = laneMask(kernel, lane, tile.begin, tiling.width);
    masks.push_back(arith::XOrIOp::create(
        b, before, constantOf(b, b.getLoc(), before.getType(), 1)));
  }
  return masks;
}

FailureOr<Values> BlockedContraction::overTilesOf(
    Value begin, Value end,
    llvm::function_ref<LogicalResult(const Columns &tile)> body) {
  Value tiles = b.createOrFold<arith::CeilDivUIOp>(
      b.createOrFold<arith::SubIOp>(end, begin),
      indexConstant(kernel, tiling.lanes()));
  return forRange(kernel, indexConstant(kernel, 0), tiles, 1, {},
                  [&](Value number, ValueRange) -> FailureOr<Values> {
                    if (failed(body(columnsAt(begin, number))))
                      return failure();
                    return Values();
                  });
}

/// Some lines of the next tile's block, which begins at `next`: those of a step
/// of all. Steps and tiles of rows share them out. Where memory holds y along
/// the sum, a column has several.
void BlockedContraction::ask(const Values &next, Value step, Value tileOfRows) {
  auto least = [&](Value v, int64_t n) {
    return b.createOrFold<arith::MinUIOp>(v, indexConstant(kernel, n));
  };
  int64_t tiles = paddedRows / tiling.rows, lanes = tiling.lanes();
  for (auto &[input, position] : memoryOfY) {
    int64_t each = lineBytes / bytesOf(input);
    int64_t share = llvm::divideCeil(lanes, each * tiles);
    for (int64_t l = 0; l < share; ++l) {
      Values at = next;
      if (turnedBlock) {
        Value line = add(times(add(times(tileOfRows, blockSteps), step), share),
                         indexConstant(kernel, l));
        Value lines = indexConstant(kernel, blockSteps / each);
        at[y->laneLoop] =
            add(at[y->laneLoop],
                least(b.createOrFold<arith::DivUIOp>(line, lines), lanes - 1));
        at[sumLoops.front()] =
            add(at[sumLoops.front()],
                times(b.createOrFold<arith::RemUIOp>(line, lines), each));
      } else {
        Value line = least(times(tileOfRows, share),
                           llvm::divideCeil(lanes, each) - share);
        at[y->laneLoop] = add(at[y->laneLoop],
                              times(add(line, indexConstant(kernel, l)), each));
        at[sumLoops.front()] = add(at[sumLoops.front()], step);
      }
      memref::PrefetchOp::create(
          b, kernel.buffer(input),
          ExpressionEmitter(kernel, *y->space, at).indexValue(position),
          /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
    }
  }
}

/// Where a step of the tile's columns is in the block that was turned.
Value BlockedContraction::placeInBlock(Value inBlock, Value vector) {
  return add(b.createOrFold<arith::MulIOp>(
                 add(inBlock, indexConstant(kernel, tiling.width)),
                 indexConstant(kernel, tiling.lanes())),
             b.createOrFold<arith::MulIOp>(
                 vector, indexConstant(kernel, tiling.width)));
}

/// A tile's columns, steps [begin, end), square by square.
LogicalResult BlockedContraction::turnBlock(Values dims, const Columns &tile,
                                            Value begin, Value end) {
  auto turn = [&](Value vector, Value step) -> FailureOr<Values> {
    if (steps % tiling.width != 0)
      step = b.createOrFold<arith::MinUIOp>(
          step, indexConstant(kernel, steps - tiling.width));
    dims[sumLoops.front()] = step;
    Value lane = add(tile.place.laneAt.front(),
                     b.createOrFold<arith::MulIOp>(
                         vector, indexConstant(kernel, tiling.width)));
    FailureOr<Values> square = blockOf(dims, lane, {});
    if (failed(square))
      return failure();
    Value inBlock = b.createOrFold<arith::SubIOp>(step, begin);
    for (auto [k, column] : llvm::enumerate(*square))
      vector::StoreOp::create(
          b, column, turnedBlock,
          placeInBlock(add(inBlock, indexConstant(kernel, k)), vector));
    return Values();
  };
  return success(succeeded(forRange(
      kernel, indexConstant(kernel, 0), indexConstant(kernel, tiling.vectors),
      1, {}, [&](Value vector, ValueRange) {
        return forRange(
            kernel, begin, end, tiling.width, {},
            [&](Value step, ValueRange) { return turn(vector, step); });
      })));
}

FailureOr<Values> BlockedContraction::columnsOfStep(const Values &dims,
                                                    const Tile &place,
                                                    Value inBlock) {
  if (!turnedBlock)
    return columnsOf(dims, place);
  Values columns;
  for (int64_t v = 0; v < tiling.vectors; ++v)
    columns.push_back(vector::LoadOp::create(
        b, VectorType::get({tiling.width}, accumulator), turnedBlock,
        placeInBlock(inBlock, indexConstant(kernel, v))));
  return columns;
}

/// A tile of rows and columns: steps [begin, end). `next` is where the next
/// tile's begin.
LogicalResult BlockedContraction::sumRows(const Values &dims,
                                          const Columns &tileColumns,
                                          Value tileOfRows, Value begin,
                                          Value end, const Values &next) {
  unsigned sum = sumLoops.front();
  auto type = VectorType::get({tiling.width}, accumulator);
  Tile place = tileColumns.place;
  place.rowAt.assign(tiling.rows, Row());
  Value firstRow = times(tileOfRows, tiling.rows);
  place.packedRows =
      b.createOrFold<arith::MulIOp>(firstRow, kernel.size(rowsApart));
  Value firstSum = times(add(times(tileColumns.number, paddedRows), firstRow),
                         tiling.lanes());
  auto sumAt = [&](int64_t i) {
    return add(firstSum, indexConstant(kernel, i * tiling.width));
  };
  Values sums;
  for (int64_t i = 0; i < tiling.rows * tiling.vectors; ++i)
    sums.push_back(
        vector::LoadOp::create(b, type, epilogue.accumulators, sumAt(i)));
  FailureOr<Values> done =
      forRange(kernel, begin, end, 1, sums,
               [&](Value step, ValueRange carried) -> FailureOr<Values> {
                 Values at = dims, ofX = dims;
                 at[sum] = step;
                 ofX[sum] = b.createOrFold<arith::SubIOp>(step, begin);
                 ask(next, ofX[sum], tileOfRows);
                 FailureOr<Values> columns = columnsOfStep(at, place, ofX[sum]);
                 Values result(carried);
                 if (failed(columns) ||
                     failed(multiply(ofX, place, *columns, 0, result)))
                   return failure();
                 return result;
               });
  if (failed(done))
    return failure();
  for (auto [i, total] : llvm::enumerate(*done))
    vector::StoreOp::create(b, total, epilogue.accumulators, sumAt(i));
  return success();
}

/// The run's columns, a block of steps from `begin` on.
LogicalResult BlockedContraction::sumBlock(Values dims, Value runBegin,
                                           Value runEnd, Value begin) {
  Value block = indexConstant(kernel, blockSteps);
  Value end = add(begin, block);
  if (steps % blockSteps != 0)
    end = b.createOrFold<arith::MinUIOp>(end, indexConstant(kernel, steps));
  if (failed(copyRows(dims, begin, end)))
    return failure();
  Value lanes = indexConstant(kernel, tiling.lanes());
  return success(
      succeeded(overTilesOf(runBegin, runEnd, [&](const Columns &columns) {
        // The next block's first tile, or the next one's same block.
        Value behind = add(columns.begin, lanes);
        Value isLast = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::uge,
                                                     behind, runEnd);
        Values next = dims;
        next[y->laneLoop] =
            b.createOrFold<arith::SelectOp>(isLast, runBegin, behind);
        next[sumLoops.front()] =
            b.createOrFold<arith::SelectOp>(isLast, add(begin, block), begin);
        if (turnedBlock && failed(turnBlock(dims, columns, begin, end)))
          return failure();
        return success(succeeded(forRange(
            kernel, indexConstant(kernel, 0),
            indexConstant(kernel, paddedRows / tiling.rows), 1, {},
            [&](Value rowsAt, ValueRange) -> FailureOr<Values> {
              if (failed(sumRows(dims, columns, rowsAt, begin, end, next)))
                return failure();
              return Values();
            })));
      })));
}

LogicalResult BlockedContraction::emitRun(const Values &dims, Value begin,
                                          Value end) {
  Value zero = indexConstant(kernel, 0);
  auto type = VectorType::get({tiling.width}, accumulator);
  Value nothing = constantOf(b, b.getLoc(), type, 0);
  int64_t sums = tilesOfRun * paddedRows * tiling.lanes();
  if (failed(forRange(kernel, zero, indexConstant(kernel, sums), tiling.width,
                      {}, [&](Value at, ValueRange) -> FailureOr<Values> {
                        vector::StoreOp::create(b, nothing,
                                                epilogue.accumulators, at);
                        return Values();
                      })))
    return failure();
  if (failed(forRange(kernel, zero, indexConstant(kernel, steps), blockSteps,
                      {}, [&](Value step, ValueRange) -> FailureOr<Values> {
                        if (failed(sumBlock(dims, begin, end, step)))
                          return failure();
                        return Values();
                      })))
    return failure();
  return success(succeeded(overTilesOf(begin, end, [&](const Columns &columns) {
    Value first = b.createOrFold<arith::MulIOp>(
        columns.number, indexConstant(kernel, paddedRows));
    Tile place = columns.place;
    place.masks = masksOf(columns);
    return success(succeeded(
        forRange(kernel, zero, indexConstant(kernel, count), 1, {},
                 [&](Value row, ValueRange) -> FailureOr<Values> {
                   Values at = dims;
                   at[rowLoop] = row;
                   if (failed(epilogue.storeRow(at, add(first, row), place)))
                     return failure();
                   return Values();
                 })));
  })));
}

FailureOr<KernelSpec> BlockedContraction::emit() {
  if (failed(planNest()))
    return failure();
  tiling.splitOuterLoops();
  y.emplace(loopsInPlace());
  planMemoryOfY();
  tiling.areWhole = true;
  layOut();
  AffineExpr scratch = makeScratch();
  int64_t lanes = tilesOfRun * tiling.lanes();
  SmallVector<AffineExpr> work;
  for (unsigned loop : tiling.batchLoops)
    work.push_back(loops.sizes[loop]);
  work.push_back(constant(llvm::divideCeil(columns, lanes)));
  auto emitItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work);
    Value begin = b.createOrFold<arith::MulIOp>(at.pop_back_val(),
                                                indexConstant(kernel, lanes));
    Value end = add(begin, indexConstant(kernel, lanes));
    if (columns % lanes != 0)
      end = b.createOrFold<arith::MinUIOp>(end, indexConstant(kernel, columns));
    Values dims(loops.sizes.size());
    for (auto [loop, value] : llvm::zip_equal(tiling.batchLoops, at))
      dims[loop] = value;
    if (failed(emitRun(dims, begin, end)))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, emitItem)))
    return failure();
  return kernel.finish(
      kernel.names.product(work),
      constant(std::max<int64_t>(grainFlops / (count * lanes * steps), 1)),
      scratch);
}

const Skeleton contractionBlocked = {
    .name = "blocked",
    .kind = tx::kinds::contraction,
    .match = [](KernelBuilder &fusion,
                tx::OrderAttr) { return BlockedContraction(fusion).matches(); },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return BlockedContraction(fusion).offer();
        },
    .emit =
        [](KernelBuilder &kernel) {
          return single(BlockedContraction(kernel).emit());
        },
    .order = contractionOrder,
    // As in tiles: the epilogue visits each element once.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
