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
    FailureOr<Value> element = elementOfX(at, place, r);
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
  auto type = VectorType::get({tiling.width}, accumulator);
  if (rowsAhead)
    askForRows(dims, place);
  if (place.packedRows)
    askForPacked(dims, place);
  askForPixels(dims, place);
  if (blockAhead)
    askForBlock(dims, place);
  if (stepsAhead)
    askForSteps(dims, place);
  if (!resultsAhead.empty())
    askForResults(dims, place);
  Values columns;
  if (panel) {
    for (unsigned v = 0; v < place.laneAt.size(); ++v)
      columns.push_back(vector::LoadOp::create(
          b, type, panel,
          panelPlace(dims, sumLoops, loops.sizes,
                     indexConstant(kernel, v * tiling.width))));
  } else {
    FailureOr<Values> read = columnsOf(dims, place);
    if (failed(read))
      return failure();
    columns = *read;
  }
  Values next(carried);
  if (failed(multiply(dims, place, columns, 0, next)))
    return failure();
  return next;
}

FailureOr<SmallVector<Value>>
ContractionSkeleton::sumOver(ArrayRef<unsigned> sumLoops,
                             ArrayRef<AffineExpr> sizes, Values dims,
                             ValueRange carried, Step step, const Tile *place) {
  if (sumLoops.empty())
    return step(dims, carried);
  if (place && sumLoops.size() == 1)
    askForGroup(dims, *place);
  unsigned loop = sumLoops.front();
  return forRange(kernel, indexConstant(kernel, 0), kernel.size(sizes[loop]), 1,
                  carried, [&](Value k, ValueRange sums) {
                    Values at = dims;
                    at[loop] = k;
                    return sumOver(sumLoops.drop_front(), sizes, at, sums, step,
                                   place);
                  });
}

LogicalResult ContractionSkeleton::emitTile(const Values &dims,
                                            const Row &first, Tile &place) {
  tiling.placeRows(first, place);
  if (packedTile)
    place.packedRows = packedPlace(dims, first.row);
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
  if (wideRows && !packedTile && failed(widenRows(dims, place)))
    return failure();
  if (y->alongSum && !panel)
    return sumTurned(dims, place, zeros, store);
  FailureOr<Values> sums =
      sumBlocks(dims, place, zeros, [&](const Values &at, ValueRange carried) {
        return step(at, place, carried);
      });
  if (failed(sums))
    return failure();
  if (inHalves)
    weave(*sums);
  store(*sums);
  return success();
}

/// y is read in place, in blocks that are turned in registers.
LogicalResult
ContractionSkeleton::sumTurned(const Values &dims, const Tile &place,
                               Values zeros,
                               llvm::function_ref<void(ValueRange)> store) {
  Tile of = place;
  if (takesTurns(place)) {
    store(zeros);
    zeros.clear();
    of.laneAt.truncate(1);
  }
  FailureOr<Values> sums = sumOverBlocks(
      0, dims, place, zeros,
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
    if (failed(pack(begin.dims, place)))
      return failure();
  }
  if (panelAhead) {
    place.isFirst = begin.isNew;
    planNextPanel(item, work, place);
  }
  if (blockAhead)
    place.number = b.createOrFold<arith::RemUIOp>(
        item, indexConstant(kernel, blockAhead->tiles));
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

FailureOr<KernelSpec> ContractionSkeleton::emitTilesOf() {
  bool inPlace = isInPlace();
  planReadLoops(inPlace);
  inHalves = sharesBytes();
  epilogue.allocate();
  AffineExpr scratch = planWideRows(planPanel(inPlace));
  if (AffineExpr forRows = planRows()) {
    scratch = forRows;
    if (failed(packRows()))
      return failure();
  }
  planRowsAhead();
  planPixelsAhead();
  planBlockAhead();
  planStepsAhead();
  planResultsAhead();
  planPanelAhead();
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
