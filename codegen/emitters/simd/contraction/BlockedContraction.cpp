//===- BlockedContraction.cpp - Contraction of few rows, in blocks of K ---===//
//
// for each run of columns of y:
//   accumulators[tile of columns][row] = 0
//   for each block of K steps:
//     copy the block's elements of all rows of x
//     for each tile of columns:
//       if y is contiguous along K: transpose the block of y into a panel
//       otherwise, if there are many rows: copy it into a panel
//       for each tile of rows:
//         registers = accumulators
//         for k in the block: registers += x(row, k) * y(k, ..)
//         accumulators = registers
//   for each tile of columns, each row: epilogue, store
//
// A K loop over all steps would read y once per tile of rows, from memory or
// from a panel that exceeds L1. Here the block of a tile's columns stays in L1
// for all rows. Each K step of a tile prefetches a part of the next tile's
// columns, so that memory is read while the FMAs run. Each accumulator adds its
// products in the order of k, as in the other skeletons.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/Sweep.h"
#include "codegen/emitters/simd/contraction/TileChoice.h"
#include "codegen/emitters/simd/contraction/parts/Epilogue.h"
#include "codegen/emitters/simd/contraction/parts/MicroKernel.h"
#include "codegen/emitters/simd/contraction/parts/PrefetchStreams.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

namespace {

class BlockedContraction {
public:
  explicit BlockedContraction(KernelBuilder &kernel)
      : plan(kernel), kernel(kernel), b(kernel.b) {}

  bool matches();
  FailureOr<Offers> offer() {
    if (failed(plan.planNest()))
      return failure();
    return offerBlockTiles(plan);
  }
  FailureOr<KernelSpec> emit();

private:
  struct Sizes {
    int64_t count = 0;      // number of rows of x
    int64_t paddedRows = 0; // `count` rounded up to whole tiles
    int64_t tilesOfRun = 0; // tiles of columns in a run
    int64_t blockSteps = 0; // K steps in a block
    int64_t steps = 0;      // all K steps
    int64_t columns = 0;    // number of columns of y
  };
  /// A tile of columns. `begin` is the first column that it stores, `number`
  /// its index in the run.
  struct Columns {
    Tile tile;
    Value begin, number;
  };

  Value add(Value v, Value w) { return b.createOrFold<arith::AddIOp>(v, w); }
  Value times(Value v, int64_t n) {
    return b.createOrFold<arith::MulIOp>(v, indexConstant(kernel, n));
  }
  bool copiesBlocks() {
    return y->alongLanes && sizes.count >= kernel.costs().minCopiedBlockRows;
  }
  void layOut();
  AffineExpr makeScratch();
  void addPrefetches();
  void prefetchLines(int64_t bytes, AffineExpr position, const Values &dims,
                     const Tile &tile, PrefetchStream::Visit visit);
  LogicalResult transposeBlock(Values dims, const Columns &tileColumns,
                               Value begin, Value end);
  LogicalResult copyBlock(Values dims, const Columns &tileColumns, Value begin,
                          Value end);
  Value offsetInBlock(Value inBlock, Value vector);
  FailureOr<Values> columnsAtStep(const Values &dims, const Tile &tile,
                                  Value inBlock);
  Columns columnsAt(Value begin, Value number);
  Values masksOf(const Columns &tileColumns);
  FailureOr<Values>
  forEachTile(Value begin, Value end,
              function_ref<LogicalResult(const Columns &tileColumns)> body);
  LogicalResult accumulateBlock(Values dims, Value runBegin, Value runEnd,
                                Value begin);
  LogicalResult accumulateTile(const Values &dims, const Columns &tileColumns,
                               Value tileOfRows, Value begin, Value end,
                               const Values &next);
  LogicalResult emitRun(const Values &dims, Value begin, Value end);

  ContractionPlan plan;
  Tiling tiling{plan};
  Epilogue epilogue{plan, tiling};
  RowPanel x{plan, tiling};
  PrefetchStreams streams{plan, tiling};
  std::optional<ColumnReads> y;
  std::optional<ColumnLoads> loads;
  std::optional<TransposedLoads> blocks;
  Sizes sizes;
  /// Buffer for a block of a tile's columns, or null if y is read in place. It
  /// has room for `width` steps before the block: if the number of steps is no
  /// multiple of `width`, the last square of a transpose begins early.
  Value packedBlock;
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
};

} // namespace

