//===- AmxContraction.cpp - Contraction on tile registers (AMX) -----------===//
//
// first kernel, for each tile of rows:
//   pack x as [tile][block along K][block of rows]
// second kernel, for each work item (a tile of rows x some tiles of columns;
// items of the same columns are consecutive):
//   if the item has other columns than the previous one:
//     pack y as [tile][block along K][block of columns]
//   for each part of K:
//     for each tile of columns:
//       sums = zeros, or those of the previous part
//       for each block of the part:
//         sums[row block][column block] += x block * y block
//       store the sums, or in the last part: epilogue, store
//
// A block fills a tile register: 16 rows of 16 words of 32 bits. A tile has two
// blocks of rows and of columns, so that each block is loaded for two products.
// Loading is the bottleneck: loads from L1 keep up with the products, loads of
// both operands from L2 do not. A part of K is as short as to keep the part of
// x in L1, while y and the sums come from L2. Loads of y have a hint that they
// are not repeated, so that they do not replace x.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/AmxPacking.h"
#include "codegen/emitters/simd/contraction/Magnitudes.h"
#include "codegen/emitters/simd/contraction/parts/Epilogue.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using txk::AmxTile;

namespace {

class AmxContraction {
public:
  explicit AmxContraction(KernelBuilder &kernel)
      : plan(kernel), kernel(kernel), b(kernel.b) {}

  bool matches(tx::OrderAttr order);
  FailureOr<Offers> offer();
  static FailureOr<EmittedKernels> emit(KernelBuilder &to);

private:
  int64_t sizeOf(unsigned loop) { return *constantOf(plan.loops.sizes[loop]); }
  int64_t tilesOf(unsigned loop, int64_t lanes) {
    return llvm::divideCeil(sizeOf(loop), lanes);
  }
  int64_t rowBlocks() const { return tiling.rows / AmxTile::side; }
  bool plans();
  LogicalResult readSchedule();
  bool isBf16() { return isa<FloatType>(plan.accumulator); }
  SmallVector<KernelSpec::Temporary> packedMemory();
  AmxPacking::Destination destinationOfX() {
    return {kernel.temporary(0), isBf16() ? kernel.temporary(1) : Value(),
            rowBlocks()};
  }
  LogicalResult packColumns(const WorkItem &item);
  Value batchOf(const Values &dims);
  void useSums(Value memory, Value begin, bool store);
  LogicalResult emitInSteps(Value x, Value y);
  Value tileOf(const Values &dims, unsigned loop, int64_t lanes, Value lane);
  bool prefetchesX();
  void prefetchX(Value x, Value first, Value end, Value block, Value tile);
  LogicalResult emitBlocks(Value x, Value y, Value first, Value end,
                           Value tile);
  LogicalResult emitPart(const WorkItem &item, Value first, Value end,
                         bool isFirst, bool isLast);
  LogicalResult emitItem(const WorkItem &item);
  FailureOr<KernelSpec> emitProducts();

  ContractionPlan plan;
  Tiling tiling{plan};
  Epilogue epilogue{plan, tiling};
  AmxPacking packing{plan, tiling};
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  /// Number of blocks along K in a part of K.
  int64_t partBlocks = 0;
  /// Sums of all tiles of an item between parts of K, and its tiles of y.
  Value sums;
  AmxPacking::Destination columns;
};

} // namespace

/// Plans the loops. Returns false if tile registers cannot multiply the
/// operands.
bool AmxContraction::plans() {
  if (kernel.target.getMatrixUnit() != MatrixUnit::TileRegisters ||
      failed(plan.planNest()) || plan.kLoops.size() != 1 ||
      !packing.groups.planTiles())
    return false;
  tiling.splitOuterLoops();
  auto isBatch = [&](unsigned loop) {
    return plan.roles[plan.loops.innermost[loop]] ==
           ContractionPlan::Role::Batch;
  };
  return tiling.sharedLoops.empty() &&
         llvm::all_of(tiling.batchLoops, isBatch) &&
         llvm::all_of(plan.loops.sizes,
                      [](AffineExpr size) { return constantOf(size); });
}

