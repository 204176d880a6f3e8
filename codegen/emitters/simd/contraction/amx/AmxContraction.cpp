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
#include "codegen/emitters/simd/contraction/amx/AmxColumns.h"
#include "codegen/emitters/simd/contraction/amx/KLoops.h"
#include "codegen/emitters/simd/contraction/amx/Magnitudes.h"
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
  /// Returns the number of rows, or nullopt if it is known only at run time.
  std::optional<int64_t> countRows() {
    return constantOf(plan.loops.sizes[plan.rowLoop]);
  }
  /// Returns the outer loops on which x depends.
  SmallVector<unsigned> outerLoopsOfX() {
    SmallVector<unsigned> loops(tiling.batchLoops);
    loops.append(tiling.sharedLoops.begin(), tiling.sharedLoops.end());
    return loops;
  }
  /// Returns how often all rows are computed with the same columns. A number
  /// that is known only at run time counts as one.
  int64_t countSharedRows() {
    int64_t count = 1;
    for (unsigned loop : tiling.sharedLoops)
      count *= constantOf(plan.loops.sizes[loop]).value_or(1);
    return count;
  }
  AffineExpr tilesOfRows() {
    return kernel.names.simplify(
        plan.loops.sizes[plan.rowLoop].ceilDiv(tiling.rows));
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
  Value batchOf(const Values &dims);
  void useSums(Value memory, Value begin, bool store);
  LogicalResult emitInSteps(Value x, Value y);
  Value tileOfRows(const Values &dims, Value row);
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
  AmxColumns columns{plan, tiling, packing};
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  /// Number of blocks along K in a part of K.
  int64_t partBlocks = 0;
  /// Sums of all tiles of an item between parts of K.
  Value sums;
};

} // namespace

/// Plans the loops. Returns false if tile registers cannot multiply the
/// operands.
bool AmxContraction::plans() {
  if (kernel.target.getMatrixUnit() != MatrixUnit::TileRegisters ||
      failed(plan.planNest()))
    return false;
  SmallVector<Value> read{plan.dot.getX()};
  if (columns.areWords()) {
    plan.planLoops(/*withY=*/false);
    joinKLoops(plan);
  } else {
    read.push_back(plan.dot.getY());
  }
  if (plan.kLoops.empty() || !packing.groups.planTiles())
    return false;
  if (splitKLoop(plan, read, packing.blockSteps()))
    packing.groups.planTiles();
  if (!packing.planSteps() || !columns.planWords())
    return false;
  tiling.splitOuterLoops();
  auto isBatch = [&](unsigned loop) {
    return plan.roles[plan.loops.innermost[loop]] ==
           ContractionPlan::Role::Batch;
  };
  return llvm::all_of(tiling.batchLoops, isBatch) &&
         constantOf(plan.loops.sizes[plan.laneLoop]);
}

bool AmxContraction::matches(tx::OrderAttr order) {
  const CpuCosts &costs = kernel.costs();
  if (!plans() || !(isBf16() ? tx::isChains(order) : isFma(order)))
    return false;
  // A size that is known only at run time counts as large, but not as too
  // large.
  std::optional<int64_t> rows = countRows();
  int64_t lanes = sizeOf(plan.laneLoop), steps = packing.countSteps();
  int64_t batches = 1;
  for (unsigned loop : outerLoopsOfX())
    batches *= constantOf(plan.loops.sizes[loop]).value_or(1);
  if (batches * std::max(rows.value_or(1), columns.isInPlace ? 1 : lanes) *
          steps >
      costs.maxPackedBytes)
    return false;
  // Each index of a shared loop has tiles of its own.
  if (!tiling.sharedLoops.empty() && rows && *rows < AmxTile::side)
    return false;
  // Vectors compute the order of bf16 at less than their usual speed, so that
  // tiles pay off for smaller products.
  int64_t part = isBf16() ? 4 : 1;
  return columns.isInPlace ||
         (rows.value_or(costs.minAmxRows) >= costs.minAmxRows / part &&
          lanes >= costs.minAmxColumns / part &&
          steps >= costs.minAmxSteps / part);
}

