//===- ContractionPanel.cpp - A tile's columns of y, packed ---------------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

//===----------------------------------------------------------------------===//
// What is read of y
//===----------------------------------------------------------------------===//

/// How many bytes ahead to prefetch.
static constexpr int64_t aheadBytes = 1024;
/// How many steps ahead, where a step is a row of memory.
static constexpr int64_t aheadSteps = 12;
static constexpr int64_t lineBytes = 64;

/// Of an element in memory.
int64_t ContractionSkeleton::bytesOf(Value v) {
  Type type = kernelType(getElementTypeOrSelf(v.getType()));
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

/// What the innermost sum runs through says how y lies: scales of columns or
/// groups, which are read again and again, do not.
void ContractionSkeleton::planReads(ReadLoops &reads) {
  AffineExpr one = constant(1);
  unsigned inner = reads.sumLoops.back();
  auto steps = dyn_cast<AffineConstantExpr>(reads.size(inner));
  bool isShort =
      steps && steps.getValue() < kernel.target.getLanes(accumulator);
  SmallVector<std::pair<AffineExpr, int64_t>> positions;
  auto coefficient = [&](AffineExpr position, unsigned loop) -> AffineExpr {
    auto linear = analysis::linearIn(position, loop, *reads.space);
    return linear ? linear->coefficient : AffineExpr();
  };
  auto addOfGroups = [&](BlockArgument input, AffineExpr position) {
    if (reads.sumLoops.size() < 2 || position.isFunctionOfDim(inner) ||
        coefficient(position, reads.laneLoop) != one)
      return;
    auto step = dyn_cast_or_null<AffineConstantExpr>(
        coefficient(position, reads.sumLoops.end()[-2]));
    if (step && step.getValue() * bytesOf(input) >= aheadBytes)
      reads.ofGroups.push_back({input, position, step.getValue()});
  };
  analysis::walkReads(
      operandY(), reads.index, *reads.space,
      [&](Value s) { return kernel.symbolOf(s); }, [](Value) { return false; },
      [&](Value v, const analysis::Index &index) {
        auto argument = dyn_cast<BlockArgument>(v);
        if (!argument || kernel.isScalar(argument))
          return;
        AffineExpr position = reads.space->linearize(index, kernel.dims(v));
        if (position.isFunctionOfDim(reads.laneLoop))
          positions.push_back({position, bytesOf(v)});
        addOfGroups(argument, position);
      },
      [](const analysis::Guard &) {});
  auto isSummed = [&](const auto &read) {
    return read.first.isFunctionOfDim(inner);
  };
  if (llvm::any_of(positions, isSummed))
    llvm::erase_if(positions, [&](const auto &p) { return !isSummed(p); });
  for (auto [position, bytes] : positions) {
    reads.elementBytes = std::max(reads.elementBytes, bytes);
    AffineExpr step = coefficient(position, inner);
    if (coefficient(position, reads.laneLoop) == one)
      reads.alongLanes = true;
    else if (step == one && !isShort)
      reads.alongSum = true;
    if (auto known = dyn_cast_or_null<AffineConstantExpr>(step))
      reads.stepElements = known.getValue();
    if (auto known = dyn_cast_or_null<AffineConstantExpr>(
            coefficient(position, reads.laneLoop)))
      reads.laneElements = known.getValue();
  }
  if (reads.alongLanes)
    reads.alongSum = false;
  else if (!isShort)
    planBytes(reads);
}

ContractionSkeleton::ReadLoops ContractionSkeleton::loopsInPlace() {
  ReadLoops reads;
  reads.space.emplace(*space);
  reads.index = yIndex;
  reads.laneLoop = laneLoop;
  reads.sumLoops = sumLoops;
  planReads(reads);
  return reads;
}

/// Dims that are one loop of the contraction are one here, too, where y runs
/// through them in one stride. Positions in the panel do not depend on that.
ContractionSkeleton::ReadLoops ContractionSkeleton::loopsForPanel() {
  // The loop of the contraction that runs through each dim, except for those of
  // one step.
  auto loopOf = [&](unsigned d) {
    std::optional<unsigned> found;
    for (auto [loop, last] : llvm::enumerate(loops.innermost))
      if (last >= d && roles[last] == roles[d] &&
          (!found || last < loops.innermost[*found]))
        found = loop;
    return found;
  };
  Index all = analysis::IterationSpace(kernel.names, shape).identity();
  planIndices(all);
  Index index = yIndex;
  planIndices(loops.index);
  CollapsedDims merged = collapseDims(
      kernel, shape, {{operandY(), index}}, [](Value) { return false; },
      [&](unsigned d) {
        return roles[d] == roles[d + 1] && roles[d] != Role::Batch &&
               loopOf(d) == loopOf(d + 1);
      });
  auto isTiled = [&](unsigned d) {
    return roles[d] == Role::Lane && loopOf(d) == laneLoop;
  };
  auto isSum = [&](unsigned d) { return roles[d] == Role::Sum; };
  if (llvm::none_of(merged.innermost, isTiled))
    merged.addUnitLoop(loops.innermost[laneLoop], kernel.names);
  if (llvm::none_of(merged.innermost, isSum))
    merged.addUnitLoop(llvm::find(roles, Role::Sum) - roles.begin(),
                       kernel.names);
  ReadLoops reads;
  reads.space.emplace(kernel.names, merged.sizes);
  for (AffineExpr e : index)
    reads.index.push_back(reads.space->simplify(e.replaceDims(merged.index)));
  for (auto [loop, d] : llvm::enumerate(merged.innermost)) {
    if (isSum(d)) {
      reads.sumLoops.push_back(loop);
    } else if (isTiled(d)) {
      reads.runLoops.push_back(loop);
    } else if (roles[d] != Role::Row) {
      unsigned outer = *loopOf(d);
      if (reads.others.empty() || reads.others.back().first != outer)
        reads.others.push_back({outer, {}});
      reads.others.back().second.push_back(loop);
    }
  }
  reads.laneLoop = reads.runLoops.pop_back_val();
  planReads(reads);
  return reads;
}

void ContractionSkeleton::planReadLoops(bool inPlace) {
  if (inPlace) {
    y.emplace(loopsInPlace());
    return;
  }
  auto planApart = [&](bool withY) {
    planLoops(withY);
    tiling.splitOuterLoops();
    y.emplace(loopsForPanel());
  };
  planApart(/*withY=*/false);
  // Blocks that are turned have their lanes along one loop.
  if (y->alongSum && !y->runLoops.empty())
    planApart(/*withY=*/true);
}

/// Bytes of an element of y as it is multiplied.
int64_t ContractionSkeleton::bytesOfY() { return bytesOf(operandY()); }

/// Processors look ahead within a page only, and a read down columns leaves it
/// with each step.
void ContractionSkeleton::askAhead(ExpressionEmitter &elements) {
  if (tiling.areWhole)
    return;
  int64_t bytes = y->stepElements * bytesOfY();
  unsigned inner = y->sumLoops.back();
  if (y->alongSum) {
    // Vectors that take turns read so many columns that processors look ahead.
    if (panel || tiling.vectors == 1)
      elements.prefetch(aheadBytes, inner);
  } else if (bytes >= aheadBytes)
    // What a tile of bytes asks for fits in the nearest cache.
    elements.prefetch(aheadSteps * bytes, inner,
                      /*locality=*/y->elementBytes == 1 ? 3 : 2);
}

/// The tile's part of what the next group reads: else each group waits for
/// memory once.
void ContractionSkeleton::askForGroup(Values dims, const Tile &place) {
  for (auto &[input, position, step] : y->ofGroups)
    for (auto [v, lane] : llvm::enumerate(place.laneAt)) {
      if (v * tiling.width * bytesOf(input) % lineBytes != 0)
        continue;
      dims[y->laneLoop] = lane;
      ExpressionEmitter elements(kernel, *y->space, dims);
      memref::PrefetchOp::create(
          b, kernel.buffer(input),
          b.createOrFold<arith::AddIOp>(elements.indexValue(position),
                                        indexConstant(kernel, step)),
          /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
    }
}

/// Each line is asked for once, and the end of unaligned ones, too.
bool ContractionSkeleton::beginsLine(int64_t vector, int64_t count) {
  int64_t bytes = tiling.width * y->elementBytes;
  return vector * bytes % lineBytes < bytes || vector + 1 == count;
}

FailureOr<SmallVector<Value>>
ContractionSkeleton::narrowColumnsOf(const Values &dims, const Tile &place) {
  Values columns;
  for (auto [v, lane, mask] : llvm::enumerate(place.laneAt, place.masks)) {
    Values at = dims;
    at[y->laneLoop] = lane;
    ExpressionEmitter elements(
        kernel, *y->space, at,
        ExpressionEmitter::Lanes{y->laneLoop, tiling.width}, mask);
    elements.beginAtMultiples();
    if (beginsLine(v, place.laneAt.size()))
      askAhead(elements);
    FailureOr<Value> column = elements.emitLanes(operandY(), y->index);
    if (failed(column))
      return failure();
    columns.push_back(*column);
  }
  return columns;
}

FailureOr<SmallVector<Value>>
ContractionSkeleton::columnsOf(const Values &dims, const Tile &place) {
  FailureOr<Values> columns =
      inHalves ? halvesOf(dims, place) : narrowColumnsOf(dims, place);
  if (succeeded(columns))
    for (Value &column : *columns)
      column = widen(column);
  return columns;
}

//===----------------------------------------------------------------------===//
// The panel
//===----------------------------------------------------------------------===//

/// Whether y has these lanes at each step of the sum, one step behind the
/// other, as a panel has: several tiles of rows read it in place
/// (HoistPacking.cpp).
bool ContractionSkeleton::liesAsPanel(int64_t lanes) {
  auto matrix = dyn_cast<BlockArgument>(operandY());
  if (!matrix || loops.sizes[laneLoop] != constant(lanes) ||
      kernelType(getElementTypeOrSelf(operandY())) != accumulator)
    return false;
  AffineExpr position = space->linearize(yIndex, kernel.dims(matrix));
  auto moves = [&](unsigned loop, AffineExpr by) {
    auto linear = analysis::linearIn(position, loop, *space);
    return linear && linear->coefficient == by;
  };
  AffineExpr apart = constant(lanes);
  for (unsigned loop : llvm::reverse(sumLoops)) {
    if (!moves(loop, apart))
      return false;
    apart = kernel.names.simplify(apart * loops.sizes[loop]);
  }
  return moves(laneLoop, constant(1));
}

/// Makes the panel if there is more than one tile of rows; the scratch it
/// needs.
AffineExpr ContractionSkeleton::planPanel(bool inPlace) {
  if (y->alongSum && !isa<AffineConstantExpr>(y->size(y->sumLoops.back())))
    restBlock = memref::AllocaOp::create(
        b, MemRefType::get({tiling.width * tiling.width}, accumulator),
        b.getI64IntegerAttr(64));
  if (!y->bytes.empty())
    turned = memref::AllocaOp::create(
        b,
        MemRefType::get({2 * static_cast<int64_t>(y->bytes.size()) *
                         tiling.width * tiling.lanes()},
                        b.getI32Type()),
        b.getI64IntegerAttr(64));
  if (inPlace)
    return {};
  AffineExpr elements = constant(tiling.lanes());
  for (unsigned loop : sumLoops)
    elements = elements * loops.sizes[loop];
  elements = kernel.names.simplify(elements);
  panel = memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, accumulator), kernel.scratch(),
      indexConstant(kernel, 0), ValueRange{kernel.size(elements)});
  return elements * constant(accumulator.getIntOrFloatBitWidth() / 8);
}