bool AmxContraction::matches(tx::OrderAttr order) {
  const CpuCosts &costs = kernel.costs();
  if (!plans() || !(isBf16() ? tx::isChains(order) : isFma(order)))
    return false;
  int64_t rows = sizeOf(plan.rowLoop), columns = sizeOf(plan.laneLoop),
          steps = sizeOf(plan.kLoops.front());
  int64_t batches = 1;
  for (unsigned loop : tiling.batchLoops)
    batches *= sizeOf(loop);
  return rows >= costs.minAmxRows && columns >= costs.minAmxColumns &&
         steps * wordBytes >= costs.minAmxSteps * packing.groups.groupSteps &&
         batches * std::max(rows, columns) * steps <= costs.maxPackedBytes;
}

FailureOr<Offers> AmxContraction::offer() {
  if (!plans())
    return failure();
  int64_t rows = sizeOf(plan.rowLoop), columns = sizeOf(plan.laneLoop);
  int64_t blocks = packing.countBlocks();
  // A part of x takes two thirds of L1.
  int64_t maxBlocksOfPart = std::max<int64_t>(
      1, kernel.target.getL1Bytes() * 2 / 3 / (2 * AmxTile::words * wordBytes));
  int64_t parts = llvm::divideCeil(blocks, maxBlocksOfPart);
  int64_t tileRows = rows <= AmxTile::side ? AmxTile::side : 2 * AmxTile::side;
  auto offer = [&](int64_t vectors, int64_t tiles, int64_t part) -> Numbers {
    return {{"rows", tileRows},
            {"vectors", vectors},
            {"tiles", tiles},
            {"part", part},
            {"lanes", AmxTile::side}};
  };
  int64_t vectors = columns <= AmxTile::side ? 1 : 2;
  int64_t panelBytes = blocks * vectors * AmxTile::words * wordBytes;
  int64_t tiles = kernel.target.getL2Bytes() / 2 / panelBytes;
  tiles = std::min<int64_t>(tiles,
                            llvm::divideCeil(columns, vectors * AmxTile::side));
  while (tiles > 1 &&
         llvm::divideCeil(rows, tileRows) *
                 llvm::divideCeil(columns, tiles * vectors * AmxTile::side) <
             static_cast<uint64_t>(kernel.costs().minPanelItems))
    tiles /= 2;
  tiles = std::clamp<int64_t>(tiles, 1, kernel.costs().maxAmxTiles);
  int64_t part = llvm::divideCeil(blocks, parts);
  Offers offers{offer(vectors, tiles, part)};
  for (int64_t otherTiles : {tiles, std::max<int64_t>(1, tiles / 2), tiles * 2})
    for (int64_t otherPart :
         {part, blocks, std::max<int64_t>(1, part / 2), part * 2})
      offers.push_back(offer(vectors, otherTiles, otherPart));
  return offers;
}

LogicalResult AmxContraction::readSchedule() {
  if (!plans())
    return failure();
  tiling.readSchedule();
  tiling.tilesOfItem = kernel.scheduled("tiles");
  partBlocks = kernel.scheduled("part");
  return success();
}

/// Returns the memory of packed x and of its magnitudes.
SmallVector<KernelSpec::Temporary> AmxContraction::packedMemory() {
  AffineExpr tiles = plan.constant(tilesOf(plan.rowLoop, tiling.rows));
  for (unsigned batch : tiling.batchLoops)
    tiles = tiles * plan.loops.sizes[batch];
  auto temporary = [&](int64_t wordsPerTile) -> KernelSpec::Temporary {
    return {b.getI32Type(),
            kernel.names.simplify(tiles * plan.constant(wordsPerTile))};
  };
  SmallVector<KernelSpec::Temporary> list{
      temporary(tiling.rows * AmxTile::side * packing.countBlocks())};
  if (isBf16())
    list.push_back(temporary(1));
  return list;
}