FailureOr<Offers> AmxContraction::offer() {
  if (!plans())
    return failure();
  // An unknown number of rows is taken for that of a text of BERT.
  int64_t rows = countRows().value_or(8 * AmxTile::side),
          lanes = sizeOf(plan.laneLoop);
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
  int64_t vectors = lanes <= AmxTile::side ? 1 : 2;
  int64_t panelBytes = blocks * vectors * AmxTile::words * wordBytes;
  int64_t tiles = kernel.target.getL2Bytes() / 2 / panelBytes;
  tiles = std::min<int64_t>(tiles,
                            llvm::divideCeil(lanes, vectors * AmxTile::side));
  while (tiles > 1 &&
         countSharedRows() * llvm::divideCeil(rows, tileRows) *
                 llvm::divideCeil(lanes, tiles * vectors * AmxTile::side) <
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
  AffineExpr tiles = tilesOfRows();
  for (unsigned loop : outerLoopsOfX())
    tiles = tiles * plan.loops.sizes[loop];
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

Value AmxContraction::batchOf(const Values &dims) {
  Value batch = indexConstant(kernel, 0);
  for (unsigned loop : outerLoopsOfX())
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
  return countSharedRows() *
             llvm::alignTo(countRows().value_or(0), tiling.rows) *
             packing.countBlocks() * AmxTile::side * wordBytes >
         static_cast<uint64_t>(kernel.target.getL2Bytes() / 2);
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
  auto loadRows = [&](Value number, int64_t r) {
    Value at = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::AddIOp>(
            x,
            b.createOrFold<arith::MulIOp>(
                number, indexConstant(kernel, rowBlocks() * AmxTile::words))),
        indexConstant(kernel, r * AmxTile::words));
    txk::AmxLoadOp::create(b, AmxTile::firstOfX + r, kernel.temporary(0), at,
                           stride, /*once=*/false);
  };
  auto add = [&](Value number, ValueRange) -> FailureOr<Values> {
    if (prefetchesX())
      prefetchX(x, first, end, number, tile);
    for (int64_t r = 0; r < rowBlocks(); ++r) {
      loadRows(number, r);
      for (int64_t v = 0; v < tiling.vectors; ++v) {
        if (r == 0)
          columns.loadBlock(AmxTile::firstOfY + v, y, number, v);
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

/// Returns the linear index, across all batches, of the tile whose first row is
/// `row`.
Value AmxContraction::tileOfRows(const Values &dims, Value row) {
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(batchOf(dims), kernel.size(tilesOfRows())),
      b.createOrFold<arith::DivUIOp>(row, indexConstant(kernel, tiling.rows)));
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
          Value column = columns.loadWords(y, block, v, word);
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
  Value tileOfX = tileOfRows(item.dims, item.first.row);
  Value x = b.createOrFold<arith::MulIOp>(
      tileOfX, indexConstant(kernel, tiling.rows * AmxTile::side * blocks));
  return tiling.forEachTile(item, [&](Value number, Value lane0) {
    Value y = columns.beginOf(number, lane0);
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
      Value ofX =
          memref::LoadOp::create(b, kernel.temporary(1), ValueRange{tileOfX});
      auto ifNormal = scf::IfOp::create(
          b, areNormal(b, ofX, columns.smallestOfTile(number)),
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
  if (failed(columns.begin(item)))
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
  int64_t wordsOfItem = columns.scratchWords();
  auto view = [&](int64_t from, int64_t count) {
    return memref::ViewOp::create(
        b, MemRefType::get({ShapedType::kDynamic}, b.getI32Type()),
        kernel.scratch(), indexConstant(kernel, from * wordBytes),
        ValueRange{indexConstant(kernel, count)});
  };
  columns.allocate(wordsOfItem ? view(0, wordsOfItem) : Value(), isBf16());
  if (sumsOfItem)
    sums = view(wordsOfItem, sumsOfItem);
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
  int64_t products = tiling.rows * lanesOfItem * packing.countSteps();
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
                          rows.outerLoopsOfX()),
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