/// Where the panel has y at one step of the sum, from a lane of the tile on.
Value ContractionSkeleton::panelPlace(const Values &dims,
                                      ArrayRef<unsigned> sumLoops,
                                      ArrayRef<AffineExpr> sizes, Value lane) {
  Value place = dims[sumLoops.front()];
  for (unsigned loop : sumLoops.drop_front())
    place = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(place, kernel.size(sizes[loop])),
        dims[loop]);
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(place,
                                    indexConstant(kernel, tiling.lanes())),
      lane);
}

LogicalResult ContractionSkeleton::packBlocks(const Values &dims,
                                              const Tile &place) {
  unsigned inner = y->sumLoops.back();
  auto store = [&](const Values &at, unsigned vector, ArrayRef<Value> block,
                   ValueRange) -> FailureOr<Values> {
    Values here = at;
    for (auto [k, column] : llvm::enumerate(block)) {
      here[inner] =
          b.createOrFold<arith::AddIOp>(at[inner], indexConstant(kernel, k));
      vector::StoreOp::create(
          b, column, panel,
          panelPlace(here, y->sumLoops, y->space->getSizes(),
                     indexConstant(kernel, vector * tiling.width)));
    }
    return Values();
  };
  return success(succeeded(sumOverBlocks(0, dims, place, {}, store)));
}

