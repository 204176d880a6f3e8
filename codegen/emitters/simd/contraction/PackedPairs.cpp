//===- PackedPairs.cpp - Contraction of bf16 with packed operands ---------===//
//
// first kernel, for each block of x:
//   pack x as [tile][pair][row] or [tile][row][pair]; find the smallest
//   magnitude of each tile
// second kernel, for each panel of y:
//   pack y as [panel][pair][vector]; find the smallest magnitude of each panel
// third kernel: the tiles of PairedContraction.cpp, without packing
//
// With many tiles it pays to pack each operand once for all tiles and threads.
// The third kernel also has more registers for accumulators, as it packs
// nothing.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/PairKernel.h"
#include "codegen/emitters/simd/contraction/PairedContraction.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

namespace {

class PackedPairs {
public:
  explicit PackedPairs(KernelBuilder &kernel)
      : plan(kernel), kernel(kernel), b(kernel.b) {}

  bool matches();
  FailureOr<Offers> offer();
  static FailureOr<EmittedKernels> emit(KernelBuilder &to);

private:
  LogicalResult readSchedule();
  AffineExpr rowTiles() {
    return plan.loops.sizes[plan.rowLoop].ceilDiv(tiling.rows);
  }
  AffineExpr lanePanels() {
    return plan.loops.sizes[plan.laneLoop].ceilDiv(tiling.lanes());
  }
  AffineExpr countOf(AffineExpr tilesOfBatch);
  Value numberOf(const Values &dims, Value number, AffineExpr tilesOfBatch);
  SmallVector<KernelSpec::Temporary> packedMemory();
  void useMemory();
  void beginRows(const Values &dims, Value number);
  FailureOr<KernelSpec> emitRows();
  FailureOr<KernelSpec> emitColumns();
  FailureOr<KernelSpec> emitProducts();
  void addPrefetches();
  FailureOr<Values> emitItem(Value item, ArrayRef<AffineExpr> work);

  ContractionPlan plan;
  Tiling tiling{plan};
  Epilogue epilogue{plan, tiling};
  PairPacking packing{plan, tiling};
  PairKernel products{plan, tiling, packing, epilogue};
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  /// Stride of the tiles of x, in pairs.
  AffineExpr tileStride;
  /// `minMagnitudeOfTiles`: buffer of the smallest magnitude in each tile of x.
  /// `tileNumber`: number of the current tile.
  Value minMagnitudeOfTiles, tileNumber;
};

} // namespace

bool PackedPairs::matches() {
  const CpuCosts &costs = kernel.costs();
  if (!multipliesPairs(plan))
    return false;
  tiling.splitOuterLoops();
  auto isBatch = [&](unsigned loop) {
    return plan.roles[plan.loops.innermost[loop]] ==
           ContractionPlan::Role::Batch;
  };
  if (!tiling.sharedLoops.empty() || !llvm::all_of(tiling.batchLoops, isBatch))
    return false;
  for (AffineExpr size : plan.loops.sizes)
    if (!constantOf(size))
      return false;
  auto sizeOf = [&](unsigned loop) {
    return *constantOf(plan.loops.sizes[loop]);
  };
  int64_t lines = std::max(sizeOf(plan.rowLoop), sizeOf(plan.laneLoop));
  for (unsigned loop : tiling.batchLoops)
    lines *= sizeOf(loop);
  bool isLarge =
      sizeOf(plan.laneLoop) * sizeOf(plan.kLoops.front()) * pairBytes / 2 >
      costs.largePackedPairBytes;
  int64_t minimum = isLarge && !*isXContiguousAlongRows(plan)
                        ? costs.minPackedPairRowsOfLarge
                        : costs.minPackedPairRows;
  return sizeOf(plan.rowLoop) >= minimum &&
         sizeOf(plan.laneLoop) >= costs.minPackedPairColumns &&
         sizeOf(plan.kLoops.front()) >= costs.minPackedSteps &&
         lines * sizeOf(plan.kLoops.front()) * pairBytes / 2 <=
             costs.maxPackedBytes;
}

/// Offers tile sizes. Registers hold the accumulators, one row of columns, an
/// element of x, and a constant of the f32 fallback that LLVM hoists out of the
/// K loop.
FailureOr<Offers> PackedPairs::offer() {
  if (failed(plan.planNest()))
    return failure();
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t count = *constantOf(plan.loops.sizes[plan.rowLoop]);
  Offers offers;
  for (int64_t vectors : {2, 1, 3, 4}) {
    int64_t maxRows = (registers - vectors - 3) / vectors;
    int64_t evenly = llvm::divideCeil(count, llvm::divideCeil(count, maxRows));
    for (int64_t rows : {evenly, maxRows, maxRows / 2, int64_t(1)})
      offers.push_back({{"rows", rows},
                        {"vectors", vectors},
                        {"lanes", kernel.target.getLanes(plan.accumulator)}});
  }
  return offers;
}

