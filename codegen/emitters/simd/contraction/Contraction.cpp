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

/// Multiply-adds of a grain, for each row of a tile. One row waits for y's
/// memory, eight rows wait for the multiply-adds. Either takes about 5 us, as
/// long as waking another thread does (docs/design/0098).
static constexpr int64_t grainFlopsOfRow = 65536, rowsOfGrain = 8;

using Values = SmallVector<Value>;

//===----------------------------------------------------------------------===//
// The tile
//===----------------------------------------------------------------------===//

void ContractionSkeleton::setRow(Values &dims, const Row &row) {
  dims[rowLoop] = row.row;
  if (row.outer)
    dims[*outerRow] = row.outer;
}

/// The rows of x at one step of the sum times vectors of y there, of which the
/// first is the tile's `vector`.
LogicalResult ContractionSkeleton::multiply(const Values &dims,
                                            const Place &place,
                                            ArrayRef<Value> columns,
                                            unsigned vector, Values &sums) {
  for (auto [r, row] : llvm::enumerate(place.rowAt)) {
    Values at = dims;
    setRow(at, row);
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
                                                        const Place &place,
                                                        ValueRange carried) {
  auto type = VectorType::get({width}, accumulator);
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
      columns.push_back(
          vector::LoadOp::create(b, type, panel,
                                 panelPlace(dims, sumLoops, loops.sizes,
                                            indexConstant(kernel, v * width))));
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

FailureOr<SmallVector<Value>> ContractionSkeleton::sumOver(
    ArrayRef<unsigned> sumLoops, ArrayRef<AffineExpr> sizes, Values dims,
    ValueRange carried, Step step, const Place *place) {
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

/// Rows past the end repeat the last one and are not stored.
void ContractionSkeleton::placeRows(const Row &first, Place &place) {
  auto after = [&](Value begin, int64_t steps, unsigned loop) {
    Value last = b.createOrFold<arith::SubIOp>(kernel.size(loops.sizes[loop]),
                                               indexConstant(kernel, 1));
    return b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(begin, indexConstant(kernel, steps)),
        last);
  };
  place.firstRow = first.row;
  place.rowAt.clear();
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t r = 0; r < rows; ++r)
      place.rowAt.push_back(
          {first.outer ? after(first.outer, o, *outerRow) : Value(),
           after(first.row, r, rowLoop)});
}

LogicalResult ContractionSkeleton::emitTile(const Values &dims,
                                            const Row &first, Place &place) {
  placeRows(first, place);
  if (packedTile)
    place.packedRows = packedPlace(dims, first.row);
  if (failed(sumTile(dims, place)))
    return failure();
  return epilogue(dims, first, place);
}

LogicalResult ContractionSkeleton::sumTile(const Values &dims,
                                           const Place &place) {
  auto type = VectorType::get({width}, accumulator);
  Values zeros(outer * rows * place.laneAt.size(),
               constantOf(b, b.getLoc(), type, 0));
  auto store = [&](ValueRange sums) {
    for (auto [i, sum] : llvm::enumerate(sums))
      vector::StoreOp::create(b, sum, tile, indexConstant(kernel, i * width));
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
ContractionSkeleton::sumTurned(const Values &dims, const Place &place,
                               Values zeros,
                               llvm::function_ref<void(ValueRange)> store) {
  Place of = place;
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

/// The tile's vectors: where they begin, and which of their lanes are there.
void ContractionSkeleton::planLanes(Value lane0, Place &place) {
  auto lanes = dyn_cast<AffineConstantExpr>(loops.sizes[laneLoop]);
  bool even = lanes && lanes.getValue() % (tileVectors * width) == 0;
  for (int64_t v = 0; v < tileVectors; ++v) {
    Value at =
        b.createOrFold<arith::AddIOp>(lane0, indexConstant(kernel, v * width));
    place.laneAt.push_back(at);
    place.masks.push_back(
        even ? Value()
             : laneMask(kernel, at, kernel.size(loops.sizes[laneLoop]), width));
  }
}

//===----------------------------------------------------------------------===//
// Epilogue and loops over tiles
//===----------------------------------------------------------------------===//

/// Sums as the result has them.
Value ContractionSkeleton::narrowed(Value sums) {
  Type to = kernelType(dot.getType().getElementType());
  return to == accumulator ? sums
                           : Value(arith::TruncFOp::create(
                                 b, VectorType::get({width}, to), sums));
}

/// One row of the tile, the `inTile`-th.
LogicalResult ContractionSkeleton::storeRow(const Values &dims, Value inTile,
                                            const Place &place) {
  int64_t vectors = place.laneAt.size();
  for (int64_t v = 0; v < vectors; ++v) {
    Values at = dims;
    at[laneLoop] = place.laneAt[v];
    ExpressionEmitter elements(kernel, *space, at,
                               ExpressionEmitter::Lanes{laneLoop, width},
                               place.masks[v]);
    Value element0 = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(inTile,
                                      indexConstant(kernel, vectors * width)),
        indexConstant(kernel, v * width));
    Value sum = vector::LoadOp::create(b, VectorType::get({width}, accumulator),
                                       tile, element0);
    elements.bind(dot.getResult(), narrowed(sum));
    if (failed(elements.storeOutputs(outIndex)))
      return failure();
  }
  return success();
}

/// Whether memory holds the result along its rows, and a tile has enough of
/// them to be turned.
bool ContractionSkeleton::storesAlongRows() {
  bool isEnough = rows * 3 >= width && llvm::isPowerOf2_64(width);
  return isEnough && resultLiesAlongRows();
}

/// The tile's rows from the `inTile`-th on (null: the first), turned: a vector
/// is a column of them.
LogicalResult ContractionSkeleton::storeTurned(const Values &dims, Value inTile,
                                               const Place &place) {
  int64_t vectors = place.laneAt.size();
  auto type = VectorType::get({width}, accumulator);
  Value zero = constantOf(b, b.getLoc(), type, 0);
  Value step = indexConstant(kernel, width);
  auto add = [&](Value v, Value w) {
    return b.createOrFold<arith::AddIOp>(v, w);
  };
  auto ofBlock = [&](int64_t firstRow, int64_t vector) {
    Values block(width, zero);
    for (int64_t r = firstRow; r < std::min(firstRow + width, rows); ++r) {
      Value at = indexConstant(kernel, (r * vectors + vector) * width);
      if (inTile)
        at = add(at, b.createOrFold<arith::MulIOp>(
                         inTile, indexConstant(kernel, vectors * width)));
      block[r - firstRow] = vector::LoadOp::create(b, type, tile, at);
    }
    for (auto [c, column] : llvm::enumerate(transposed(b, block)))
      vector::StoreOp::create(b, column, square,
                              indexConstant(kernel, c * width));
    Values at = dims;
    at[rowLoop] = add(place.firstRow, indexConstant(kernel, firstRow));
    Value mask = maskOfRows(firstRow, place);
    Value lane0 = place.laneAt[vector];
    Value count = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::SubIOp>(kernel.size(loops.sizes[laneLoop]),
                                      lane0),
        step);
    return success(succeeded(forRange(
        kernel, indexConstant(kernel, 0), count, 1, {},
        [&](Value c, ValueRange) -> FailureOr<Values> {
          at[laneLoop] = add(lane0, c);
          ExpressionEmitter elements(kernel, *space, at,
                                     ExpressionEmitter::Lanes{rowLoop, width},
                                     mask);
          elements.bind(
              dot.getResult(),
              narrowed(vector::LoadOp::create(
                  b, type, square, b.createOrFold<arith::MulIOp>(c, step))));
          if (failed(elements.storeOutputs(outIndex)))
            return failure();
          return Values();
        })));
  };
  for (int64_t firstRow = 0; firstRow < rows; firstRow += width)
    for (int64_t v = 0; v < vectors; ++v)
      if (failed(ofBlock(firstRow, v)))
        return failure();
  return success();
}

/// The epilogue is emitted once and loops over the tile's rows, so that a long
/// one does not multiply the kernel's size.
LogicalResult ContractionSkeleton::epilogue(Values dims, const Row &first,
                                            const Place &place) {
  // Those of the loop from `begin` on, `count` at most.
  auto over = [&](Value begin, int64_t count, unsigned loop,
                  function_ref<LogicalResult(Value, Value)> body) {
    Value end = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(begin, indexConstant(kernel, count)),
        kernel.size(loops.sizes[loop]));
    return success(succeeded(forRange(
        kernel, begin, end, 1, {},
        [&](Value at, ValueRange) -> FailureOr<Values> {
          if (failed(body(at, b.createOrFold<arith::SubIOp>(at, begin))))
            return failure();
          return Values();
        })));
  };
  auto rowsFrom = [&](Value inTile) {
    if (storesAlongRows())
      return storeTurned(dims, inTile, place);
    return over(first.row, rows, rowLoop, [&](Value row, Value r) {
      dims[rowLoop] = row;
      return storeRow(
          dims, inTile ? b.createOrFold<arith::AddIOp>(inTile, r) : r, place);
    });
  };
  if (!first.outer)
    return rowsFrom({});
  return over(first.outer, outer, *outerRow, [&](Value at, Value o) {
    dims[*outerRow] = at;
    return rowsFrom(
        b.createOrFold<arith::MulIOp>(o, indexConstant(kernel, rows)));
  });
}

ContractionSkeleton::Item
ContractionSkeleton::beginItem(Value item, ArrayRef<AffineExpr> work,
                               int64_t lanes) {
  Values at = delinearize(kernel, item, work);
  Item place;
  place.dims.resize(loops.sizes.size());
  Value tilesBefore; // of those that share the panel
  auto take = [&]() {
    Value tile = at.pop_back_val();
    tilesBefore =
        tilesBefore ? b.createOrFold<arith::OrIOp>(tilesBefore, tile) : tile;
    return tile;
  };
  auto begin = [&](Value tile, int64_t size) {
    return b.createOrFold<arith::MulIOp>(tile, indexConstant(kernel, size));
  };
  place.first.row = begin(take(), rows);
  for (unsigned loop : llvm::reverse(sharedLoops))
    place.dims[loop] = loop == outerRow ? begin(take(), outer) : take();
  if (outerRow)
    place.first.outer = place.dims[*outerRow];
  place.lane0 = begin(at.pop_back_val(), lanes);
  for (auto [loop, value] : llvm::zip_equal(batchLoops, at))
    place.dims[loop] = value;
  Value isFirst = b.createOrFold<arith::CmpIOp>(
      arith::CmpIPredicate::eq, tilesBefore, indexConstant(kernel, 0));
  Value begins = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, item,
                                               kernel.begin());
  place.isNew = b.createOrFold<arith::OrIOp>(isFirst, begins);
  return place;
}

