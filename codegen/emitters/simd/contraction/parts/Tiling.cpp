//===- Tiling.cpp - Tiles of a contraction and loops over them ------------===//

#include "codegen/emitters/simd/contraction/parts/Tiling.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tensorc::codegen::simd {

int64_t grainFlops(KernelBuilder &kernel, std::optional<int64_t> rows) {
  int64_t maxRows = kernel.costs().maxMemoryBoundRows;
  return kernel.costs().rowGrainFlops *
         std::min(rows.value_or(maxRows), maxRows);
}

void Tiling::splitOuterLoops() {
  sharedLoops.clear();
  batchLoops.clear();
  for (unsigned loop : plan.outerLoops)
    (plan.roles[plan.loops.innermost[loop]] == ContractionPlan::Role::Row
         ? sharedLoops
         : batchLoops)
        .push_back(loop);
  outerRow.reset();
  if (!sharedLoops.empty())
    outerRow = sharedLoops.back();
}

void Tiling::readSchedule() {
  rows = kernel.scheduled("rows");
  vectors = kernel.scheduled("vectors");
  width = kernel.scheduled("lanes");
  splitOuterLoops();
}

bool Tiling::isOneTile() const {
  auto isWithin = [&](unsigned loop, int64_t count) {
    std::optional<int64_t> size = constantOf(plan.loops.sizes[loop]);
    return size && *size <= count;
  };
  return isWithin(plan.rowLoop, rows) &&
         llvm::all_of(sharedLoops, [&](unsigned loop) {
           return isWithin(loop, loop == outerRow ? outer : 1);
         });
}

bool Tiling::lanesAreFull() const {
  std::optional<int64_t> size = constantOf(plan.loops.sizes[plan.laneLoop]);
  return areFull || (size && *size % lanes() == 0);
}

SmallVector<unsigned> Tiling::batchLoopsOfX() const {
  SmallVector<unsigned> list;
  for (unsigned loop : batchLoops)
    if (plan.roles[plan.loops.innermost[loop]] != ContractionPlan::Role::Lane)
      list.push_back(loop);
  return list;
}

//===----------------------------------------------------------------------===//
// Work items
//===----------------------------------------------------------------------===//

SmallVector<AffineExpr> Tiling::workOf(int64_t lanesOfItem) const {
  SmallVector<AffineExpr> work;
  auto addTiles = [&](unsigned loop, int64_t size) {
    work.push_back(kernel.names.simplify(plan.loops.sizes[loop].ceilDiv(size)));
  };
  for (unsigned loop : batchLoops)
    addTiles(loop, 1);
  if (goesAlongRows) {
    addTiles(plan.rowLoop, rows);
    addTiles(plan.laneLoop, lanesOfItem);
    return work;
  }
  addTiles(plan.laneLoop, lanesOfItem);
  for (unsigned loop : sharedLoops)
    addTiles(loop, loop == outerRow ? outer : 1);
  addTiles(plan.rowLoop, rows);
  return work;
}

WorkItem Tiling::beginItem(Value item, ArrayRef<AffineExpr> work,
                           int64_t lanesOfItem) const {
  Values at = delinearize(kernel, item, work);
  if (goesAlongRows)
    std::swap(at.end()[-1], at.end()[-2]);
  WorkItem begun;
  begun.dims.resize(plan.loops.sizes.size());
  Value tilesBefore; // nonzero if this is not the first tile of its panel
  auto take = [&]() {
    Value tile = at.pop_back_val();
    tilesBefore = tilesBefore
                      ? kernel.b.createOrFold<arith::OrIOp>(tilesBefore, tile)
                      : tile;
    return tile;
  };
  auto begin = [&](Value tile, int64_t size) {
    return kernel.b.createOrFold<arith::MulIOp>(tile,
                                                indexConstant(kernel, size));
  };
  begun.first.row = begin(take(), rows);
  for (unsigned loop : llvm::reverse(sharedLoops))
    begun.dims[loop] = loop == outerRow ? begin(take(), outer) : take();
  if (outerRow)
    begun.first.outer = begun.dims[*outerRow];
  begun.lane0 = begin(at.pop_back_val(), lanesOfItem);
  for (auto [loop, value] : llvm::zip_equal(batchLoops, at))
    begun.dims[loop] = value;
  Value isFirst = kernel.b.createOrFold<arith::CmpIOp>(
      arith::CmpIPredicate::eq, tilesBefore, indexConstant(kernel, 0));
  Value begins = kernel.b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                                      item, kernel.begin());
  begun.isNew = kernel.b.createOrFold<arith::OrIOp>(isFirst, begins);
  return begun;
}