/// Reads the schedule and sets the strides. Tiles (or rows) are padded by one
/// vector, so that they do not map to the same L1 sets.
LogicalResult PackedPairs::readSchedule() {
  if (failed(plan.planNest()))
    return failure();
  tiling.readSchedule();
  packing.layOut();
  if (packing.x.alongRows) {
    packing.x.rowStride = plan.constant(1);
    packing.x.pairStride =
        plan.constant(llvm::alignTo(tiling.rows, tiling.width));
    tileStride = kernel.names.simplify(packing.pairs * packing.x.pairStride +
                                       plan.constant(tiling.width));
  } else {
    tileStride =
        kernel.names.simplify(packing.x.rowStride * plan.constant(tiling.rows));
  }
  return success();
}

AffineExpr PackedPairs::countOf(AffineExpr tilesOfBatch) {
  AffineExpr count = tilesOfBatch;
  for (unsigned loop : tiling.batchLoops)
    count = count * plan.loops.sizes[loop];
  return kernel.names.simplify(count);
}

/// Returns the number across batches of tile (or panel) `number` of the batch
/// in `dims`. Each batch has `tilesOfBatch` of them.
Value PackedPairs::numberOf(const Values &dims, Value number,
                            AffineExpr tilesOfBatch) {
  Value batch = indexConstant(kernel, 0);
  for (unsigned loop : tiling.batchLoops)
    batch = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(batch,
                                      kernel.size(plan.loops.sizes[loop])),
        dims[loop]);
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(
          batch, kernel.size(kernel.names.simplify(tilesOfBatch))),
      number);
}

SmallVector<KernelSpec::Temporary> PackedPairs::packedMemory() {
  AffineExpr tiles = countOf(rowTiles()), panels = countOf(lanePanels());
  Type word = b.getI32Type();
  return {{word, kernel.names.simplify(tiles * tileStride)},
          {word, tiles},
          {word, kernel.names.simplify(panels * packing.panels.stride)},
          {word, panels}};
}

void PackedPairs::useMemory() {
  packing.x.memory = kernel.temporary(0);
  minMagnitudeOfTiles = kernel.temporary(1);
  packing.panels.memory = kernel.temporary(2);
  packing.panels.minMagnitude = kernel.temporary(3);
}

/// Makes tile `number` of the batch in `dims` the current tile of x.
void PackedPairs::beginRows(const Values &dims, Value number) {
  tileNumber = numberOf(dims, number, rowTiles());
  packing.x.begin =
      b.createOrFold<arith::MulIOp>(tileNumber, kernel.size(tileStride));
}

FailureOr<KernelSpec> PackedPairs::emitRows() {
  useMemory();
  int64_t tilesOfItem =
      packing.x.alongRows ? kernel.costs().packingPairTiles : 1;
  packing.minMagnitude = memref::AllocaOp::create(
      b, MemRefType::get({tilesOfItem * 2 * tiling.width}, b.getI16Type()),
      b.getI64IntegerAttr(64));
  SmallVector<AffineExpr> work;
  for (unsigned loop : tiling.batchLoops)
    work.push_back(plan.loops.sizes[loop]);
  AffineExpr tiles = kernel.names.simplify(rowTiles());
  work.push_back(kernel.names.simplify(tiles.ceilDiv(tilesOfItem)));
  auto ofItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work);
    Values dims(plan.loops.sizes.size(), indexConstant(kernel, 0));
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
                     packing.minMagnitudeAt = b.createOrFold<arith::MulIOp>(
                         b.createOrFold<arith::SubIOp>(number, first),
                         indexConstant(kernel, 2 * tiling.width));
                     beginRows(dims, number);
                     if (failed(body(number)))
                       return failure();
                     return Values();
                   })));
    };
    auto begin = [&](Value) {
      packing.beginMinMagnitude();
      return success();
    };
    auto finish = [&](Value) {
      memref::StoreOp::create(b, packing.endMinMagnitude(), minMagnitudeOfTiles,
                              tileNumber);
      return success();
    };
    auto packRows = [&](Value number) {
      Tile tile;
      tiling.placeRows({{},
                        b.createOrFold<arith::MulIOp>(
                            number, indexConstant(kernel, tiling.rows))},
                       tile);
      return packing.packRowsOfX(dims, tile);
    };
    auto packSteps = [&](Value step, bool isTail) {
      return overTiles([&](Value number) {
        return packing.packStepOfX(dims, number, step, isTail);
      });
    };
    if (failed(overTiles(begin)) ||
        failed(packing.x.alongRows ? packing.forEachStep(2, packSteps)
                                   : overTiles(packRows)) ||
        failed(overTiles(finish)))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, ofItem)))
    return failure();
  int64_t each = tilesOfItem * tiling.rows * *constantOf(packing.pairs);
  return kernel.finish(
      kernel.names.product(work),
      plan.constant(llvm::divideCeil(kernel.costs().packingGrain / 2, each)));
}