/// Each run that has lanes of the tile, as far as these go.
LogicalResult ContractionSkeleton::packRuns(Values dims, Value lane0) {
  SmallVector<AffineExpr> outer;
  for (unsigned loop : y->runLoops)
    outer.push_back(y->size(loop));
  Value length = kernel.size(y->size(y->laneLoop));
  auto add = [&](Value v, Value w) {
    return b.createOrFold<arith::AddIOp>(v, w);
  };
  auto subtract = [&](Value v, Value w) {
    return b.createOrFold<arith::SubIOp>(v, w);
  };
  Value end = b.createOrFold<arith::MinUIOp>(
      add(lane0, indexConstant(kernel, tiling.lanes())),
      kernel.size(loops.sizes[laneLoop]));
  Value one = indexConstant(kernel, 1);
  Value firstRun = b.createOrFold<arith::DivUIOp>(lane0, length);
  Value endRun =
      add(b.createOrFold<arith::DivUIOp>(subtract(end, one), length), one);
  auto ofRun = [&](Value run, ValueRange) -> FailureOr<Values> {
    for (auto [loop, value] :
         llvm::zip_equal(y->runLoops, delinearize(kernel, run, outer)))
      dims[loop] = value;
    Value begin = b.createOrFold<arith::MulIOp>(run, length);
    Value from = b.createOrFold<arith::MaxUIOp>(begin, lane0);
    Value to = b.createOrFold<arith::MinUIOp>(add(begin, length), end);
    return forRange(
        kernel, from, to, tiling.width, {},
        [&](Value lane, ValueRange) -> FailureOr<Values> {
          Value mask = laneMask(kernel, lane, to, tiling.width);
          Value inTile = subtract(lane, lane0);
          dims[y->laneLoop] = subtract(lane, begin);
          return sumOver(
              y->sumLoops, y->space->getSizes(), dims, {},
              [&](const Values &at, ValueRange) -> FailureOr<Values> {
                ExpressionEmitter elements(
                    kernel, *y->space, at,
                    ExpressionEmitter::Lanes{y->laneLoop, tiling.width}, mask);
                elements.preferMasks();
                askAhead(elements);
                FailureOr<Value> column =
                    elements.emitLanes(operandY(), y->index);
                if (failed(column))
                  return failure();
                vector::MaskedStoreOp::create(
                    b, panel,
                    panelPlace(at, y->sumLoops, y->space->getSizes(), inTile),
                    mask, widen(*column));
                return Values();
              });
        });
  };
  return success(succeeded(forRange(kernel, firstRun, endRun, 1, {}, ofRun)));
}