/// Packs the item's tiles of y, if the previous item had others.
LogicalResult AmxContraction::packColumns(const WorkItem &item) {
  auto ifNew = scf::IfOp::create(b, item.isNew, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifNew.thenBlock());
  Values dims = item.dims;
  for (Value &dim : dims)
    if (!dim)
      dim = indexConstant(kernel, 0);
  Value first = b.createOrFold<arith::DivUIOp>(
      item.lane0, indexConstant(kernel, tiling.lanes()));
  Value before = b.createOrFold<arith::SubIOp>(indexConstant(kernel, 0), first);
  Value end = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(first,
                                    indexConstant(kernel, tiling.tilesOfItem)),
      indexConstant(kernel, tilesOf(plan.laneLoop, tiling.lanes())));
  return packing.packTiles(packing.groups.y, columns,
                           {dims, before, first, end});
}

Value AmxContraction::batchOf(const Values &dims) {
  Value batch = indexConstant(kernel, 0);
  for (unsigned loop : tiling.batchLoops)
    batch = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(batch,
                                      kernel.size(plan.loops.sizes[loop])),
        dims[loop]);
  return batch;
}

/// Loads or stores the tile registers of sums. `memory` holds a tile as
/// [row][column] from `begin` on.
void AmxContraction::useSums(Value memory, Value begin, bool store) {
  int64_t lanes = tiling.lanes();
  Value stride = indexConstant(kernel, lanes * wordBytes);
  for (int64_t r = 0; r < rowBlocks(); ++r)
    for (int64_t v = 0; v < tiling.vectors; ++v) {
      int64_t tile = r * tiling.vectors + v;
      Value at = b.createOrFold<arith::AddIOp>(
          begin, indexConstant(kernel, (r * lanes + v) * AmxTile::side));
      if (store)
        txk::AmxStoreOp::create(b, tile, memory, at, stride);
      else
        txk::AmxLoadOp::create(b, tile, memory, at, stride, /*once=*/false);
    }
}

/// True if x comes from the last-level cache, whose bandwidth is close to what
/// the products need.
bool AmxContraction::prefetchesX() {
  return tilesOf(plan.rowLoop, tiling.rows) * tiling.rows *
             packing.countBlocks() * AmxTile::side * wordBytes >
         kernel.target.getL2Bytes() / 2;
}

