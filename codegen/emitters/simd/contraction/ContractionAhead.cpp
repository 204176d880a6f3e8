//===- ContractionAhead.cpp - What a tile's sum asks memory for -----------===//

#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Of x: the second cache holds less beside a panel.
static constexpr int64_t farBytes = 1 << 17;
static constexpr int64_t lineBytes = 64;
/// Of all images whose panels are asked for, and of a plane of one of them: the
/// second cache has the others, or a processor looks ahead in them by itself.
static constexpr int64_t farImageBytes = 1 << 20, farPlaneBytes = 1 << 11;
/// Of a sum, that ask for a part of the next panel together: so few as are
/// enough not to notice the asking, and at most as many as a large window has.
static constexpr int64_t fewStepsOfBlock = 8, mostStepsOfBlock = 64;
/// From a step of x to the next, how many of them ahead, and of all of x: the
/// second cache holds less.
static constexpr int64_t farStepBytes = 1 << 10, stepsAheadOfX = 32;
static constexpr int64_t farStepsBytes = 1 << 20;
/// Of those that read a block of y: with more, its first one is a small part.
static constexpr int64_t mostTilesOfBlock = 16;
/// Of a sum that takes no longer than the memory of its results.
static constexpr int64_t mostStepsAhead = 512;

static std::optional<int64_t> numberOf(AffineExpr e) {
  auto known = dyn_cast<AffineConstantExpr>(e);
  return known ? std::optional(known.getValue()) : std::nullopt;
}

/// Memory that holds x's rows one behind the other holds those of the next tile
/// behind this one's. Rows are short for a processor that looks ahead, and
/// there are too many at once: weights that come from memory cost a third of a
/// network's time.
void ContractionSkeleton::planRowsAhead() {
  auto steps = dyn_cast<AffineConstantExpr>(loops.sizes[sumLoops.front()]);
  if (sumLoops.size() != 1 || !steps || !tiling.sharedLoops.empty() ||
      rowPanel || packedTile || tiling.isOneTile())
    return;
  unsigned reads = 0;
  walkMemoryOfX([&](BlockArgument argument, const analysis::Index &index) {
    ++reads;
    SmallVector<AffineExpr> sizes = kernel.dims(argument);
    AffineExpr position = space->linearize(index, sizes);
    auto moves = [&](unsigned loop, AffineExpr by) {
      auto linear = analysis::linearIn(position, loop, *space);
      return linear && linear->coefficient == by;
    };
    auto all = dyn_cast<AffineConstantExpr>(kernel.names.product(sizes));
    if (all && all.getValue() * bytesOf(argument) >= farBytes &&
        moves(sumLoops.front(), constant(1)) && moves(rowLoop, steps))
      rowsAhead.emplace(argument, index);
  });
  if (reads != 1)
    rowsAhead.reset();
}

