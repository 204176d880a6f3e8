//===- PackedPairs.cpp - Both operands packed before the tiles of pairs ---===//
//
// first kernel, for each block of x:
//   xPairs[tile][pair][row] or [tile][row][pair], and each tile's smallest
//   magnitude
// second kernel, for each of the tiles' lanes:
//   panels[lanes][pair][vector], and each panel's smallest magnitude
// third kernel: the tiles of PairedContraction.cpp, with nothing to pack
//
// Where there are many tiles, each operand is packed once for all of them and
// all threads. The third kernel has all registers for its sums.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/simd/contraction/PairedContraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// With fewer of them, what is packed is not read often enough.
static constexpr int64_t fewestRows = 128, fewestColumns = 128,
                         fewestSteps = 64;
/// Rows of x along the sum by a y of more than these bytes, which go to memory
/// and back for so few tiles.
static constexpr int64_t fewestOfLarge = 256, largeBytes = 1 << 22;
/// Of either operand as it is packed: more memory is not worth it.
static constexpr int64_t mostBytes = 1 << 28, pairBytes = 4;
/// Of a block of x along its rows: some lines of each row of memory.
static constexpr int64_t tilesOfBlock = 8;
/// Pairs that one work item's worth of overhead is spread over.
static constexpr int64_t grainPairs = 1 << 14;

bool PairedContraction::fitsPacked() {
  if (!fits())
    return false;
  tiling.splitOuterLoops();
  auto isBatch = [&](unsigned loop) {
    return roles[loops.innermost[loop]] == Role::Batch;
  };
  if (!tiling.sharedLoops.empty() || !llvm::all_of(tiling.batchLoops, isBatch))
    return false;
  for (AffineExpr size : loops.sizes)
    if (!constantOf(size))
      return false;
  auto sizeOf = [&](unsigned loop) { return *constantOf(loops.sizes[loop]); };
  int64_t lines = std::max(sizeOf(rowLoop), sizeOf(laneLoop));
  for (unsigned loop : tiling.batchLoops)
    lines *= sizeOf(loop);
  bool isLarge =
      sizeOf(laneLoop) * sizeOf(sumLoop()) * pairBytes / 2 > largeBytes;
  int64_t fewest = isLarge && !*findRowsOfX() ? fewestOfLarge : fewestRows;
  return sizeOf(rowLoop) >= fewest && sizeOf(laneLoop) >= fewestColumns &&
         sizeOf(sumLoop()) >= fewestSteps &&
         lines * sizeOf(sumLoop()) * pairBytes / 2 <= mostBytes;
}

/// Registers for columns and rows, and one for a constant of sums in steps,
/// which LLVM keeps in a register across the sum.
FailureOr<Offers> PairedContraction::offerPacked() {
  if (failed(planNest()))
    return failure();
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t count = *constantOf(loops.sizes[rowLoop]);
  Offers offers;
  for (int64_t vectors : {2, 1, 3, 4}) {
    int64_t most = (registers - vectors - 3) / vectors;
    int64_t evenly = llvm::divideCeil(count, llvm::divideCeil(count, most));
    for (int64_t rows : {evenly, most, most / 2, int64_t(1)})
      offers.push_back({{"rows", rows},
                        {"vectors", vectors},
                        {"lanes", kernel.target.getLanes(accumulator)}});
  }
  return offers;
}

/// Lines more keep tiles, or rows, out of each other's places in the cache.
LogicalResult PairedContraction::planPacked() {
  if (failed(planNest()))
    return failure();
  tiling.readSchedule();
  arePacked = true;
  xAlongRows = *findRowsOfX();
  planReadLoops(/*inPlace=*/true);
  planPairs();
  if (xAlongRows) {
    rowsApartInX = constant(1);
    pairsApartInX = constant(llvm::alignTo(tiling.rows, tiling.width));
    tilePairs =
        kernel.names.simplify(pairs * pairsApartInX + constant(tiling.width));
  } else {
    tilePairs = kernel.names.simplify(rowsApartInX * constant(tiling.rows));
  }
  return success();
}