/// Prefetches into L2 what belongs to this block and tile of columns of the
/// part of x that is used next. Packed x is contiguous in the order of use.
void AmxContraction::prefetchX(Value x, Value first, Value end, Value block,
                               Value tile) {
  int64_t lines = llvm::divideCeil(tiling.rows, tiling.tilesOfItem);
  auto times = [&](Value v, int64_t factor) {
    return b.createOrFold<arith::MulIOp>(v, indexConstant(kernel, factor));
  };
  auto plus = [&](Value v, Value w) {
    return b.createOrFold<arith::AddIOp>(v, w);
  };
  Value step = plus(b.createOrFold<arith::SubIOp>(block, first),
                    times(tile, partBlocks));
  Value at = plus(plus(x, times(end, rowBlocks() * AmxTile::words)),
                  times(step, lines * AmxTile::side));
  for (int64_t line = 0; line < lines; ++line)
    memref::PrefetchOp::create(
        b, kernel.temporary(0),
        plus(at, indexConstant(kernel, line * AmxTile::side)),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
}

/// Adds the products of the blocks [first, end) along K. `x` and `y` are the
/// indices at which the tiles begin in the packed operands, and `tile` is the
/// number of the tile of columns in its item.
LogicalResult AmxContraction::emitBlocks(Value x, Value y, Value first,
                                         Value end, Value tile) {
  Value stride = indexConstant(kernel, AmxTile::side * wordBytes);
  auto load = [&](int64_t tile, Value memory, Value begin, Value number,
                  int64_t perTile, int64_t block) {
    Value at = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::AddIOp>(
            begin,
            b.createOrFold<arith::MulIOp>(
                number, indexConstant(kernel, perTile * AmxTile::words))),
        indexConstant(kernel, block * AmxTile::words));
    txk::AmxLoadOp::create(b, tile, memory, at, stride,
                           /*once=*/memory == columns.memory);
  };
  auto add = [&](Value number, ValueRange) -> FailureOr<Values> {
    if (prefetchesX())
      prefetchX(x, first, end, number, tile);
    for (int64_t r = 0; r < rowBlocks(); ++r) {
      load(AmxTile::firstOfX + r, kernel.temporary(0), x, number, rowBlocks(),
           r);
      for (int64_t v = 0; v < tiling.vectors; ++v) {
        if (r == 0)
          load(AmxTile::firstOfY + v, columns.memory, y, number, tiling.vectors,
               v);
        txk::AmxDotOp::create(
            b, r * tiling.vectors + v, AmxTile::firstOfX + r,
            AmxTile::firstOfY + v,
            isBf16() ? Type(b.getBF16Type()) : packing.groups.narrow,
            packing.groups.x.isUnsigned, packing.groups.y.isUnsigned);
      }
    }
    return Values();
  };
  return success(succeeded(forRange(kernel, first, end, 1, {}, add)));
}

/// Returns the number, over all batches, of the tile whose first lane along
/// `loop` is `lane`.
Value AmxContraction::tileOf(const Values &dims, unsigned loop, int64_t lanes,
                             Value lane) {
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(
          batchOf(dims), indexConstant(kernel, tilesOf(loop, lanes))),
      b.createOrFold<arith::DivUIOp>(lane, indexConstant(kernel, lanes)));
}

/// Computes the sums of a tile of bf16 with FMAs, in the order in which tile
/// registers add: for each block, two chains of the even and of the odd steps.
LogicalResult AmxContraction::emitInSteps(Value x, Value y) {
  auto words = VectorType::get({AmxTile::side}, b.getI32Type());
  int64_t vectors = tiling.vectors;
  auto at = [&](Value base,
                std::initializer_list<std::pair<Value, int64_t>> terms) {
    for (auto [index, factor] : terms)
      base = b.createOrFold<arith::AddIOp>(
          base,
          b.createOrFold<arith::MulIOp>(index, indexConstant(kernel, factor)));
    return base;
  };
  Value zero = constantOf(b, b.getLoc(), tiling.vectorType(), 0);
  Value begin = indexConstant(kernel, 0),
        side = indexConstant(kernel, AmxTile::side);
  auto ofRow = [&](Value row, ValueRange) -> FailureOr<Values> {
    Value rowBlock = b.createOrFold<arith::DivUIOp>(row, side),
          inBlock = b.createOrFold<arith::RemUIOp>(row, side);
    auto ofBlock = [&](Value block, ValueRange sums) -> FailureOr<Values> {
      auto ofWord = [&](Value word, ValueRange chains) -> FailureOr<Values> {
        Value index = at(x, {{block, rowBlocks() * AmxTile::words},
                             {rowBlock, AmxTile::words},
                             {inBlock, AmxTile::side},
                             {word, 1}});
        Value factor = vector::BroadcastOp::create(
            b, words,
            memref::LoadOp::create(b, kernel.temporary(0), ValueRange{index}));
        Values next(chains);
        for (int64_t v = 0; v < vectors; ++v) {
          Value column = vector::LoadOp::create(
              b, words, columns.memory,
              at(y, {{block, vectors * AmxTile::words},
                     {indexConstant(kernel, v), AmxTile::words},
                     {word, AmxTile::side}}));
          for (bool odd : {false, true}) {
            Value &chain = next[2 * v + odd];
            chain = plan.multiplyAdd(halvesOf(b, factor, odd),
                                     halvesOf(b, column, odd), chain);
          }
        }
        return next;
      };
      auto chains =
          forRange(kernel, begin, side, 1, Values(2 * vectors, zero), ofWord);
      if (failed(chains))
        return failure();
      Values next(sums);
      for (int64_t v = 0; v < vectors; ++v)
        next[v] = arith::AddFOp::create(
            b, next[v],
            arith::AddFOp::create(b, (*chains)[2 * v], (*chains)[2 * v + 1]));
      return next;
    };
    auto sums =
        forRange(kernel, begin, indexConstant(kernel, packing.countBlocks()), 1,
                 Values(vectors, zero), ofBlock);
    if (failed(sums))
      return failure();
    for (auto [v, sum] : llvm::enumerate(*sums))
      vector::StoreOp::create(b, sum, epilogue.accumulators,
                              at(indexConstant(kernel, v * AmxTile::side),
                                 {{row, tiling.lanes()}}));
    return Values();
  };
  return success(succeeded(forRange(
      kernel, begin, indexConstant(kernel, tiling.rows), 1, {}, ofRow)));
}