bool BlockedContraction::matches() {
  if (failed(plan.planNest()))
    return false;
  tiling.splitOuterLoops();
  auto numRows = constantOf(plan.loops.sizes[plan.rowLoop]),
       numColumns = constantOf(plan.loops.sizes[plan.laneLoop]),
       numSteps = constantOf(plan.loops.sizes[plan.kLoops.front()]);
  if (!tiling.sharedLoops.empty() || plan.kLoops.size() != 1 || !numRows ||
      !numColumns || !numSteps || *numRows < kernel.costs().minBlockedRows)
    return false;
  tiling.rows = *numRows;
  tiling.width = kernel.target.getLanes(plan.accumulator);
  // True if a panel with two vectors of columns, for all of K, exceeds
  // `maxPanelBytes`. Every tile of rows would read such a panel.
  bool isLong = *numSteps * 2 * tiling.width *
                    plan.accumulator.getIntOrFloatBitWidth() / 8 >=
                kernel.costs().maxPanelBytes;
  if (*numRows > (isLong ? kernel.costs().maxLongBlockedRows
                         : kernel.costs().maxBlockedRows))
    return false;
  ColumnReads reads = ColumnReads::inPlace(plan);
  int64_t bytes = reads.elementBytes;
  bool isTransposed = reads.alongK && reads.narrow.reads.empty() &&
                      *numRows >= kernel.costs().minTransposedBlockRows;
  // Ops that compute y are fused only if there is one tile of rows, because
  // every tile of rows would repeat them.
  bool isRead =
      reads.alongLanes && (isa<BlockArgument>(plan.dot.getY()) ||
                           *numRows <= maxBlockTileRows(kernel.target));
  // A copied block is read once, a line at a time and in the order of memory.
  bool isCopied = isRead && *numRows >= kernel.costs().minCopiedBlockRows;
  return (isRead || isTransposed) && bytes >= 4 &&
         *numSteps >= 2 * kernel.costs().blockedSteps &&
         *numColumns >= tiling.width &&
         *numColumns * bytes >= (isLong || isCopied
                                     ? kernel.costs().minLongBlockedBytes
                                     : kernel.costs().minSweptBytes) &&
         isXContiguousAlongRows(plan) && !epilogue.storesTransposed() &&
         *numColumns * *numSteps * bytes >
             2 * static_cast<int64_t>(kernel.target.getL2Bytes());
}

void BlockedContraction::layOut() {
  tiling.rows = kernel.scheduled("rows");
  tiling.vectors = kernel.scheduled("vectors");
  sizes.blockSteps = kernel.scheduled("steps");
  tiling.width = kernel.scheduled("lanes");
  sizes.count = *constantOf(plan.loops.sizes[plan.rowLoop]);
  sizes.columns = *constantOf(plan.loops.sizes[plan.laneLoop]);
  sizes.steps = *constantOf(plan.loops.sizes[plan.kLoops.front()]);
  sizes.paddedRows = llvm::alignTo(sizes.count, tiling.rows);
  int64_t lanes = tiling.lanes();
  int64_t tiles = llvm::divideCeil(sizes.columns, lanes);
  int64_t maximum = std::max<int64_t>(
      kernel.costs().sweptRunBytes / (lanes * y->elementBytes), 1);
  sizes.tilesOfRun = std::min<int64_t>(
      llvm::divideCeil(tiles, kernel.costs().minBlockedRuns), maximum);
  // Each row is padded by one vector, so that rows do not map to the same L1
  // sets.
  if (*isXContiguousAlongRows(plan)) {
    x.rowStride = plan.constant(1);
    x.stepStride = plan.constant(llvm::alignTo(sizes.paddedRows, tiling.width));
  } else {
    x.rowStride = plan.constant(llvm::alignTo(sizes.blockSteps, tiling.width) +
                                tiling.width);
    x.stepStride = plan.constant(1);
  }
}