AffineExpr PairedContraction::countOf(AffineExpr tilesOfBatch) {
  AffineExpr count = tilesOfBatch;
  for (unsigned loop : tiling.batchLoops)
    count = count * loops.sizes[loop];
  return kernel.names.simplify(count);
}

/// Of the `number`-th of so many in each batch, among all.
Value PairedContraction::numberOf(const Values &dims, Value number,
                                  AffineExpr tilesOfBatch) {
  Value batch = indexConstant(kernel, 0);
  for (unsigned loop : tiling.batchLoops)
    batch = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(batch, kernel.size(loops.sizes[loop])),
        dims[loop]);
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(
          batch, kernel.size(kernel.names.simplify(tilesOfBatch))),
      number);
}

SmallVector<KernelSpec::Temporary> PairedContraction::packedMemory() {
  AffineExpr tiles = countOf(rowTiles()), panels = countOf(lanePanels());
  Type word = b.getI32Type();
  return {{word, kernel.names.simplify(tiles * tilePairs)},
          {word, tiles},
          {word, kernel.names.simplify(panels * panelPairs)},
          {word, panels}};
}

void PairedContraction::useMemory() {
  xPairs = kernel.temporary(0);
  leastOfTiles = kernel.temporary(1);
  panel = kernel.temporary(2);
  leastOfPanels = kernel.temporary(3);
}

/// Where a tile's rows begin, the `number`-th of its batch.
void PairedContraction::beginRows(const Values &dims, Value number) {
  tileNumber = numberOf(dims, number, rowTiles());
  xBegin = b.createOrFold<arith::MulIOp>(tileNumber, kernel.size(tilePairs));
}

FailureOr<KernelSpec> PairedContraction::emitRows() {
  useMemory();
  int64_t tilesOfItem = xAlongRows ? tilesOfBlock : 1;
  least = memref::AllocaOp::create(
      b, MemRefType::get({tilesOfItem * 2 * tiling.width}, b.getI16Type()),
      b.getI64IntegerAttr(64));
  SmallVector<AffineExpr> work;
  for (unsigned loop : tiling.batchLoops)
    work.push_back(loops.sizes[loop]);
  AffineExpr tiles = kernel.names.simplify(rowTiles());
  work.push_back(kernel.names.simplify(tiles.ceilDiv(tilesOfItem)));
  auto ofItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work);
    Values dims(loops.sizes.size(), indexConstant(kernel, 0));
    Value first = b.createOrFold<arith::MulIOp>(
        at.pop_back_val(), indexConstant(kernel, tilesOfItem));
    for (auto [loop, value] : llvm::zip_equal(tiling.batchLoops, at))
      dims[loop] = value;
    Value end = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(first,
                                      indexConstant(kernel, tilesOfItem)),
        kernel.size(tiles));
    auto overTiles = [&](function_ref<LogicalResult(Value)> body) {
      return success(succeeded(
          forRange(kernel, first, end, 1, {},
                   [&](Value number, ValueRange) -> FailureOr<Values> {
                     leastAt = b.createOrFold<arith::MulIOp>(
                         b.createOrFold<arith::SubIOp>(number, first),
                         indexConstant(kernel, 2 * tiling.width));
                     beginRows(dims, number);
                     if (failed(body(number)))
                       return failure();
                     return Values();
                   })));
    };
    auto begin = [&](Value) {
      beginLeast();
      return success();
    };
    auto finish = [&](Value) {
      memref::StoreOp::create(b, endLeast(), leastOfTiles, tileNumber);
      return success();
    };
    auto packRows = [&](Value number) {
      Tile place;
      tiling.placeRows({{},
                        b.createOrFold<arith::MulIOp>(
                            number, indexConstant(kernel, tiling.rows))},
                       place);
      return packRowsOfX(dims, place);
    };
    auto packSteps = [&](Value step, bool isTail) {
      return overTiles([&](Value number) {
        return packStepOfX(dims, number, step, isTail);
      });
    };
    if (failed(overTiles(begin)) ||
        failed(xAlongRows ? overSteps(2, packSteps) : overTiles(packRows)) ||
        failed(overTiles(finish)))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, ofItem)))
    return failure();
  int64_t each = tilesOfItem * tiling.rows * *constantOf(pairs);
  return kernel.finish(kernel.names.product(work),
                       constant(llvm::divideCeil(grainPairs, each)));
}