FailureOr<KernelSpec> PackedPairs::emitColumns() {
  useMemory();
  packing.minMagnitude = memref::AllocaOp::create(
      b, MemRefType::get({2 * tiling.width}, b.getI16Type()),
      b.getI64IntegerAttr(64));
  packing.minMagnitudeAt = indexConstant(kernel, 0);
  SmallVector<AffineExpr> work;
  for (unsigned loop : tiling.batchLoops)
    work.push_back(plan.loops.sizes[loop]);
  work.push_back(kernel.names.simplify(lanePanels()));
  auto ofItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work);
    Values dims(plan.loops.sizes.size(), indexConstant(kernel, 0));
    Value number = at.pop_back_val();
    for (auto [loop, value] : llvm::zip_equal(tiling.batchLoops, at))
      dims[loop] = value;
    Tile tile;
    tiling.placeLanes(b.createOrFold<arith::MulIOp>(
                          number, indexConstant(kernel, tiling.lanes())),
                      tile);
    packing.beginPanel(numberOf(dims, number, lanePanels()));
    if (failed(packing.packPanel(dims, tile)))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, ofItem)))
    return failure();
  int64_t each = tiling.lanes() * *constantOf(packing.pairs);
  return kernel.finish(
      kernel.names.product(work),
      plan.constant(llvm::divideCeil(kernel.costs().packingGrain / 2, each)));
}

/// Emits the product of one tile of packed rows and one packed panel.
FailureOr<Values> PackedPairs::emitItem(Value item, ArrayRef<AffineExpr> work) {
  int64_t lanes = tiling.lanes();
  WorkItem begin = tiling.beginItem(item, work, lanes);
  Tile tile;
  tiling.placeLanes(begin.lane0, tile);
  packing.beginPanel(numberOf(
      begin.dims,
      b.createOrFold<arith::DivUIOp>(begin.lane0, indexConstant(kernel, lanes)),
      lanePanels()));
  beginRows(begin.dims,
            b.createOrFold<arith::DivUIOp>(begin.first.row,
                                           indexConstant(kernel, tiling.rows)));
  packing.x.minMagnitude =
      memref::LoadOp::create(b, minMagnitudeOfTiles, tileNumber);
  if (failed(products.emitTile(begin.dims, begin.first, tile)))
    return failure();
  return Values();
}

/// Adds prefetches of the next tile's rows, which follow those of this tile in
/// memory: about one cache line per pair.
void PackedPairs::addPrefetches() {
  int64_t each = kernel.target.getCacheLineBytes() / pairBytes;
  int64_t moves = packing.x.alongRows ? llvm::alignTo(tiling.rows, tiling.width)
                                      : tiling.rows;
  products.streams.add(
      {packing.x.memory, [=, this](const Values &dims, const Tile &,
                                   PrefetchStream::Visit visit) {
         Value next = b.createOrFold<arith::AddIOp>(
             b.createOrFold<arith::AddIOp>(packing.x.begin,
                                           kernel.size(tileStride)),
             b.createOrFold<arith::MulIOp>(dims[plan.kLoops.front()],
                                           indexConstant(kernel, moves)));
         for (int64_t line = 0; line < tiling.rows; line += each)
           visit(b.createOrFold<arith::AddIOp>(next,
                                               indexConstant(kernel, line)));
       }});
}

FailureOr<KernelSpec> PackedPairs::emitProducts() {
  useMemory();
  epilogue.allocate();
  addPrefetches();
  return tiling.emitItems({}, [&](Value item, ArrayRef<AffineExpr> work) {
    return emitItem(item, work);
  });
}

FailureOr<EmittedKernels> PackedPairs::emit(KernelBuilder &to) {
  PackedPairs products(to);
  if (failed(products.readSchedule()))
    return failure();
  EmittedKernels result;
  result.temporaries = products.packedMemory();
  KernelBuilder ofX(to, "_rows"), ofY(to, "_columns");
  for (KernelBuilder *kernel : {&ofX, &ofY, &to})
    kernel->addTemporaries(result.temporaries);
  PackedPairs rows(ofX), columns(ofY);
  if (failed(rows.readSchedule()) || failed(columns.readSchedule()))
    return failure();
  for (FailureOr<KernelSpec> spec :
       {rows.emitRows(), columns.emitColumns(), products.emitProducts()}) {
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
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return isFma(order) && PackedPairs(fusion).matches();
        },
    .schedules = [](KernelBuilder &fusion,
                    tx::OrderAttr) { return PackedPairs(fusion).offer(); },
    .emit = PackedPairs::emit,
    .order = contractionOrder,
    // Only the last kernel writes outputs. Its epilogue reads and writes each
    // element once, so an output may alias an input.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