Values ContractionSkeleton::dimsOfPanel(const Values &tileDims) {
  ArrayRef<AffineExpr> sizes = y->space->getSizes();
  // y does not depend on rows.
  Values dims(sizes.size(), indexConstant(kernel, 0));
  for (auto &[loop, places] : y->others) {
    SmallVector<AffineExpr> parts;
    for (unsigned place : places)
      parts.push_back(sizes[place]);
    for (auto [place, value] :
         llvm::zip_equal(places, delinearize(kernel, tileDims[loop], parts)))
      dims[place] = value;
  }
  return dims;
}

LogicalResult ContractionSkeleton::pack(const Values &tileDims,
                                        const Tile &place) {
  ArrayRef<AffineExpr> sizes = y->space->getSizes();
  Values dims = dimsOfPanel(tileDims);
  if (!y->runLoops.empty())
    return packRuns(dims, place.laneAt.front());
  if (y->alongSum)
    return packBlocks(dims, place);
  auto done = sumOver(
      y->sumLoops, sizes, dims, {},
      [&](const Values &at, ValueRange) -> FailureOr<Values> {
        FailureOr<Values> columns = columnsOf(at, place);
        if (failed(columns))
          return failure();
        for (auto [v, column] : llvm::enumerate(*columns))
          vector::StoreOp::create(
              b, column, panel,
              panelPlace(at, y->sumLoops, sizes,
                         indexConstant(kernel, v * tiling.width)));
        return Values();
      },
      &place);
  return success(succeeded(done));
}