/// Emits the part [first, end) of K for all tiles of the item.
LogicalResult AmxContraction::emitPart(const WorkItem &item, Value first,
                                       Value end, bool isFirst, bool isLast) {
  int64_t lanes = tiling.lanes(), blocks = packing.countBlocks();
  Value tileOfX = tileOf(item.dims, plan.rowLoop, tiling.rows, item.first.row);
  auto beginOf = [&](Value tile, int64_t lanes) {
    return b.createOrFold<arith::MulIOp>(
        tile, indexConstant(kernel, lanes * AmxTile::side * blocks));
  };
  Value x = beginOf(tileOfX, tiling.rows);
  return tiling.forEachTile(item, [&](Value number, Value lane0) {
    Value y = beginOf(number, lanes);
    Value inSums = b.createOrFold<arith::MulIOp>(
        number, indexConstant(kernel, tiling.rows * lanes));
    auto addBlocks = [&]() -> LogicalResult {
      if (isFirst)
        for (int64_t i = 0; i < rowBlocks() * tiling.vectors; ++i)
          txk::AmxZeroOp::create(b, i);
      else
        useSums(sums, inSums, /*store=*/false);
      if (failed(emitBlocks(x, y, first, end, number)))
        return failure();
      useSums(isLast ? epilogue.accumulators : sums,
              isLast ? indexConstant(kernel, 0) : inSums, /*store=*/true);
      return success();
    };
    if (isBf16()) {
      auto smallest = [&](Value memory, Value tile) {
        return memref::LoadOp::create(b, memory, ValueRange{tile});
      };
      auto ifNormal =
          scf::IfOp::create(b,
                            areNormal(b, smallest(kernel.temporary(1), tileOfX),
                                      smallest(columns.magnitudes, number)),
                            /*withElseRegion=*/isLast);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(ifNormal.thenBlock());
      if (failed(addBlocks()))
        return failure();
      if (isLast) {
        b.setInsertionPointToStart(ifNormal.elseBlock());
        if (failed(emitInSteps(x, y)))
          return failure();
      }
    } else if (failed(addBlocks())) {
      return failure();
    }
    if (!isLast)
      return success();
    Tile tile;
    tiling.placeLanes(lane0, tile);
    tile.firstRow = item.first.row;
    return epilogue.emit(item.dims, item.first, tile);
  });
}

