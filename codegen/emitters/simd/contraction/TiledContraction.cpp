//===- TiledContraction.cpp - Contraction in register tiles (GEMM) --------===//
//
// x and y are read through the expression emitter, which fuses the ops that
// compute them. Accumulators stay in registers for the whole K loop. Each adds
// its products in the order of k with FMAs, whatever the tile size. y is read
// in place if one tile holds all rows, or if y is laid out in memory as its
// panels would be. In the second case x may be packed instead, because its
// stride may be a power of two.
//
// In a convolution, the rows of the contraction are the pixels of all image
// rows and images, so they form several loops. All rows share a panel, so these
// loops run inside the loop over columns. An image row may be shorter than a
// tile, which then covers several image rows.
//
// If y is contiguous along K (x times a transposed y), blocks of y are
// transposed in registers, either into the panel or right before they are
// multiplied. The order of additions does not change.
//
// Packing a panel has its own loops, because the loops of the contraction
// collapse the dims of the result and of x. If y is windows of an image, its
// columns are several contiguous runs in memory, and K is several loops.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/contraction/TiledContraction.h"
#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/TileChoice.h"
#include "codegen/emitters/simd/contraction/parts/MicroKernel.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

//===----------------------------------------------------------------------===//
// The tile
//===----------------------------------------------------------------------===//

FailureOr<Values> TiledContraction::emitStep(const Values &dims,
                                             const Tile &tile,
                                             ValueRange carried) {
  streams.emitStep(dims, tile);
  FailureOr<Values> vectors =
      panel ? panel->load(dims, tile) : columns->load(dims, tile);
  Values next(carried);
  if (failed(vectors) ||
      failed(multiply(plan, tiling, x, dims, tile, *vectors, 0, next)))
    return failure();
  return next;
}

LogicalResult TiledContraction::emitTile(const Values &dims, const Row &first,
                                         Tile &tile, ComputeTile compute) {
  tiling.placeRows(first, tile);
  if (x.isPacked())
    tile.packedRows = x.packedOffset(dims, first.row);
  if (failed(compute(dims, tile)))
    return failure();
  return epilogue.emit(dims, first, tile);
}

LogicalResult TiledContraction::computeTile(const Values &dims,
                                            const Tile &tile) {
  Values zeros(tiling.outer * tiling.rows * tile.laneAt.size(),
               constantOf(b, b.getLoc(), tiling.vectorType(), 0));
  auto store = [&](ValueRange sums) {
    for (auto [i, sum] : llvm::enumerate(sums))
      vector::StoreOp::create(b, sum, epilogue.accumulators,
                              indexConstant(kernel, i * tiling.width));
  };
  if (x.isPerTile() && failed(x.packTile(dims, tile)))
    return failure();
  if (chains)
    return chains->emit(dims, tile, [&](const Values &at, ValueRange carried) {
      return emitStep(at, tile, carried);
    });
  if (y->alongK && !panel)
    return computeTransposed(dims, tile, zeros, store);
  FailureOr<Values> sums = streams.emitSteps(
      dims, tile, zeros,
      [&](const Values &at, ValueRange carried) {
        return emitStep(at, tile, carried);
      },
      [&](const Values &at) {
        if (!panel)
          columns->prefetchNextGroup(at, tile);
      });
  if (failed(sums))
    return failure();
  if (columns->interleaves())
    columns->interleave(*sums);
  store(*sums);
  return success();
}

