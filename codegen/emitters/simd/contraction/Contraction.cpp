//===- Contraction.cpp - Skeleton of fusions around a dot_general ---------===//
//
// for each tile of rows x lanes of the output, those of the same lanes in turn:
//   if the lanes are new: panel[k][vector] = y(k, vector)
//   accumulators = 0
//   for k: accumulators[row][vector] += x(row, k) * panel[k][vector]
//   for each row of the tile: epilogue, store
//
// x and y are read through the expression emitter, so what computes them is
// fused. Accumulators stay in registers for the whole k loop: k in order, one
// fused multiply-add per element, whatever the tile. The panel lies in scratch:
// y's own rows are far apart, often by a power of two, which caches hold badly.
// Where one tile holds all rows, or y lies as its panel would, y is read in
// place. In the second case x is copied into tiles instead: its rows may be a
// power of two apart, too.
//
// Rows of a convolution are rows of an image, and of images: several loops. All
// of them share a panel, so they run within the lanes. A row of an image may be
// shorter than a tile, which then has several.
//
// Where memory holds y along k (x times a transposed y), no vector of columns
// lies side by side. As many columns as there are lanes are read along k, so
// many steps at once, and this block is transposed in registers: in the panel,
// or before it is multiplied. The order of the sum is the same.
//
// A panel is filled in loops of its own, because its lanes and sums are those
// of the result and of x. Where y is the windows of an image, its lanes are
// several runs through memory, and its sum has several loops.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

//===----------------------------------------------------------------------===//
// The tile
//===----------------------------------------------------------------------===//

/// The rows of x at one step of the sum times vectors of y there, of which the
/// first is the tile's `vector`.
LogicalResult ContractionSkeleton::multiply(const Values &dims,
                                            const Tile &place,
                                            ArrayRef<Value> columns,
                                            unsigned vector, Values &sums) {
  for (auto [r, row] : llvm::enumerate(place.rowAt)) {
    Values at = dims;
    tiling.setRow(at, row);
    FailureOr<Value> element = x.element(at, place, r);
    if (failed(element))
      return failure();
    Value x =
        vector::BroadcastOp::create(b, columns.front().getType(), *element);
    for (auto [v, column] : llvm::enumerate(columns)) {
      Value &sum = sums[r * place.laneAt.size() + vector + v];
      sum = multiplyAdd(x, column, sum);
    }
  }
  return success();
}

/// One step of the sum for the whole tile.
FailureOr<SmallVector<Value>> ContractionSkeleton::step(const Values &dims,
                                                        const Tile &place,
                                                        ValueRange carried) {
  streams.emitStep(dims, place);
  Values columns;
  if (panel) {
    columns = panel->load(dims, place);
  } else {
    FailureOr<Values> read = columnLoads->load(dims, place);
    if (failed(read))
      return failure();
    columns = *read;
  }
  Values next(carried);
  if (failed(multiply(dims, place, columns, 0, next)))
    return failure();
  return next;
}

LogicalResult ContractionSkeleton::emitTile(const Values &dims,
                                            const Row &first, Tile &place) {
  tiling.placeRows(first, place);
  if (x.isPacked())
    place.packedRows = x.packedPlace(dims, first.row);
  if (failed(sumTile(dims, place)))
    return failure();
  return epilogue.emit(dims, first, place);
}

LogicalResult ContractionSkeleton::sumTile(const Values &dims,
                                           const Tile &place) {
  auto type = VectorType::get({tiling.width}, accumulator);
  Values zeros(tiling.outer * tiling.rows * place.laneAt.size(),
               constantOf(b, b.getLoc(), type, 0));
  auto store = [&](ValueRange sums) {
    for (auto [i, sum] : llvm::enumerate(sums))
      vector::StoreOp::create(b, sum, epilogue.accumulators,
                              indexConstant(kernel, i * tiling.width));
  };
  if (x.isPerTile() && failed(x.packTile(dims, place)))
    return failure();
  if (y->alongSum && !panel)
    return sumTurned(dims, place, zeros, store);
  FailureOr<Values> sums = streams.emitSteps(
      dims, place, zeros,
      [&](const Values &at, ValueRange carried) {
        return step(at, place, carried);
      },
      [&](const Values &at) {
        if (!panel)
          columnLoads->prefetchNextGroup(at, place);
      });
  if (failed(sums))
    return failure();
  if (columnLoads->interleaves())
    columnLoads->interleave(*sums);
  store(*sums);
  return success();
}