/// Allocates the accumulators, the block of x and the transposed block of y in
/// scratch memory. Returns the size in bytes.
AffineExpr BlockedContraction::makeScratch() {
  int64_t each = plan.accumulator.getIntOrFloatBitWidth() / 8, bytes = 0;
  auto make = [&](int64_t elements) -> Value {
    Value made = memref::ViewOp::create(
        b, MemRefType::get({ShapedType::kDynamic}, plan.accumulator),
        kernel.scratch(), indexConstant(kernel, bytes),
        ValueRange{indexConstant(kernel, elements)});
    bytes += llvm::alignTo(elements * each, kernel.target.getCacheLineBytes());
    return made;
  };
  epilogue.accumulators =
      make(sizes.tilesOfRun * sizes.paddedRows * tiling.lanes());
  x.memory = make(x.stepsAreContiguous()
                      ? *constantOf(x.rowStride) * sizes.paddedRows
                      : *constantOf(x.stepStride) * sizes.blockSteps);
  if (y->alongK || copiesBlocks())
    packedBlock = make((sizes.blockSteps + tiling.width) * tiling.lanes());
  return plan.constant(bytes);
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Returns the tile of columns at `begin` + number * lanes. If the columns are
/// no multiple of a tile, the last tile begins early so that it is whole,
/// because masks would cost a tenth of the time. It then computes columns of
/// the previous tile again, but does not store them.
BlockedContraction::Columns BlockedContraction::columnsAt(Value begin,
                                                          Value number) {
  int64_t lanes = tiling.lanes();
  Columns tile;
  tile.number = number;
  tile.begin =
      add(begin,
          b.createOrFold<arith::MulIOp>(number, indexConstant(kernel, lanes)));
  Value first = tile.begin;
  if (sizes.columns % lanes != 0)
    first = b.createOrFold<arith::MinUIOp>(
        first, indexConstant(kernel, sizes.columns - lanes));
  for (int64_t v = 0; v < tiling.vectors; ++v)
    tile.tile.laneAt.push_back(
        add(first, indexConstant(kernel, v * tiling.width)));
  tile.tile.masks.resize(tiling.vectors);
  return tile;
}

/// Returns, per vector, the mask of the lanes that the tile stores.
Values BlockedContraction::masksOf(const Columns &tileColumns) {
  if (sizes.columns % tiling.lanes() == 0)
    return tileColumns.tile.masks;
  Values masks;
  for (Value lane : tileColumns.tile.laneAt) {
    Value before = laneMask(kernel, lane, tileColumns.begin, tiling.width);
    masks.push_back(arith::XOrIOp::create(
        b, before, constantOf(b, b.getLoc(), before.getType(), 1)));
  }
  return masks;
}

FailureOr<Values> BlockedContraction::forEachTile(
    Value begin, Value end,
    llvm::function_ref<LogicalResult(const Columns &tileColumns)> body) {
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

/// Adds prefetches of the next tile's block of y. At each K step, the tile
/// prefetches the lines of the same step of the next block; tiles of rows share
/// the work. If y is contiguous along K, each column has its own lines.
void BlockedContraction::addPrefetches() {
  auto add = [&](BlockArgument input, const Index &, AffineExpr position) {
    if (!position.isFunctionOfDim(plan.kLoops.front()) ||
        !position.isFunctionOfDim(y->laneLoop))
      return;
    streams.add(
        {kernel.buffer(input), [=, this](const Values &dims, const Tile &tile,
                                         PrefetchStream::Visit visit) {
           prefetchLines(bytesOf(input), position, dims, tile, visit);
         }});
  };
  walkMemory(plan, plan.dot.getY(), y->index, *y->space, add);
}

void BlockedContraction::prefetchLines(int64_t bytes, AffineExpr position,
                                       const Values &dims, const Tile &tile,
                                       PrefetchStream::Visit visit) {
  auto atMost = [&](Value v, int64_t n) {
    return b.createOrFold<arith::MinUIOp>(v, indexConstant(kernel, n));
  };
  unsigned sum = plan.kLoops.front();
  Value step = dims[sum];
  int64_t tiles = sizes.paddedRows / tiling.rows, lanes = tiling.lanes();
  int64_t each = kernel.target.getCacheLineBytes() / bytes;
  int64_t share = llvm::divideCeil(lanes, each * tiles);
  for (int64_t l = 0; l < share; ++l) {
    Values at = tile.nextPanel;
    if (y->alongK) {
      Value line =
          add(times(add(times(tile.number, sizes.blockSteps), step), share),
              indexConstant(kernel, l));
      Value lines = indexConstant(kernel, sizes.blockSteps / each);
      at[y->laneLoop] =
          add(at[y->laneLoop],
              atMost(b.createOrFold<arith::DivUIOp>(line, lines), lanes - 1));
      at[sum] = add(at[sum],
                    times(b.createOrFold<arith::RemUIOp>(line, lines), each));
    } else {
      Value line = atMost(times(tile.number, share),
                          llvm::divideCeil(lanes, each) - share);
      at[y->laneLoop] = add(at[y->laneLoop],
                            times(add(line, indexConstant(kernel, l)), each));
      at[sum] = add(at[sum], step);
    }
    visit(ExpressionEmitter(kernel, *y->space, at).indexValue(position));
  }
}

/// Copies the steps [begin, end) of a tile's columns. Tiles of rows then read
/// consecutive lines of one buffer, and not a few lines of many pages.
LogicalResult BlockedContraction::copyBlock(Values dims,
                                            const Columns &tileColumns,
                                            Value begin, Value end) {
  auto copyStep = [&](Value step, ValueRange) -> FailureOr<Values> {
    dims[plan.kLoops.front()] = step;
    FailureOr<Values> columns = loads->load(dims, tileColumns.tile);
    if (failed(columns))
      return failure();
    Value inBlock = b.createOrFold<arith::SubIOp>(step, begin);
    for (auto [v, column] : llvm::enumerate(*columns))
      vector::StoreOp::create(b, column, packedBlock,
                              offsetInBlock(inBlock, indexConstant(kernel, v)));
    return Values();
  };
  return success(succeeded(forRange(kernel, begin, end, 1, {}, copyStep)));
}

/// Returns the offset in `packedBlock`, laid out as [step][lane], of a
/// vector of columns. `inBlock` is the step relative to the first of the block.
/// It may be negative, but at least -width, because the last square may begin
/// before the block.
Value BlockedContraction::offsetInBlock(Value inBlock, Value vector) {
  return add(b.createOrFold<arith::MulIOp>(
                 add(inBlock, indexConstant(kernel, tiling.width)),
                 indexConstant(kernel, tiling.lanes())),
             b.createOrFold<arith::MulIOp>(
                 vector, indexConstant(kernel, tiling.width)));
}

/// Transposes the steps [begin, end) of a tile's columns, in squares of `width`
/// steps and columns.
LogicalResult BlockedContraction::transposeBlock(Values dims,
                                                 const Columns &tileColumns,
                                                 Value begin, Value end) {
  auto transposeSquare = [&](Value vector, Value step) -> FailureOr<Values> {
    if (sizes.steps % tiling.width != 0)
      step = b.createOrFold<arith::MinUIOp>(
          step, indexConstant(kernel, sizes.steps - tiling.width));
    dims[plan.kLoops.front()] = step;
    Value lane = add(tileColumns.tile.laneAt.front(),
                     b.createOrFold<arith::MulIOp>(
                         vector, indexConstant(kernel, tiling.width)));
    FailureOr<Values> square = blocks->load(dims, lane, {});
    if (failed(square))
      return failure();
    Value inBlock = b.createOrFold<arith::SubIOp>(step, begin);
    for (auto [k, column] : llvm::enumerate(*square))
      vector::StoreOp::create(
          b, column, packedBlock,
          offsetInBlock(add(inBlock, indexConstant(kernel, k)), vector));
    return Values();
  };
  return success(succeeded(forRange(
      kernel, indexConstant(kernel, 0), indexConstant(kernel, tiling.vectors),
      1, {}, [&](Value vector, ValueRange) {
        return forRange(kernel, begin, end, tiling.width, {},
                        [&](Value step, ValueRange) {
                          return transposeSquare(vector, step);
                        });
      })));
}

FailureOr<Values> BlockedContraction::columnsAtStep(const Values &dims,
                                                    const Tile &tile,
                                                    Value inBlock) {
  if (!packedBlock)
    return loads->load(dims, tile);
  Values columns;
  for (int64_t v = 0; v < tiling.vectors; ++v)
    columns.push_back(vector::LoadOp::create(
        b, VectorType::get({tiling.width}, plan.accumulator), packedBlock,
        offsetInBlock(inBlock, indexConstant(kernel, v))));
  return columns;
}

/// Emits the K steps [begin, end) of a tile. `next` holds the indices of the
/// next tile's first column and step, which are prefetched.
LogicalResult BlockedContraction::accumulateTile(const Values &dims,
                                                 const Columns &tileColumns,
                                                 Value tileOfRows, Value begin,
                                                 Value end,
                                                 const Values &next) {
  unsigned sum = plan.kLoops.front();
  auto type = VectorType::get({tiling.width}, plan.accumulator);
  Tile tile = tileColumns.tile;
  tile.number = tileOfRows;
  tile.nextPanel = next;
  tile.rowAt.assign(tiling.rows, Row());
  Value firstRow = times(tileOfRows, tiling.rows);
  tile.packedRows =
      b.createOrFold<arith::MulIOp>(firstRow, kernel.size(x.rowStride));
  Value firstSum =
      times(add(times(tileColumns.number, sizes.paddedRows), firstRow),
            tiling.lanes());
  auto sumAt = [&](int64_t i) {
    return add(firstSum, indexConstant(kernel, i * tiling.width));
  };
  Values sums;
  for (int64_t i = 0; i < tiling.rows * tiling.vectors; ++i)
    sums.push_back(
        vector::LoadOp::create(b, type, epilogue.accumulators, sumAt(i)));
  FailureOr<Values> done = forRange(
      kernel, begin, end, 1, sums,
      [&](Value step, ValueRange carried) -> FailureOr<Values> {
        Values at = dims, ofX = dims;
        at[sum] = step;
        ofX[sum] = b.createOrFold<arith::SubIOp>(step, begin);
        streams.emitStep(ofX, tile);
        FailureOr<Values> columns = columnsAtStep(at, tile, ofX[sum]);
        Values result(carried);
        if (failed(columns) ||
            failed(multiply(plan, tiling, x, ofX, tile, *columns, 0, result)))
          return failure();
        return result;
      });
  if (failed(done))
    return failure();
  for (auto [i, total] : llvm::enumerate(*done))
    vector::StoreOp::create(b, total, epilogue.accumulators, sumAt(i));
  return success();
}

/// Emits a block of K steps that starts at `begin`, for all tiles of the run.
LogicalResult BlockedContraction::accumulateBlock(Values dims, Value runBegin,
                                                  Value runEnd, Value begin) {
  Value block = indexConstant(kernel, sizes.blockSteps);
  Value end = add(begin, block);
  if (sizes.steps % sizes.blockSteps != 0)
    end =
        b.createOrFold<arith::MinUIOp>(end, indexConstant(kernel, sizes.steps));
  AffineExpr length = sizes.steps % sizes.blockSteps == 0
                          ? plan.constant(sizes.blockSteps)
                          : AffineExpr();
  if (failed(
          x.packBlock(dims, begin, end, length, sizes.count, sizes.paddedRows)))
    return failure();
  Value lanes = indexConstant(kernel, tiling.lanes());
  return success(
      succeeded(forEachTile(runBegin, runEnd, [&](const Columns &columns) {
        // The next tile of this block, or the first tile if this is the last
        // one (then of the next block).
        Value after = add(columns.begin, lanes);
        Value isLast = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::uge,
                                                     after, runEnd);
        Values next = dims;
        next[y->laneLoop] =
            b.createOrFold<arith::SelectOp>(isLast, runBegin, after);
        next[plan.kLoops.front()] =
            b.createOrFold<arith::SelectOp>(isLast, add(begin, block), begin);
        if (packedBlock &&
            failed(y->alongK ? transposeBlock(dims, columns, begin, end)
                             : copyBlock(dims, columns, begin, end)))
          return failure();
        return success(succeeded(
            forRange(kernel, indexConstant(kernel, 0),
                     indexConstant(kernel, sizes.paddedRows / tiling.rows), 1,
                     {}, [&](Value rowsAt, ValueRange) -> FailureOr<Values> {
                       if (failed(accumulateTile(dims, columns, rowsAt, begin,
                                                 end, next)))
                         return failure();
                       return Values();
                     })));
      })));
}

/// Emits a run of columns: all blocks of K steps, then the epilogue.
LogicalResult BlockedContraction::emitRun(const Values &dims, Value begin,
                                          Value end) {
  Value zero = indexConstant(kernel, 0);
  auto type = VectorType::get({tiling.width}, plan.accumulator);
  Value nothing = constantOf(b, b.getLoc(), type, 0);
  int64_t sums = sizes.tilesOfRun * sizes.paddedRows * tiling.lanes();
  if (failed(forRange(kernel, zero, indexConstant(kernel, sums), tiling.width,
                      {}, [&](Value at, ValueRange) -> FailureOr<Values> {
                        vector::StoreOp::create(b, nothing,
                                                epilogue.accumulators, at);
                        return Values();
                      })))
    return failure();
  if (failed(forRange(kernel, zero, indexConstant(kernel, sizes.steps),
                      sizes.blockSteps, {},
                      [&](Value step, ValueRange) -> FailureOr<Values> {
                        if (failed(accumulateBlock(dims, begin, end, step)))
                          return failure();
                        return Values();
                      })))
    return failure();
  return success(succeeded(forEachTile(begin, end, [&](const Columns &columns) {
    Value first = b.createOrFold<arith::MulIOp>(
        columns.number, indexConstant(kernel, sizes.paddedRows));
    Tile tile = columns.tile;
    tile.masks = masksOf(columns);
    return success(succeeded(
        forRange(kernel, zero, indexConstant(kernel, sizes.count), 1, {},
                 [&](Value row, ValueRange) -> FailureOr<Values> {
                   Values at = dims;
                   at[plan.rowLoop] = row;
                   if (failed(epilogue.storeRow(at, add(first, row), tile)))
                     return failure();
                   return Values();
                 })));
  })));
}

FailureOr<KernelSpec> BlockedContraction::emit() {
  if (failed(plan.planNest()))
    return failure();
  tiling.splitOuterLoops();
  y.emplace(ColumnReads::inPlace(plan));
  tiling.areFull = true;
  layOut();
  loads.emplace(plan, tiling, *y, /*packs=*/false);
  blocks.emplace(plan, tiling, *y, /*accumulators=*/Value());
  AffineExpr scratch = makeScratch();
  addPrefetches();
  int64_t lanes = sizes.tilesOfRun * tiling.lanes();
  SmallVector<AffineExpr> work;
  for (unsigned loop : tiling.batchLoops)
    work.push_back(plan.loops.sizes[loop]);
  work.push_back(plan.constant(llvm::divideCeil(sizes.columns, lanes)));
  auto emitItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work);
    Value begin = b.createOrFold<arith::MulIOp>(at.pop_back_val(),
                                                indexConstant(kernel, lanes));
    Value end = add(begin, indexConstant(kernel, lanes));
    if (sizes.columns % lanes != 0)
      end = b.createOrFold<arith::MinUIOp>(
          end, indexConstant(kernel, sizes.columns));
    Values dims(plan.loops.sizes.size());
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
      plan.constant(std::max<int64_t>(
          grainFlops(kernel) / (sizes.count * lanes * sizes.steps), 1)),
      scratch);
}

const Skeleton contractionBlocked = {
    .name = "blocked",
    .kind = tx::kinds::contraction,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return isFma(order) && BlockedContraction(fusion).matches();
        },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return BlockedContraction(fusion).offer();
        },
    .emit =
        [](KernelBuilder &kernel) {
          return single(BlockedContraction(kernel).emit());
        },
    .order = contractionOrder,
    // The epilogue reads and writes each element once, so an output may alias
    // an input.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