/// Emits a tile whose y is read in place, in blocks that are transposed in
/// registers.
LogicalResult
TiledContraction::computeTransposed(const Values &dims, const Tile &tile,
                                    Values zeros,
                                    function_ref<void(ValueRange)> store) {
  Tile ofVector = tile;
  if (blocks->interleavesVectors(tile)) {
    store(zeros);
    zeros.clear();
    ofVector.laneAt.truncate(1);
  }
  unsigned inner = plan.kLoops.back();
  FailureOr<Values> sums = blocks->forEachBlock(
      dims, tile, zeros,
      [&](const Values &at, unsigned vector, ArrayRef<Value> block,
          ValueRange carried) -> FailureOr<Values> {
        Values next(carried), here = at;
        for (auto [k, column] : llvm::enumerate(block)) {
          here[inner] = b.createOrFold<arith::AddIOp>(at[inner],
                                                      indexConstant(kernel, k));
          if (failed(multiply(plan, tiling, x, here, ofVector, column, vector,
                              next)))
            return failure();
        }
        return next;
      });
  if (failed(sums))
    return failure();
  store(*sums);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops over tiles
//===----------------------------------------------------------------------===//

FailureOr<Values> TiledContraction::emitItem(Value item,
                                             ArrayRef<AffineExpr> work,
                                             ComputeTile compute) {
  WorkItem begun = tiling.beginItem(item, work, tiling.lanes());
  Tile tile;
  tiling.placeLanes(begun.lane0, tile);
  if (panel) {
    auto ifNew = scf::IfOp::create(b, begun.isNew, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifNew.thenBlock());
    if (failed(panel->pack(begun.dims, tile, *columns, *blocks)))
      return failure();
  }
  streams.beginTile(item, work, begun, panel ? &*panel : nullptr, *y, tile);
  auto emitPart = [&](Tile &part) {
    return emitTile(begun.dims, begun.first, part, compute);
  };
  if (failed(tiling.peelOuterRows(begun.first, [&]() -> LogicalResult {
        Tile copy = tile;
        return panel ? tiling.peelVectors(tile, emitPart) : emitPart(copy);
      })))
    return failure();
  return Values();
}

FailureOr<KernelSpec> TiledContraction::emitItems(AffineExpr scratch,
                                                  ComputeTile compute) {
  return tiling.emitItems(scratch, [&](Value item, ArrayRef<AffineExpr> work) {
    return emitItem(item, work, compute);
  });
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

void TiledContraction::planReads(bool inPlace) {
  if (inPlace) {
    y.emplace(ColumnReads::inPlace(plan));
  } else {
    auto planPanelLoops = [&](bool withY) {
      plan.planLoops(withY);
      tiling.splitOuterLoops();
      y.emplace(ColumnReads::forPanel(plan));
    };
    planPanelLoops(/*withY=*/false);
    // Only lanes of a single loop can be transposed in blocks.
    if (y->alongK && !y->runLoops.empty())
      planPanelLoops(/*withY=*/true);
  }
  columns.emplace(plan, tiling, *y, /*packs=*/!inPlace);
}

/// True if storing the result is most of the work: K is short, and L2 can hold
/// y but not the result. A block of rows is then computed across all columns
/// before the next block starts. Otherwise each tile would store only a few lines of each row, and
/// each row would miss the TLB.
bool TiledContraction::prefersRowOrder() {
  auto matrix = dyn_cast<BlockArgument>(plan.operandY());
  auto sizeOf = [&](unsigned loop) {
    return constantOf(plan.loops.sizes[loop]).value_or(0);
  };
  int64_t rows = sizeOf(plan.rowLoop), lanes = sizeOf(plan.laneLoop);
  if (!matrix || tiling.isOneTile() || !tiling.sharedLoops.empty() ||
      plan.kLoops.size() != 1 || x.isPacked() || rows * lanes == 0 ||
      kernelType(getElementTypeOrSelf(matrix.getType())) != plan.accumulator ||
      epilogue.storesTransposed())
    return false;
  int64_t steps = sizeOf(plan.kLoops.front());
  int64_t bytes = plan.accumulator.getIntOrFloatBitWidth() / 8;
  auto along = analysis::linearIn(
      plan.space->linearize(plan.yIndex, kernel.dims(matrix)), plan.laneLoop,
      *plan.space);
  return steps != 0 && steps <= kernel.costs().maxStepsAlongRows && along &&
         along->coefficient == plan.constant(1) &&
         2 * steps * lanes * bytes <= kernel.target.getL2Bytes() &&
         rows * lanes * bytes > kernel.target.getL2Bytes();
}

AffineExpr TiledContraction::planColumns(bool splitSharedBytes) {
  bool inPlace = tiling.isOneTile() || hasPanelLayout(plan, tiling.lanes()) ||
                 tiling.goesAlongRows;
  // Blocks that are transposed in registers hold consecutive K steps, which
  // belong to several chains.
  if (chains && ColumnReads::inPlace(plan).alongK)
    inPlace = false;
  planReads(inPlace);
  if (splitSharedBytes)
    columns->splitSharedBytes();
  epilogue.allocate();
  blocks.emplace(plan, tiling, *y, inPlace ? epilogue.accumulators : Value());
  blocks->allocate();
  if (inPlace)
    return {};
  panel.emplace(plan, tiling, *y);
  return panel->allocate();
}

void TiledContraction::planPrefetches() {
  streams.addNextRows(x);
  streams.addNextPackedRows(x);
  bool hasPixels = streams.addNextPixels(x);
  if (!panel)
    streams.addNextBlock();
  if (!hasPixels)
    streams.addLaterSteps(x);
  if (panel) {
    streams.addResults();
    if (!chains)
      streams.addNextPanel(*y);
  }
}

LogicalResult TiledContraction::readSchedule() {
  if (failed(plan.planNest()))
    return failure();
  tiling.readSchedule();
  tiling.outer = kernel.scheduled("outer");
  return success();
}

FailureOr<KernelSpec> TiledContraction::emitTiles() {
  tiling.goesAlongRows = prefersRowOrder();
  if (tx::isChains(kernel.fusion.getOrderAttr()))
    chains.emplace(plan, tiling, epilogue).allocate();
  AffineExpr scratch = planColumns(/*splitSharedBytes=*/!chains);
  if (panel && !x.isPacked() && widensRows(plan, tiling.outer))
    scratch = x.allocateTile(scratch);
  if (AffineExpr forRows = x.allocateShared()) {
    scratch = forRows;
    if (failed(x.packShared()))
      return failure();
  }
  planPrefetches();
  return emitItems(scratch, [&](const Values &dims, const Tile &tile) {
    return computeTile(dims, tile);
  });
}

FailureOr<KernelSpec> TiledContraction::emit() {
  if (failed(readSchedule()))
    return failure();
  return emitTiles();
}

FailureOr<Offers> TiledContraction::offer() {
  if (failed(plan.planNest()))
    return failure();
  tiling.splitOuterLoops();
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  Offers offers{chooseTile(plan, tiling)};
  for (int64_t vectors : {2, 1, 3, 4}) {
    // Besides accumulators, registers hold one row of columns and two more
    // values.
    int64_t maxRows = (registers - vectors - 2) / vectors;
    for (int64_t rows : {maxRows, maxRows / 2, int64_t(1)})
      if (rows > 0)
        offers.push_back({{"outer", 1},
                          {"rows", rows},
                          {"vectors", vectors},
                          {"lanes", lanes}});
  }
  return offers;
}

const Skeleton contraction = {
    .name = "panel",
    .kind = tx::kinds::contraction,
    .match = matchAll,
    .schedules = [](KernelBuilder &fusion,
                    tx::OrderAttr) { return TiledContraction(fusion).offer(); },
    .emit =
        [](KernelBuilder &kernel) {
          return single(TiledContraction(kernel).emit());
        },
    .order = contractionOrder,
    // The epilogue reads and writes each element once, so an output may alias
    // an input that only the epilogue reads.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