LogicalResult AmxContraction::emitItem(const WorkItem &item) {
  if (failed(packColumns(item)))
    return failure();
  int64_t blocks = packing.countBlocks();
  int64_t parts = llvm::divideCeil(blocks, partBlocks);
  auto at = [&](int64_t part) {
    return indexConstant(kernel, std::min(part * partBlocks, blocks));
  };
  if (parts == 1)
    return emitPart(item, at(0), at(1), true, true);
  if (failed(emitPart(item, at(0), at(1), true, false)))
    return failure();
  auto between = [&](Value first, ValueRange) -> FailureOr<Values> {
    Value end =
        b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, partBlocks));
    if (failed(emitPart(item, first, end, false, false)))
      return failure();
    return Values();
  };
  if (parts > 2 &&
      failed(forRange(kernel, at(1), at(parts - 1), partBlocks, {}, between)))
    return failure();
  return emitPart(item, at(parts - 1), at(parts), false, true);
}

FailureOr<KernelSpec> AmxContraction::emitProducts() {
  epilogue.allocate();
  int64_t lanesOfItem = tiling.tilesOfItem * tiling.lanes();
  int64_t sumsOfItem =
      packing.countBlocks() > partBlocks ? tiling.rows * lanesOfItem : 0;
  int64_t wordsOfItem = packing.countBlocks() * lanesOfItem * AmxTile::side;
  auto view = [&](int64_t from, int64_t count) {
    return memref::ViewOp::create(
        b, MemRefType::get({ShapedType::kDynamic}, b.getI32Type()),
        kernel.scratch(), indexConstant(kernel, from * wordBytes),
        ValueRange{indexConstant(kernel, count)});
  };
  columns.memory = view(0, wordsOfItem);
  columns.blocksPerTile = tiling.vectors;
  if (sumsOfItem)
    sums = view(wordsOfItem, sumsOfItem);
  if (isBf16()) {
    packing.allocate(tiling.tilesOfItem);
    columns.magnitudes = memref::AllocaOp::create(
        b, MemRefType::get({tiling.tilesOfItem}, b.getI32Type()));
  }
  Value configuration = memref::AllocaOp::create(
      b, MemRefType::get({64}, b.getI8Type()), b.getI64IntegerAttr(64));
  txk::AmxConfigureOp::create(b, configuration);
  SmallVector<AffineExpr> work = tiling.workOf(lanesOfItem);
  auto ofItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    if (failed(emitItem(tiling.beginItem(item, work, lanesOfItem))))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, ofItem)))
    return failure();
  txk::AmxReleaseOp::create(b);
  int64_t products = tiling.rows * lanesOfItem * sizeOf(plan.kLoops.front());
  return kernel.finish(kernel.names.product(work),
                       plan.constant(llvm::divideCeil(
                           kernel.costs().grainAmxProducts, products)),
                       plan.constant((wordsOfItem + sumsOfItem) * wordBytes));
}

FailureOr<EmittedKernels> AmxContraction::emit(KernelBuilder &to) {
  AmxContraction products(to);
  if (failed(products.readSchedule()))
    return failure();
  EmittedKernels result;
  result.temporaries = products.packedMemory();
  KernelBuilder ofX(to, "_rows");
  for (KernelBuilder *kernel : {&ofX, &to})
    kernel->addTemporaries(result.temporaries);
  AmxContraction rows(ofX);
  if (failed(rows.readSchedule()))
    return failure();
  for (FailureOr<KernelSpec> spec :
       {rows.packing.emit(rows.packing.groups.x, rows.destinationOfX(),
                          rows.tiling.batchLoops),
        products.emitProducts()}) {
    if (failed(spec))
      return failure();
    result.launches.push_back(*spec);
  }
  return result;
}

const Skeleton contractionAmx = {
    .name = "amx",
    .kind = tx::kinds::contraction,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return AmxContraction(fusion).matches(order);
        },
    .schedules = [](KernelBuilder &fusion,
                    tx::OrderAttr) { return AmxContraction(fusion).offer(); },
    .emit = AmxContraction::emit,
    .order = contractionOrder,
    // Only the last kernel writes outputs. Its epilogue reads and writes each
    // element once, so an output may alias an input.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