FailureOr<KernelSpec> PairedContraction::emitColumns() {
  useMemory();
  least = memref::AllocaOp::create(
      b, MemRefType::get({2 * tiling.width}, b.getI16Type()),
      b.getI64IntegerAttr(64));
  leastAt = indexConstant(kernel, 0);
  SmallVector<AffineExpr> work;
  for (unsigned loop : tiling.batchLoops)
    work.push_back(loops.sizes[loop]);
  work.push_back(kernel.names.simplify(lanePanels()));
  auto ofItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work);
    Values dims(loops.sizes.size(), indexConstant(kernel, 0));
    Value number = at.pop_back_val();
    for (auto [loop, value] : llvm::zip_equal(tiling.batchLoops, at))
      dims[loop] = value;
    Tile place;
    tiling.placeLanes(b.createOrFold<arith::MulIOp>(
                          number, indexConstant(kernel, tiling.lanes())),
                      place);
    beginPanel(numberOf(dims, number, lanePanels()));
    if (failed(packPanel(dims, place)))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, ofItem)))
    return failure();
  int64_t each = tiling.lanes() * *constantOf(pairs);
  return kernel.finish(kernel.names.product(work),
                       constant(llvm::divideCeil(grainPairs, each)));
}

/// One tile, of packed operands.
FailureOr<Values> PairedContraction::emitPackedItem(Value item,
                                                    ArrayRef<AffineExpr> work) {
  int64_t lanes = tiling.lanes();
  WorkItem begin = tiling.beginItem(item, work, lanes);
  Tile place;
  tiling.placeLanes(begin.lane0, place);
  beginPanel(numberOf(
      begin.dims,
      b.createOrFold<arith::DivUIOp>(begin.lane0, indexConstant(kernel, lanes)),
      lanePanels()));
  beginRows(begin.dims,
            b.createOrFold<arith::DivUIOp>(begin.first.row,
                                           indexConstant(kernel, tiling.rows)));
  leastOfX = memref::LoadOp::create(b, leastOfTiles, tileNumber);
  if (failed(emitTile(begin.dims, begin.first, place)))
    return failure();
  return Values();
}

/// The next tile's rows lie behind this one's, a line or so for each pair.
void PairedContraction::askForPacked(Value pair) {
  int64_t each = kernel.target.getCacheLineBytes() / pairBytes;
  int64_t moves =
      xAlongRows ? llvm::alignTo(tiling.rows, tiling.width) : tiling.rows;
  Value next = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::AddIOp>(xBegin, kernel.size(tilePairs)),
      b.createOrFold<arith::MulIOp>(pair, indexConstant(kernel, moves)));
  for (int64_t line = 0; line < tiling.rows; line += each)
    memref::PrefetchOp::create(
        b, xPairs,
        b.createOrFold<arith::AddIOp>(next, indexConstant(kernel, line)),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
}

FailureOr<EmittedKernels> PairedContraction::emitPacked(KernelBuilder &to) {
  PairedContraction products(to);
  if (failed(products.planPacked()))
    return failure();
  EmittedKernels result;
  result.temporaries = products.packedMemory();
  KernelBuilder ofX(to, "_rows"), ofY(to, "_columns");
  for (KernelBuilder *kernel : {&ofX, &ofY, &to})
    kernel->addTemporaries(result.temporaries);
  PairedContraction rows(ofX), columns(ofY);
  if (failed(rows.planPacked()) || failed(columns.planPacked()))
    return failure();
  products.useMemory();
  products.epilogue.allocate();
  for (FailureOr<KernelSpec> spec :
       {rows.emitRows(), columns.emitColumns(), products.emitItems({})}) {
    if (failed(spec))
      return failure();
    result.launches.push_back(*spec);
  }
  return result;
}

const Skeleton contractionPackedPairs = {
    .name = "packed_pairs",
    .kind = tx::kinds::contraction,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return PairedContraction(fusion).fitsPacked();
        },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return PairedContraction(fusion).offerPacked();
        },
    .emit = PairedContraction::emitPacked,
    .order = contractionOrder,
    // The kernels before write no result; the last one is as in tiles.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