//===----------------------------------------------------------------------===//
// The choice of a tile
//===----------------------------------------------------------------------===//

/// Fewer items do not occupy threads, where there is work for several.
static constexpr int64_t enoughItems = 8, littleWork = 1 << 19;
/// Vectors of a tile that reads down y's columns.
static constexpr int64_t widestTile = 8;
/// Of a tile whose columns are turned as bytes: their sums take turns. Columns
/// are often a power of two apart, so more of them take each other's places in
/// the nearest cache.
static constexpr int64_t mostTurned = 2;
/// Columns past the end cost as much as others. Tiles of one vector have fewer
/// of them, but pay a load of x per product: that is worth a tenth (0083).
static constexpr int64_t worthOneVector = 10;
/// Lines that the nearest cache holds of those that share a place in it, beside
/// one of the panel.
static constexpr int64_t mostColliding = 7;

/// A tile's own cost, in hundredths of a row.
static constexpr int64_t tileCost = 30;

/// Rows of a tile: 256 in tiles of at most 14 are 19 tiles of 14, which compute
/// ten rows more, or 20 of 13.
static int64_t shareOut(int64_t count, int64_t most) {
  int64_t least = llvm::divideCeil(count, most);
  auto costOf = [&](int64_t tiles) {
    return tiles * (llvm::divideCeil(count, tiles) * 100 + tileCost);
  };
  int64_t best = costOf(least + 1) < costOf(least) ? least + 1 : least;
  return llvm::divideCeil(count, best);
}

/// Vectors of a tile that turns blocks of y, of which one fills the registers.
/// The sums of one row wait for each other, so two blocks take turns, except
/// where their columns would push each other out of the nearest cache.
int64_t ContractionSkeleton::vectorsInTurns(const ReadLoops &reads,
                                            int64_t rowCount) {
  int64_t apart = reads.laneElements * bytesOfY();
  bool isWide = reads.bytes.empty();
  return rowCount == 1 && isWide && apart % collidingBytes != 0 ? 2 : 1;
}