/// How many items there are per loop, rows last.
SmallVector<AffineExpr> ContractionSkeleton::workOf(int64_t lanes) {
  SmallVector<AffineExpr> work;
  auto addTiles = [&](unsigned loop, int64_t size) {
    work.push_back(kernel.names.simplify(loops.sizes[loop].ceilDiv(size)));
  };
  for (unsigned loop : batchLoops)
    addTiles(loop, 1);
  addTiles(laneLoop, lanes);
  for (unsigned loop : sharedLoops)
    addTiles(loop, loop == outerRow ? outer : 1);
  addTiles(rowLoop, rows);
  return work;
}

LogicalResult
ContractionSkeleton::overTiles(const Item &item,
                               function_ref<LogicalResult(Value, Value)> body) {
  Value lanes = indexConstant(kernel, tileVectors * width);
  Value left = b.createOrFold<arith::SubIOp>(kernel.size(loops.sizes[laneLoop]),
                                             item.lane0);
  Value tiles = b.createOrFold<arith::MinUIOp>(
      indexConstant(kernel, tilesOfItem),
      b.createOrFold<arith::CeilDivUIOp>(left, lanes));
  return success(succeeded(
      forRange(kernel, indexConstant(kernel, 0), tiles, 1, {},
               [&](Value number, ValueRange) -> FailureOr<Values> {
                 Value lane0 = b.createOrFold<arith::AddIOp>(
                     item.lane0, b.createOrFold<arith::MulIOp>(number, lanes));
                 if (failed(body(number, lane0)))
                   return failure();
                 return Values();
               })));
}