/// In as many parts as the sum has steps, a part of the next tile.
void ContractionSkeleton::askForRows(const Values &dims, const Tile &place) {
  auto &[argument, index] = *rowsAhead;
  Values first = dims;
  first[rowLoop] = place.firstRow;
  first[sumLoops.front()] = indexConstant(kernel, 0);
  ExpressionEmitter elements(kernel, *space, first);
  Value steps = kernel.size(loops.sizes[sumLoops.front()]);
  Value ahead = b.createOrFold<arith::MulIOp>(
      b.createOrFold<arith::AddIOp>(steps, dims[sumLoops.front()]),
      indexConstant(kernel, tiling.rows));
  Value at = b.createOrFold<arith::AddIOp>(
      elements.indexValue(space->linearize(index, kernel.dims(argument))),
      ahead);
  int64_t each = lineBytes / bytesOf(argument);
  for (int64_t line = 0; line < tiling.rows; line += each)
    memref::PrefetchOp::create(
        b, kernel.buffer(argument),
        b.createOrFold<arith::AddIOp>(at, indexConstant(kernel, line)),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
}

/// Packed rows follow each other as tiles do: a tile's asks for the next one's.
void ContractionSkeleton::askForPacked(const Values &dims, const Tile &place) {
  bool alongRows = stepsApart != constant(1);
  int64_t each = lineBytes / (accumulator.getIntOrFloatBitWidth() / 8);
  Value step = b.createOrFold<arith::MulIOp>(
      dims[sumLoops.front()],
      indexConstant(kernel, alongRows ? llvm::alignTo(tiling.rows, tiling.width)
                                      : tiling.rows));
  Value next = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::AddIOp>(place.packedRows, kernel.size(packedTile)),
      step);
  for (int64_t line = 0; line < tiling.rows; line += each)
    memref::PrefetchOp::create(
        b, wideRows,
        b.createOrFold<arith::AddIOp>(next, indexConstant(kernel, line)),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
}

/// Windows of an image are read row by row of the kernel, each of another
/// channel far from the one before: no processor looks ahead for them. The next
/// tile's pixels lie behind this one's.
void ContractionSkeleton::planPixelsAhead() {
  if (!isInPlace() || tiling.isOneTile() || rowPanel)
    return;
  walkMemoryOfX([&](BlockArgument argument, const analysis::Index &index) {
    SmallVector<AffineExpr> sizes = kernel.dims(argument);
    auto all = dyn_cast<AffineConstantExpr>(kernel.names.product(sizes));
    auto linear =
        analysis::linearIn(space->linearize(index, sizes), rowLoop, *space);
    auto step = linear ? dyn_cast<AffineConstantExpr>(linear->coefficient)
                       : AffineConstantExpr();
    if (all && all.getValue() * bytesOf(argument) >= farBytes && step &&
        step.getValue() > 0 && step.getValue() * bytesOf(argument) < lineBytes)
      pixelsAhead.push_back({argument, index, step.getValue()});
  });
}

void ContractionSkeleton::askForPixels(Values dims, const Tile &place) {
  tiling.setRow(dims, place.rowAt.back());
  ExpressionEmitter elements(kernel, *space, dims);
  for (auto &[argument, index, step] : pixelsAhead) {
    Value last =
        elements.indexValue(space->linearize(index, kernel.dims(argument)));
    int64_t each = lineBytes / bytesOf(argument);
    for (int64_t ahead = each; ahead < tiling.rows * step + each; ahead += each)
      memref::PrefetchOp::create(
          b, kernel.buffer(argument),
          b.createOrFold<arith::AddIOp>(last, indexConstant(kernel, ahead)),
          /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
  }
}

/// The first tile reads its block of y from memory as fast as it multiplies,
/// and the others from a cache: all of them ask for the next one together.
void ContractionSkeleton::planBlockAhead() {
  int64_t lanes = tiling.lanes();
  if (panel || !liesAsPanel(lanes) || tiling.batchLoops.empty())
    return;
  AffineExpr tiles = loops.sizes[rowLoop].ceilDiv(tiling.rows),
             steps = constant(1);
  for (unsigned loop : tiling.sharedLoops)
    tiles = tiles * (loop == tiling.outerRow
                         ? loops.sizes[loop].ceilDiv(tiling.outer)
                         : loops.sizes[loop]);
  for (unsigned loop : sumLoops)
    steps = steps * loops.sizes[loop];
  auto matrix = cast<BlockArgument>(operandY());
  SmallVector<AffineExpr> sizes = kernel.dims(matrix);
  auto all = numberOf(kernel.names.product(sizes)),
       tileCount = numberOf(kernel.names.simplify(tiles)),
       stepCount = numberOf(kernel.names.simplify(steps));
  if (!all || !tileCount || !stepCount || *tileCount < 2 ||
      *tileCount > mostTilesOfBlock || *all * bytesOf(matrix) < farImageBytes)
    return;
  AffineExpr position = space->linearize(yIndex, sizes);
  auto next = analysis::linearIn(position, tiling.batchLoops.back(), *space);
  if (next && numberOf(next->coefficient) == *stepCount * lanes)
    blockAhead = {matrix, position, *tileCount, *stepCount,
                  (lanes + *tileCount - 1) / *tileCount};
}

void ContractionSkeleton::askForBlock(const Values &dims, const Tile &place) {
  Values first = dims;
  for (unsigned loop : sumLoops)
    first[loop] = indexConstant(kernel, 0);
  first[laneLoop] = place.laneAt.front();
  Value step = b.createOrFold<arith::MulIOp>(
      place.number, indexConstant(kernel, blockAhead->steps));
  Value inTile = indexConstant(kernel, 0);
  for (unsigned loop : sumLoops)
    inTile = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(inTile, kernel.size(loops.sizes[loop])),
        dims[loop]);
  Value ahead =
      b.createOrFold<arith::MulIOp>(b.createOrFold<arith::AddIOp>(step, inTile),
                                    indexConstant(kernel, blockAhead->lanes));
  Value begin = b.createOrFold<arith::AddIOp>(
      ExpressionEmitter(kernel, *space, first).indexValue(blockAhead->position),
      indexConstant(kernel, blockAhead->steps * tiling.lanes()));
  memref::PrefetchOp::create(b, kernel.buffer(blockAhead->input),
                             b.createOrFold<arith::AddIOp>(begin, ahead),
                             /*isWrite=*/false, /*localityHint=*/2,
                             /*isDataCache=*/true);
}

/// Memory that holds x along its rows has few of a tile at a step, and the next
/// step's far away.
void ContractionSkeleton::planStepsAhead() {
  if (wideRows || rowPanel || !pixelsAhead.empty())
    return;
  unsigned reads = 0;
  walkMemoryOfX([&](BlockArgument argument, const analysis::Index &index) {
    ++reads;
    AffineExpr position = space->linearize(index, kernel.dims(argument));
    auto along = analysis::linearIn(position, rowLoop, *space);
    auto step = analysis::linearIn(position, sumLoops.back(), *space);
    auto apart = step ? dyn_cast<AffineConstantExpr>(step->coefficient)
                      : AffineConstantExpr();
    auto all = dyn_cast<AffineConstantExpr>(
        kernel.names.product(kernel.dims(argument)));
    if (all && all.getValue() * bytesOf(argument) >= farStepsBytes && along &&
        along->coefficient == constant(1) && apart &&
        apart.getValue() * bytesOf(argument) >= farStepBytes)
      stepsAhead = {argument, position,
                    apart.getValue() * stepsAheadOfX * bytesOf(argument)};
  });
  if (reads != 1)
    stepsAhead.reset();
}

/// The tile's rows, some steps ahead.
void ContractionSkeleton::askForSteps(const Values &dims, const Tile &place) {
  Values first = dims;
  first[rowLoop] = place.firstRow;
  int64_t each = bytesOf(stepsAhead->input);
  Value at = b.createOrFold<arith::AddIOp>(
      ExpressionEmitter(kernel, *space, first).indexValue(stepsAhead->position),
      indexConstant(kernel, stepsAhead->bytes / each));
  for (int64_t row = 0; row < tiling.rows + lineBytes / each - 1;
       row += lineBytes / each)
    memref::PrefetchOp::create(
        b, kernel.buffer(stepsAhead->input),
        b.createOrFold<arith::AddIOp>(
            at, indexConstant(kernel, std::min(row, tiling.rows - 1))),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
}

/// Rows of the result are far apart, and a processor does not look ahead for
/// so few elements of each. A short sum takes less time than they do.
void ContractionSkeleton::planResultsAhead() {
  auto steps = dyn_cast<AffineConstantExpr>(loops.sizes[sumLoops.front()]);
  if (sumLoops.size() != 1 || !steps || !panel || tiling.outer > 1 ||
      tiling.rows < 2 || steps.getValue() < tiling.rows ||
      steps.getValue() > mostStepsAhead)
    return;
  auto add = [&](Value v, Value buffer, const analysis::Index &index,
                 bool isWrite) {
    SmallVector<AffineExpr> sizes = kernel.dims(v);
    auto all = dyn_cast<AffineConstantExpr>(kernel.names.product(sizes));
    AffineExpr position = space->linearize(index, sizes);
    auto along = analysis::linearIn(position, laneLoop, *space);
    int64_t bytes = llvm::divideCeil(
        cast<MemRefType>(buffer.getType()).getElementTypeBitWidth(), 8);
    if (all && all.getValue() * bytes >= farBytes && along &&
        along->coefficient == constant(1) && position.isFunctionOfDim(rowLoop))
      resultsAhead.push_back({buffer, position, isWrite});
  };
  for (auto [i, root] : llvm::enumerate(kernel.yield().getValues())) {
    add(root, kernel.output(i), outIndex, /*isWrite=*/true);
    analysis::walkReads(
        root, outIndex, *space, [&](Value s) { return kernel.symbolOf(s); },
        [&](Value v) { return v == dot.getResult(); },
        [&](Value v, const analysis::Index &index) {
          auto argument = dyn_cast<BlockArgument>(v);
          if (argument && !kernel.isScalar(argument))
            add(v, kernel.buffer(argument), index, /*isWrite=*/false);
        },
        [](const analysis::Guard &) {});
  }
}

/// Each step of the sum asks for a row, until the tile has no more.
void ContractionSkeleton::askForResults(const Values &dims, const Tile &place) {
  Value step = dims[sumLoops.front()];
  Value last = b.createOrFold<arith::SubIOp>(kernel.size(loops.sizes[rowLoop]),
                                             indexConstant(kernel, 1));
  auto ifOp = scf::IfOp::create(
      b,
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, step,
                            indexConstant(kernel, tiling.rows)),
      /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  Values at = dims;
  at[rowLoop] = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(place.firstRow, step), last);
  at[laneLoop] = place.laneAt.front();
  ExpressionEmitter elements(kernel, *space, at);
  for (const Ahead &ahead : resultsAhead) {
    Value first = elements.indexValue(ahead.position);
    int64_t each =
        lineBytes /
        llvm::divideCeil(
            cast<MemRefType>(ahead.buffer.getType()).getElementTypeBitWidth(),
            8);
    // One line more: rows need not begin at one.
    int64_t lanes = static_cast<int64_t>(place.laneAt.size()) * tiling.width;
    for (int64_t e = 0; e <= lanes; e += each)
      memref::PrefetchOp::create(
          b, ahead.buffer,
          b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, e)),
          ahead.isWrite, /*localityHint=*/3, /*isDataCache=*/true);
  }
}