FailureOr<KernelSpec> Tiling::emitItems(AffineExpr scratch,
                                        ItemBody body) const {
  int64_t lanesOfItem = tilesOfItem * lanes();
  SmallVector<AffineExpr> work = workOf(lanesOfItem);
  if (failed(
          forRange(kernel, kernel.begin(), kernel.end(), 1, {},
                   [&](Value item, ValueRange) { return body(item, work); })))
    return failure();
  SmallVector<AffineExpr> flops{plan.constant(outer * rows * lanesOfItem)};
  for (unsigned loop : plan.kLoops)
    flops.push_back(plan.loops.sizes[loop]);
  int64_t grain = grainFlops(kernel, outer * rows);
  return kernel.finish(
      kernel.names.product(work),
      plan.constant(grain).ceilDiv(kernel.names.product(flops) + 1), scratch);
}

LogicalResult Tiling::forEachTile(
    const WorkItem &item,
    function_ref<LogicalResult(Value number, Value lane0)> body) const {
  Value lanesOfTile = indexConstant(kernel, lanes());
  Value left = kernel.b.createOrFold<arith::SubIOp>(
      kernel.size(plan.loops.sizes[plan.laneLoop]), item.lane0);
  Value tiles = kernel.b.createOrFold<arith::MinUIOp>(
      indexConstant(kernel, tilesOfItem),
      kernel.b.createOrFold<arith::CeilDivUIOp>(left, lanesOfTile));
  return success(succeeded(
      forRange(kernel, indexConstant(kernel, 0), tiles, 1, {},
               [&](Value number, ValueRange) -> FailureOr<Values> {
                 Value lane0 = kernel.b.createOrFold<arith::AddIOp>(
                     item.lane0,
                     kernel.b.createOrFold<arith::MulIOp>(number, lanesOfTile));
                 if (failed(body(number, lane0)))
                   return failure();
                 return Values();
               })));
}

//===----------------------------------------------------------------------===//
// Rows and lanes of a tile
//===----------------------------------------------------------------------===//

void Tiling::placeLanes(Value lane0, Tile &tile) const {
  bool even = lanesAreFull();
  for (int64_t v = 0; v < vectors; ++v) {
    Value at = kernel.b.createOrFold<arith::AddIOp>(
        lane0, indexConstant(kernel, v * width));
    tile.laneAt.push_back(at);
    tile.masks.push_back(
        even ? Value()
             : laneMask(kernel, at,
                        kernel.size(plan.loops.sizes[plan.laneLoop]), width));
  }
}

void Tiling::placeRows(const Row &first, Tile &tile) const {
  auto after = [&](Value begin, int64_t steps, unsigned loop) {
    Value last = kernel.b.createOrFold<arith::SubIOp>(
        kernel.size(plan.loops.sizes[loop]), indexConstant(kernel, 1));
    return kernel.b.createOrFold<arith::MinUIOp>(
        kernel.b.createOrFold<arith::AddIOp>(begin,
                                             indexConstant(kernel, steps)),
        last);
  };
  tile.firstRow = first.row;
  tile.rowAt.clear();
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t r = 0; r < rows; ++r)
      tile.rowAt.push_back(
          {first.outer ? after(first.outer, o, *outerRow) : Value(),
           after(first.row, r, plan.rowLoop)});
}