/// One tile.
FailureOr<SmallVector<Value>>
ContractionSkeleton::emitItem(Value item, ArrayRef<AffineExpr> work) {
  Item begin = beginItem(item, work, tileVectors * width);
  Place place;
  planLanes(begin.lane0, place);
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
    place.tile = b.createOrFold<arith::RemUIOp>(
        item, indexConstant(kernel, blockAhead->tiles));
  if (failed(emitOuterRows(begin.dims, begin.first, place)))
    return failure();
  return Values();
}

/// A tile whose vectors are all needed, or the last one, which may need fewer:
/// 14 x 14 pixels are 13 vectors.
LogicalResult ContractionSkeleton::emitTiles(const Values &dims,
                                             const Row &first, Place place) {
  auto lanes = dyn_cast<AffineConstantExpr>(loops.sizes[laneLoop]);
  int64_t vectors = lanes ? llvm::divideCeil(lanes.getValue(), width) : 0;
  int64_t rest = vectors % tileVectors;
  if (!panel || rest == 0)
    return emitTile(dims, first, place);
  auto emitFirst = [&](int64_t count) {
    Place part = place;
    part.laneAt.truncate(count);
    part.masks.truncate(count);
    return emitTile(dims, first, part);
  };
  if (vectors < tileVectors)
    return emitFirst(rest);
  Value isWhole =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place.laneAt.front(),
                            indexConstant(kernel, (vectors - rest) * width));
  auto ifOp = scf::IfOp::create(b, isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  if (failed(emitFirst(tileVectors)))
    return failure();
  b.setInsertionPointToStart(ifOp.elseBlock());
  return emitFirst(rest);
}