//===----------------------------------------------------------------------===//
// The next panel
//===----------------------------------------------------------------------===//

/// A panel's rows of an image are pages apart, and a processor does not look
/// ahead for so few elements of each: filling it waits for memory, which the
/// sums of the panel before leave idle.
void ContractionSkeleton::planPanelAhead() {
  if (!panel || sumLoops.size() != 1 || !y->alongLanes)
    return;
  unsigned reads = 0;
  analysis::walkReads(
      operandY(), y->index, *y->space,
      [&](Value s) { return kernel.symbolOf(s); }, [](Value) { return false; },
      [&](Value v, const analysis::Index &index) {
        auto argument = dyn_cast<BlockArgument>(v);
        if (!argument || kernel.isScalar(argument))
          return;
        ++reads;
        panelAhead = linesAhead(argument, index);
      },
      [](const analysis::Guard &) {});
  if (reads != 1)
    panelAhead.reset();
}

std::optional<ContractionSkeleton::PanelAhead>
ContractionSkeleton::linesAhead(BlockArgument input,
                                const analysis::Index &index) {
  SmallVector<AffineExpr> dims = kernel.dims(input);
  PanelAhead ahead{input, y->space->linearize(index, dims), 1, {}};
  int64_t each = lineBytes / bytesOf(input);
  auto strideOf = [&](unsigned loop) -> std::optional<int64_t> {
    auto linear = analysis::linearIn(ahead.position, loop, *y->space);
    return linear ? numberOf(linear->coefficient) : std::nullopt;
  };
  auto all = numberOf(kernel.names.product(dims));
  auto plane = strideOf(y->sumLoops.front());
  if (!all || *all * bytesOf(input) < farImageBytes || !plane ||
      *plane * bytesOf(input) < farPlaneBytes || strideOf(y->laneLoop) != 1)
    return std::nullopt;
  // Elements from where the next panel begins: rows of an image have their
  // padding between them.
  int64_t elements = tiling.lanes();
  if (!y->runLoops.empty()) {
    auto length = numberOf(y->size(y->laneLoop));
    auto apart = strideOf(y->runLoops.back());
    if (!length || !apart || *apart < *length || *apart > *length + each)
      return std::nullopt;
    if (*length % elements != 0)
      elements += llvm::divideCeil(elements, *length) * (*apart - *length);
  }
  // Where steps of the sum begin, those of its outermost loop as far as they
  // make a block.
  SmallVector<int64_t> begins{0};
  ArrayRef<unsigned> sums = y->sumLoops;
  int64_t allSteps = 1;
  for (unsigned loop : llvm::reverse(sums)) {
    auto stride = strideOf(loop), count = numberOf(y->size(loop));
    if (!stride || *stride < 0 || !count)
      return std::nullopt;
    allSteps *= *count;
    int64_t steps = *count;
    if (loop == sums.front())
      while (steps > 1 &&
             (*count % steps != 0 || steps * ahead.steps > fewStepsOfBlock))
        --steps;
    ahead.steps *= steps;
    if (ahead.steps > mostStepsOfBlock)
      return std::nullopt;
    if (*stride * (steps - 1) < each) {
      elements += *stride * (steps - 1);
      continue;
    }
    SmallVector<int64_t> inner = std::move(begins);
    begins.clear();
    for (int64_t s = 0; s < steps; ++s)
      for (int64_t begin : inner)
        begins.push_back(s * *stride + begin);
  }
  if (numberOf(loops.sizes[sumLoops.front()]) != allSteps)
    return std::nullopt;
  // The last line is asked for by its end: the panel before has asked for the
  // first one.
  for (int64_t begin : begins)
    for (int64_t at = elements - 1; at >= 0; at -= each)
      ahead.lines.push_back(begin + at);
  return ahead;
}