/// y is read in place, in blocks that are turned in registers.
LogicalResult
ContractionSkeleton::sumTurned(const Values &dims, const Tile &place,
                               Values zeros,
                               llvm::function_ref<void(ValueRange)> store) {
  Tile of = place;
  if (transposedLoads->interleavesVectors(place)) {
    store(zeros);
    zeros.clear();
    of.laneAt.truncate(1);
  }
  FailureOr<Values> sums = transposedLoads->forEachBlock(
      dims, place, zeros,
      [&](const Values &at, unsigned vector, ArrayRef<Value> block,
          ValueRange carried) -> FailureOr<Values> {
        Values next(carried), here = at;
        Value first = at[sumLoops.back()];
        for (auto [k, column] : llvm::enumerate(block)) {
          here[sumLoops.back()] =
              b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, k));
          if (failed(multiply(here, of, column, vector, next)))
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
// Epilogue and loops over tiles
//===----------------------------------------------------------------------===//

/// One tile.
FailureOr<SmallVector<Value>>
ContractionSkeleton::emitItem(Value item, ArrayRef<AffineExpr> work) {
  WorkItem begin = tiling.beginItem(item, work, tiling.lanes());
  Tile place;
  tiling.placeLanes(begin.lane0, place);
  if (panel) {
    auto ifNew = scf::IfOp::create(b, begin.isNew, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifNew.thenBlock());
    if (failed(panel->pack(begin.dims, place, *columnLoads, *transposedLoads)))
      return failure();
  }
  streams.beginTile(item, work, begin, panel ? &*panel : nullptr, *y, place);
  if (failed(emitTiles(begin.dims, begin.first, place)))
    return failure();
  return Values();
}

/// The tile, and smaller ones where rows or vectors are left at the end.
LogicalResult ContractionSkeleton::emitTiles(const Values &dims,
                                             const Row &first,
                                             const Tile &place) {
  return tiling.peelOuterRows(first, [&]() -> LogicalResult {
    Tile whole = place;
    if (!panel)
      return emitTile(dims, first, whole);
    return tiling.peelVectors(
        place, [&](Tile &part) { return emitTile(dims, first, part); });
  });
}

FailureOr<Offers> ContractionSkeleton::offer() {
  if (failed(planNest()))
    return failure();
  tiling.splitOuterLoops();
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(accumulator);
  Offers offers{choose()};
  for (int64_t vectors : {2, 1, 3, 4}) {
    // Accumulators fill the registers except for the columns and two more.
    int64_t most = (registers - vectors - 2) / vectors;
    for (int64_t rows : {most, most / 2, int64_t(1)})
      if (rows > 0)
        offers.push_back({{"outer", 1},
                          {"rows", rows},
                          {"vectors", vectors},
                          {"lanes", lanes}});
  }
  return offers;
}

FailureOr<KernelSpec> ContractionSkeleton::emit() {
  if (failed(planNest()))
    return failure();
  tiling.readSchedule();
  tiling.outer = kernel.scheduled("outer");
  return emitTilesOf();
}

void ContractionSkeleton::planReadLoops(bool inPlace) {
  if (inPlace) {
    y.emplace(ColumnReads::inPlace(*this));
    columnLoads.emplace(*this, tiling, *y, /*packs=*/false);
    return;
  }
  auto planPanelLoops = [&](bool withY) {
    planLoops(withY);
    tiling.splitOuterLoops();
    y.emplace(ColumnReads::forPanel(*this));
  };
  planPanelLoops(/*withY=*/false);
  // Blocks that are transposed have their lanes along one loop.
  if (y->alongSum && !y->runLoops.empty())
    planPanelLoops(/*withY=*/true);
  columnLoads.emplace(*this, tiling, *y, /*packs=*/!inPlace);
}

/// Plans the panel if y is not read in place. Returns the scratch it needs.
AffineExpr ContractionSkeleton::planPanel(bool inPlace) {
  transposedLoads.emplace(*this, tiling, *y,
                          inPlace ? epilogue.accumulators : Value());
  transposedLoads->allocate();
  if (inPlace)
    return {};
  panel.emplace(*this, tiling, *y);
  return panel->allocate();
}

void ContractionSkeleton::planPrefetches() {
  streams.addNextRows(x);
  streams.addNextPackedRows(x);
  bool hasPixels = streams.addNextPixels(x);
  if (!panel)
    streams.addNextBlock();
  if (!hasPixels)
    streams.addLaterSteps(x);
  if (panel) {
    streams.addResults();
    streams.addNextPanel(*y);
  }
}

FailureOr<KernelSpec> ContractionSkeleton::emitTilesOf() {
  bool inPlace = isInPlace();
  planReadLoops(inPlace);
  columnLoads->splitSharedBytes();
  epilogue.allocate();
  AffineExpr scratch = planPanel(inPlace);
  if (panel && !x.isPacked() && widensRows(*this, tiling.outer))
    scratch = x.allocateTile(scratch);
  if (AffineExpr forRows = x.allocateShared()) {
    scratch = forRows;
    if (failed(x.packShared()))
      return failure();
  }
  planPrefetches();
  return emitItems(scratch);
}

FailureOr<KernelSpec> ContractionSkeleton::emitItems(AffineExpr scratch) {
  return tiling.emitItems(scratch, [&](Value item, ArrayRef<AffineExpr> work) {
    return emitItem(item, work);
  });
}

const Skeleton contraction = {
    .name = "panel",
    .kind = tx::kinds::contraction,
    .match = matchAll,
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return ContractionSkeleton(fusion).offer();
        },
    .emit =
        [](KernelBuilder &kernel) {
          return single(ContractionSkeleton(kernel).emit());
        },
    .order = contractionOrder,
    // The epilogue visits each element once, when its sum is complete.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