/// Rows are shared out evenly, so that no tile computes many which are not
/// there. Few rows make y's traffic the limit: one tile holds them all, and is
/// as wide as registers allow, so that reads down its columns take more of
/// each row of memory.
Numbers ContractionSkeleton::choose() {
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(accumulator);
  int64_t vectors = 2, most = (registers - vectors - 2) / vectors;
  int64_t outer = 1, rows = most;
  auto numbers = [&]() -> Numbers {
    return {{"outer", outer},
            {"rows", rows},
            {"vectors", vectors},
            {"lanes", lanes}};
  };
  auto sizeOf = [&](unsigned loop) -> std::optional<int64_t> {
    auto size = dyn_cast<AffineConstantExpr>(loops.sizes[loop]);
    return size ? std::optional(size.getValue()) : std::nullopt;
  };
  auto evenly = [](int64_t count, int64_t most) {
    return llvm::divideCeil(count, llvm::divideCeil(count, most));
  };
  std::optional<int64_t> columnCount = sizeOf(laneLoop);
  auto computed = [&](int64_t n) {
    return llvm::alignTo(columnCount.value_or(0), n * lanes);
  };
  if (columnCount &&
      (computed(2) - computed(1)) * worthOneVector >= computed(2))
    vectors = 1;
  std::optional<int64_t> count = sizeOf(rowLoop);
  if (!count || *count == 0)
    return numbers();
  if (most > mostColliding && tiling.sharedLoops.empty() && *count > most &&
      !liesAsPanel(vectors * lanes) && rowsCollide() && !widensRows()) {
    // Two vectors pay loads of x, which is worth a twentieth.
    vectors = 2;
    for (int64_t wide : {3, 4})
      if (computed(wide) * 20 <= computed(2) * 21 &&
          (vectors == 2 || computed(wide) <= computed(vectors)))
        vectors = wide;
    most = std::min((registers - vectors - 2) / vectors, mostColliding);
  }
  rows = shareOut(*count, most);
  std::optional<int64_t> all = count;
  for (unsigned loop : tiling.sharedLoops) {
    std::optional<int64_t> size = sizeOf(loop);
    all = all && size ? std::optional(*all * *size) : std::nullopt;
  }
  if (tiling.outerRow && *count * 2 <= most)
    if (std::optional<int64_t> size = sizeOf(*tiling.outerRow);
        size && *size > 0)
      outer = evenly(*size, most / *count);
  if (!all || *all > outer * rows)
    return numbers();
  // y was packed for tiles of this width.
  if (liesAsPanel(vectors * lanes))
    return numbers();
  // What is left of a sum of bytes is not turned by a loop.
  ReadLoops reads = loopsInPlace();
  int64_t widest = widestTile * std::max<int64_t>(1, 4 / reads.elementBytes);
  // One row needs each column once.
  int64_t fit = *all == 1 ? registers / 2 : (registers - 2) / (*all + 1);
  auto steps = sizeOf(sumLoops.back());
  bool turnsInLoop =
      !reads.bytes.empty() && steps && *steps % reads.lineSteps == 0;
  if (turnsInLoop)
    widest = mostTurned;
  vectors = reads.alongSum && !turnsInLoop
                ? vectorsInTurns(reads, *all)
                : std::clamp<int64_t>(fit, 1, widest);
  if (!columnCount)
    return numbers();
  AffineExpr work = constant(*columnCount * *all);
  for (unsigned loop : sumLoops)
    work = work * loops.sizes[loop];
  auto known = dyn_cast<AffineConstantExpr>(kernel.names.simplify(work));
  bool isLittle = known && known.getValue() < littleWork;
  auto wastes = [&](int64_t n) { return *columnCount % (n * lanes) != 0; };
  // Blocks of columns, where y is packed.
  AffineExpr blocks = constant(1);
  for (unsigned loop : tiling.batchLoops)
    blocks = blocks * loops.sizes[loop];
  auto numBlocks = dyn_cast<AffineConstantExpr>(kernel.names.simplify(blocks));
  auto isFew = [&](int64_t n) {
    return !isLittle && numBlocks &&
           *columnCount * numBlocks.getValue() < n * lanes * enoughItems;
  };
  while (vectors > 1 && (wastes(vectors) || isFew(vectors)))
    --vectors;
  return numbers();
}

} // namespace tensorc::codegen::simd