void ContractionSkeleton::planNextPanel(Value item, ArrayRef<AffineExpr> work,
                                        Tile &place) {
  AffineExpr tiles = constant(1);
  for (AffineExpr size : work.take_back(tiling.sharedLoops.size() + 1))
    tiles = tiles * size;
  WorkItem next =
      tiling.beginItem(b.createOrFold<arith::AddIOp>(
                           item, kernel.size(kernel.names.simplify(tiles))),
                       work, tiling.lanes());
  place.nextPanel = dimsOfPanel(next.dims);
  SmallVector<AffineExpr> runs;
  for (unsigned loop : y->runLoops)
    runs.push_back(y->size(loop));
  runs.push_back(y->size(y->laneLoop));
  Values at = delinearize(kernel, next.lane0, runs);
  place.nextPanel[y->laneLoop] = at.pop_back_val();
  for (auto [loop, value] : llvm::zip_equal(y->runLoops, at))
    place.nextPanel[loop] = value;
}

void ContractionSkeleton::askForPanel(Value step, const Tile &place) {
  auto ifOp = scf::IfOp::create(b, place.isFirst, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : y->sumLoops)
    sizes.push_back(y->size(loop));
  Values at = place.nextPanel;
  for (auto [loop, value] :
       llvm::zip_equal(y->sumLoops, delinearize(kernel, step, sizes)))
    at[loop] = value;
  ExpressionEmitter elements(kernel, *y->space, at);
  Value first = elements.indexValue(panelAhead->position);
  for (int64_t line : panelAhead->lines)
    memref::PrefetchOp::create(
        b, kernel.buffer(panelAhead->input),
        b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, line)),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
}

FailureOr<Values> ContractionSkeleton::sumBlocks(const Values &dims,
                                                 const Tile &place,
                                                 ValueRange carried,
                                                 Step step) {
  if (!place.isFirst)
    return sumOver(sumLoops, loops.sizes, dims, carried, step,
                   panel ? nullptr : &place);
  unsigned loop = sumLoops.front();
  return forRange(kernel, indexConstant(kernel, 0),
                  kernel.size(loops.sizes[loop]), panelAhead->steps, carried,
                  [&](Value begin, ValueRange sums) {
                    askForPanel(begin, place);
                    Value end = b.createOrFold<arith::AddIOp>(
                        begin, indexConstant(kernel, panelAhead->steps));
                    return forRange(kernel, begin, end, 1, sums,
                                    [&](Value k, ValueRange sums) {
                                      Values at = dims;
                                      at[loop] = k;
                                      return step(at, sums);
                                    });
                  });
}

} // namespace tensorc::codegen::simd