void Tiling::setRow(Values &dims, const Row &row) const {
  dims[plan.rowLoop] = row.row;
  if (row.outer)
    dims[*outerRow] = row.outer;
}

Values Tiling::columnsFrom(Value lane) const {
  bool even = lanesAreFull();
  Value last = kernel.b.createOrFold<arith::SubIOp>(
      kernel.size(plan.loops.sizes[plan.laneLoop]), indexConstant(kernel, 1));
  Values columns;
  for (int64_t l = 0; l < width; ++l) {
    Value at =
        kernel.b.createOrFold<arith::AddIOp>(lane, indexConstant(kernel, l));
    columns.push_back(even ? at
                           : kernel.b.createOrFold<arith::MinUIOp>(at, last));
  }
  return columns;
}

//===----------------------------------------------------------------------===//
// Tails
//===----------------------------------------------------------------------===//

LogicalResult Tiling::peelOuterRows(const Row &first,
                                    function_ref<LogicalResult()> body) {
  std::optional<int64_t> count =
      outerRow ? constantOf(plan.loops.sizes[*outerRow]) : std::nullopt;
  int64_t tail = count ? *count % outer : 0;
  if (tail == 0)
    return body();
  auto emitFirst = [&](int64_t count) {
    llvm::SaveAndRestore<int64_t> fewer(outer, count);
    return body();
  };
  if (*count < outer)
    return emitFirst(tail);
  Value isFull =
      arith::CmpIOp::create(kernel.b, arith::CmpIPredicate::ult, first.outer,
                            indexConstant(kernel, *count - tail));
  auto ifOp = scf::IfOp::create(kernel.b, isFull, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(kernel.b);
  kernel.b.setInsertionPointToStart(ifOp.thenBlock());
  if (failed(emitFirst(outer)))
    return failure();
  kernel.b.setInsertionPointToStart(ifOp.elseBlock());
  return emitFirst(tail);
}

LogicalResult
Tiling::peelVectors(const Tile &tile,
                    function_ref<LogicalResult(Tile &tile)> body) const {
  std::optional<int64_t> size = constantOf(plan.loops.sizes[plan.laneLoop]);
  int64_t count = size ? llvm::divideCeil(*size, width) : 0;
  int64_t tail = count % vectors;
  auto emitFirst = [&](int64_t count) {
    Tile part = tile;
    part.laneAt.truncate(count);
    part.masks.truncate(count);
    return body(part);
  };
  if (tail == 0)
    return emitFirst(vectors);
  if (count < vectors)
    return emitFirst(tail);
  Value isFull = arith::CmpIOp::create(
      kernel.b, arith::CmpIPredicate::ult, tile.laneAt.front(),
      indexConstant(kernel, (count - tail) * width));
  auto ifOp = scf::IfOp::create(kernel.b, isFull, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(kernel.b);
  kernel.b.setInsertionPointToStart(ifOp.thenBlock());
  if (failed(emitFirst(vectors)))
    return failure();
  kernel.b.setInsertionPointToStart(ifOp.elseBlock());
  return emitFirst(tail);
}

FailureOr<Values>
forSteps(KernelBuilder &kernel, ArrayRef<unsigned> kLoops,
         ArrayRef<AffineExpr> sizes, Values dims, ValueRange carried, Step step,
         function_ref<void(const Values &dims)> beforeInnermost) {
  if (kLoops.empty())
    return step(dims, carried);
  if (beforeInnermost && kLoops.size() == 1)
    beforeInnermost(dims);
  unsigned loop = kLoops.front();
  return forRange(kernel, indexConstant(kernel, 0), kernel.size(sizes[loop]), 1,
                  carried, [&](Value k, ValueRange sums) {
                    Values at = dims;
                    at[loop] = k;
                    return forSteps(kernel, kLoops.drop_front(), sizes, at,
                                    sums, step, beforeInnermost);
                  });
}

} // namespace tensorc::codegen::simd