FailureOr<Offers> ContractionSkeleton::offer() {
  if (failed(plan()))
    return failure();
  planWork();
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

void ContractionSkeleton::makeTile() {
  tile = memref::AllocaOp::create(
      b, MemRefType::get({outer * rows * tileVectors * width}, accumulator),
      b.getI64IntegerAttr(64));
  if (storesAlongRows())
    square = memref::AllocaOp::create(
        b, MemRefType::get({width * width}, accumulator),
        b.getI64IntegerAttr(64));
}

void ContractionSkeleton::planTile() {
  outer = kernel.scheduled("outer");
  rows = kernel.scheduled("rows");
  tileVectors = kernel.scheduled("vectors");
  width = kernel.scheduled("lanes");
  planWork();
}

FailureOr<KernelSpec> ContractionSkeleton::emit() {
  if (failed(plan()))
    return failure();
  planTile();
  return emitTilesOf();
}

FailureOr<KernelSpec> ContractionSkeleton::emitTilesOf() {
  bool inPlace = isInPlace();
  planReadLoops(inPlace);
  inHalves = sharesBytes();
  makeTile();
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
  int64_t lanes = tilesOfItem * tileVectors * width;
  SmallVector<AffineExpr> work = workOf(lanes);
  if (failed(forRange(
          kernel, kernel.begin(), kernel.end(), 1, {},
          [&](Value item, ValueRange) { return emitItem(item, work); })))
    return failure();
  SmallVector<AffineExpr> sum{constant(outer * rows * lanes)};
  for (unsigned loop : sumLoops)
    sum.push_back(loops.sizes[loop]);
  int64_t grain = grainFlopsOfRow * std::min(outer * rows, rowsOfGrain);
  return kernel.finish(kernel.names.product(work),
                       constant(grain).ceilDiv(kernel.names.product(sum) + 1),
                       scratch);
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
