//===- PrefetchStreams.cpp - Prefetches in the K loop ---------------------===//

#include "codegen/emitters/simd/contraction/parts/PrefetchStreams.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

static int64_t bytesOfElement(Value buffer) {
  return llvm::divideCeil(
      cast<MemRefType>(buffer.getType()).getElementTypeBitWidth(), 8);
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

void PrefetchStreams::emit(const PrefetchStream &stream, const Values &dims,
                           const Tile &tile) {
  stream.lines(dims, tile, [&](Value position) {
    memref::PrefetchOp::create(b, stream.buffer, position, stream.isWrite,
                               stream.locality, /*isDataCache=*/true);
  });
}

void PrefetchStreams::emitStep(const Values &dims, const Tile &tile) {
  for (const PrefetchStream &stream : streams)
    if (!stream.isPerRow && stream.period == 0)
      emit(stream, dims, tile);
  if (llvm::none_of(streams, [](const auto &s) { return s.isPerRow; }))
    return;
  Value step = dims[plan.kLoops.front()];
  auto ifOp = scf::IfOp::create(
      b,
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, step,
                            indexConstant(kernel, tiling.rows)),
      /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  for (const PrefetchStream &stream : streams)
    if (stream.isPerRow)
      emit(stream, dims, tile);
}

const PrefetchStream *PrefetchStreams::findPeriodic() const {
  const auto *found = llvm::find_if(
      streams, [](const PrefetchStream &s) { return s.period != 0; });
  return found == streams.end() ? nullptr : found;
}

FailureOr<Values> PrefetchStreams::emitSteps(
    const Values &dims, const Tile &tile, ValueRange carried, Step step,
    function_ref<void(const Values &dims)> beforeInnermost) {
  const PrefetchStream *periodic = findPeriodic();
  if (!periodic)
    return forSteps(kernel, plan.kLoops, plan.loops.sizes, dims, carried, step,
                    beforeInnermost);
  unsigned loop = plan.kLoops.front();
  return forRange(kernel, indexConstant(kernel, 0),
                  kernel.size(plan.loops.sizes[loop]), periodic->period,
                  carried, [&](Value begin, ValueRange sums) {
                    Values at = dims;
                    at[loop] = begin;
                    {
                      auto ifOp = scf::IfOp::create(b, tile.isFirst,
                                                    /*withElseRegion=*/false);
                      OpBuilder::InsertionGuard guard(b);
                      b.setInsertionPointToStart(ifOp.thenBlock());
                      emit(*periodic, at, tile);
                    }
                    Value end = b.createOrFold<arith::AddIOp>(
                        begin, indexConstant(kernel, periodic->period));
                    return forRange(kernel, begin, end, 1, sums,
                                    [&](Value k, ValueRange sums) {
                                      at[loop] = k;
                                      return step(at, sums);
                                    });
                  });
}

void PrefetchStreams::beginTile(Value item, ArrayRef<AffineExpr> work,
                                const WorkItem &begun, const ColumnPanel *panel,
                                const ColumnReads &y, Tile &tile) {
  if (tilesOfBlock != 0)
    tile.number = b.createOrFold<arith::RemUIOp>(
        item, indexConstant(kernel, tilesOfBlock));
  if (!findPeriodic())
    return;
  tile.isFirst = begun.isNew;
  AffineExpr tiles = plan.constant(1);
  for (AffineExpr size : work.take_back(tiling.sharedLoops.size() + 1))
    tiles = tiles * size;
  WorkItem next =
      tiling.beginItem(b.createOrFold<arith::AddIOp>(
                           item, kernel.size(kernel.names.simplify(tiles))),
                       work, tiling.lanes());
  tile.nextPanel = panel->dimsOf(next.dims);
  SmallVector<AffineExpr> runs;
  for (unsigned loop : y.runLoops)
    runs.push_back(y.size(loop));
  runs.push_back(y.size(y.laneLoop));
  Values at = delinearize(kernel, next.lane0, runs);
  tile.nextPanel[y.laneLoop] = at.pop_back_val();
  for (auto [loop, value] : llvm::zip_equal(y.runLoops, at))
    tile.nextPanel[loop] = value;
}

//===----------------------------------------------------------------------===//
// Rows of x
//===----------------------------------------------------------------------===//

/// Returns the size in bytes of an input, or 0 if it is symbolic.
int64_t PrefetchStreams::sizeOf(BlockArgument argument) const {
  std::optional<int64_t> all =
      constantOf(kernel.names.product(kernel.dims(argument)));
  return all ? *all * bytesOf(argument) : 0;
}

/// Adds prefetches of the next tile's rows of x, which follow those of this
/// tile in memory. They are too short and too many for the hardware prefetcher.
/// Without prefetches, a network whose weights come from memory took a third
/// longer. Each K step prefetches an equal part.
void PrefetchStreams::addNextRows(const RowPanel &x) {
  unsigned sum = plan.kLoops.front();
  AffineExpr steps = plan.loops.sizes[sum];
  if (plan.kLoops.size() != 1 || !constantOf(steps) ||
      !tiling.sharedLoops.empty() || x.isShared() || x.isPacked() ||
      tiling.isOneTile())
    return;
  unsigned reads = 0;
  std::optional<PrefetchStream> found;
  walkMemoryOfX(plan, [&](BlockArgument argument, const Index &,
                          AffineExpr position) {
    ++reads;
    auto moves = [&](unsigned loop, AffineExpr by) {
      auto linear = analysis::linearIn(position, loop, *plan.space);
      return linear && linear->coefficient == by;
    };
    if (sizeOf(argument) < kernel.costs().minPrefetchedOperandBytes ||
        !moves(sum, plan.constant(1)) || !moves(plan.rowLoop, steps))
      return;
    found = PrefetchStream{
        kernel.buffer(argument), [=, this](const Values &dims, const Tile &tile,
                                           PrefetchStream::Visit visit) {
          Values first = dims;
          first[plan.rowLoop] = tile.firstRow;
          first[sum] = indexConstant(kernel, 0);
          ExpressionEmitter elements(kernel, *plan.space, first);
          Value distance = b.createOrFold<arith::MulIOp>(
              b.createOrFold<arith::AddIOp>(kernel.size(steps), dims[sum]),
              indexConstant(kernel, tiling.rows));
          Value at = b.createOrFold<arith::AddIOp>(
              elements.indexValue(position), distance);
          int64_t each = kernel.target.getCacheLineBytes() / bytesOf(argument);
          for (int64_t line = 0; line < tiling.rows; line += each)
            visit(
                b.createOrFold<arith::AddIOp>(at, indexConstant(kernel, line)));
        }};
  });
  if (reads == 1 && found)
    add(std::move(*found));
}

void PrefetchStreams::addNextPackedRows(const RowPanel &x) {
  if (!x.isPacked())
    return;
  int64_t each = kernel.target.getCacheLineBytes() /
                 (plan.accumulator.getIntOrFloatBitWidth() / 8);
  int64_t moves = x.stepsAreContiguous()
                      ? tiling.rows
                      : llvm::alignTo(tiling.rows, tiling.width);
  AffineExpr stride = x.tileStride;
  add({x.memory, [=, this](const Values &dims, const Tile &tile,
                           PrefetchStream::Visit visit) {
         Value step = b.createOrFold<arith::MulIOp>(
             dims[plan.kLoops.front()], indexConstant(kernel, moves));
         Value next = b.createOrFold<arith::AddIOp>(
             b.createOrFold<arith::AddIOp>(tile.packedRows,
                                           kernel.size(stride)),
             step);
         for (int64_t line = 0; line < tiling.rows; line += each)
           visit(b.createOrFold<arith::AddIOp>(next,
                                               indexConstant(kernel, line)));
       }});
}

/// Adds prefetches of the next tile's pixels, which follow those of this tile.
/// Windows of an image are read in small pieces, one per row of the kernel and
/// channel, which the hardware prefetcher does not follow.
bool PrefetchStreams::addNextPixels(const RowPanel &x) {
  bool isInPlace = tiling.isOneTile() || hasPanelLayout(plan, tiling.lanes());
  if (!isInPlace || tiling.isOneTile() || x.isShared())
    return false;
  size_t before = streams.size();
  walkMemoryOfX(
      plan, [&](BlockArgument argument, const Index &, AffineExpr position) {
        auto linear = analysis::linearIn(position, plan.rowLoop, *plan.space);
        std::optional<int64_t> step =
            linear ? constantOf(linear->coefficient) : std::nullopt;
        if (sizeOf(argument) < kernel.costs().minPrefetchedOperandBytes ||
            !step || *step <= 0 ||
            *step * bytesOf(argument) >= kernel.target.getCacheLineBytes())
          return;
        int64_t each = kernel.target.getCacheLineBytes() / bytesOf(argument);
        add({kernel.buffer(argument),
             [=, this](const Values &dims, const Tile &tile,
                       PrefetchStream::Visit visit) {
               Values lastRow = dims;
               tiling.setRow(lastRow, tile.rowAt.back());
               Value last = ExpressionEmitter(kernel, *plan.space, lastRow)
                                .indexValue(position);
               for (int64_t distance = each;
                    distance < tiling.rows * *step + each; distance += each)
                 visit(b.createOrFold<arith::AddIOp>(
                     last, indexConstant(kernel, distance)));
             }});
      });
  return streams.size() != before;
}

/// Adds prefetches of x at later K steps, if x is contiguous along its rows. A
/// tile reads only a few elements per step, and the next step's are far away.
void PrefetchStreams::addLaterSteps(const RowPanel &x) {
  if (x.memory)
    return;
  unsigned reads = 0;
  std::optional<PrefetchStream> found;
  walkMemoryOfX(plan, [&](BlockArgument argument, const Index &,
                          AffineExpr position) {
    ++reads;
    auto row = analysis::linearIn(position, plan.rowLoop, *plan.space);
    auto step = analysis::linearIn(position, plan.kLoops.back(), *plan.space);
    std::optional<int64_t> stride =
        step ? constantOf(step->coefficient) : std::nullopt;
    if (sizeOf(argument) < kernel.costs().residentBytes || !row ||
        row->coefficient != plan.constant(1) || !stride ||
        *stride * bytesOf(argument) < kernel.costs().minPrefetchedStepBytes)
      return;
    found = PrefetchStream{
        kernel.buffer(argument), [=, this](const Values &dims, const Tile &tile,
                                           PrefetchStream::Visit visit) {
          Values first = dims;
          first[plan.rowLoop] = tile.firstRow;
          int64_t each = kernel.target.getCacheLineBytes() / bytesOf(argument);
          Value at = b.createOrFold<arith::AddIOp>(
              ExpressionEmitter(kernel, *plan.space, first)
                  .indexValue(position),
              indexConstant(kernel, *stride * kernel.costs().xPrefetchSteps));
          for (int64_t row = 0; row < tiling.rows + each - 1; row += each)
            visit(b.createOrFold<arith::AddIOp>(
                at, indexConstant(kernel, std::min(row, tiling.rows - 1))));
        }};
  });
  if (reads == 1 && found)
    add(std::move(*found));
}

//===----------------------------------------------------------------------===//
// Blocks of y
//===----------------------------------------------------------------------===//

/// Adds prefetches of the next block of y, distributed over all tiles that read
/// the current block. Without them, the first tile of each block would wait for
/// memory, while the other tiles find the block in a cache.
void PrefetchStreams::addNextBlock() {
  int64_t lanes = tiling.lanes();
  if (!hasPanelLayout(plan, lanes) || tiling.batchLoops.empty())
    return;
  AffineExpr tiles = plan.loops.sizes[plan.rowLoop].ceilDiv(tiling.rows),
             steps = plan.constant(1);
  for (unsigned loop : tiling.sharedLoops)
    tiles = tiles * (loop == tiling.outerRow
                         ? plan.loops.sizes[loop].ceilDiv(tiling.outer)
                         : plan.loops.sizes[loop]);
  for (unsigned loop : plan.kLoops)
    steps = steps * plan.loops.sizes[loop];
  auto matrix = cast<BlockArgument>(plan.operandY());
  auto tileCount = constantOf(kernel.names.simplify(tiles)),
       stepCount = constantOf(kernel.names.simplify(steps));
  if (!tileCount || !stepCount || *tileCount < 2 ||
      *tileCount > kernel.costs().maxPrefetchedBlockTiles ||
      sizeOf(matrix) < kernel.costs().residentBytes)
    return;
  AffineExpr position = plan.space->linearize(plan.yIndex, kernel.dims(matrix));
  auto next =
      analysis::linearIn(position, tiling.batchLoops.back(), *plan.space);
  if (!next || constantOf(next->coefficient) != *stepCount * lanes)
    return;
  tilesOfBlock = *tileCount;
  int64_t lanesOfTile = llvm::divideCeil(lanes, *tileCount);
  add({kernel.buffer(matrix), [=, this](const Values &dims, const Tile &tile,
                                        PrefetchStream::Visit visit) {
         Values first = dims;
         for (unsigned loop : plan.kLoops)
           first[loop] = indexConstant(kernel, 0);
         first[plan.laneLoop] = tile.laneAt.front();
         Value step = b.createOrFold<arith::MulIOp>(
             tile.number, indexConstant(kernel, *stepCount));
         Value inTile = indexConstant(kernel, 0);
         for (unsigned loop : plan.kLoops)
           inTile = b.createOrFold<arith::AddIOp>(
               b.createOrFold<arith::MulIOp>(
                   inTile, kernel.size(plan.loops.sizes[loop])),
               dims[loop]);
         Value distance = b.createOrFold<arith::MulIOp>(
             b.createOrFold<arith::AddIOp>(step, inTile),
             indexConstant(kernel, lanesOfTile));
         Value begin = b.createOrFold<arith::AddIOp>(
             ExpressionEmitter(kernel, *plan.space, first).indexValue(position),
             indexConstant(kernel, *stepCount * tiling.lanes()));
         visit(b.createOrFold<arith::AddIOp>(begin, distance));
       }});
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Adds prefetches of the result's rows. The rows are far apart and the tile
/// accesses few elements of each, so the hardware prefetcher does not follow.
/// Each of the first K steps prefetches one row of the tile.
void PrefetchStreams::addResults() {
  std::optional<int64_t> steps =
      constantOf(plan.loops.sizes[plan.kLoops.front()]);
  if (plan.kLoops.size() != 1 || !steps || tiling.outer > 1 ||
      tiling.rows < 2 || *steps < tiling.rows ||
      *steps > kernel.costs().maxPrefetchedResultSteps)
    return;
  for (auto [i, root] : llvm::enumerate(kernel.yield().getValues())) {
    addResult(root, kernel.output(i), plan.outIndex, /*isWrite=*/true);
    analysis::walkReads(
        root, plan.outIndex, *plan.space,
        [&](Value s) { return kernel.symbolOf(s); },
        [&](Value v) { return v == plan.dot.getResult(); },
        [&](Value v, const Index &index) {
          auto argument = dyn_cast<BlockArgument>(v);
          if (argument && !kernel.isScalar(argument))
            addResult(v, kernel.buffer(argument), index, /*isWrite=*/false);
        },
        [](const analysis::Guard &) {});
  }
}

void PrefetchStreams::addResult(Value v, Value buffer, const Index &index,
                                bool isWrite) {
  SmallVector<AffineExpr> sizes = kernel.dims(v);
  std::optional<int64_t> all = constantOf(kernel.names.product(sizes));
  AffineExpr position = plan.space->linearize(index, sizes);
  auto along = analysis::linearIn(position, plan.laneLoop, *plan.space);
  if (!all ||
      *all * bytesOfElement(buffer) <
          kernel.costs().minPrefetchedOperandBytes ||
      !along || along->coefficient != plan.constant(1) ||
      !position.isFunctionOfDim(plan.rowLoop))
    return;
  PrefetchStream stream{
      buffer, [=, this](const Values &dims, const Tile &tile,
                        PrefetchStream::Visit visit) {
        Value step = dims[plan.kLoops.front()];
        Value last = b.createOrFold<arith::SubIOp>(
            kernel.size(plan.loops.sizes[plan.rowLoop]),
            indexConstant(kernel, 1));
        Values at = dims;
        at[plan.rowLoop] = b.createOrFold<arith::MinUIOp>(
            b.createOrFold<arith::AddIOp>(tile.firstRow, step), last);
        at[plan.laneLoop] = tile.laneAt.front();
        Value first =
            ExpressionEmitter(kernel, *plan.space, at).indexValue(position);
        int64_t each =
            kernel.target.getCacheLineBytes() / bytesOfElement(buffer);
        // The number of lines is one more than the elements fill, because rows
        // may be unaligned.
        int64_t lanes = static_cast<int64_t>(tile.laneAt.size()) * tiling.width;
        for (int64_t e = 0; e <= lanes; e += each)
          visit(b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, e)));
      }};
  stream.isPerRow = true;
  stream.isWrite = isWrite;
  stream.locality = 3;
  add(std::move(stream));
}

//===----------------------------------------------------------------------===//
// The next panel
//===----------------------------------------------------------------------===//

/// Adds prefetches of the next panel. Its rows are pages apart and short, so
/// the hardware prefetcher does not follow. Without prefetches, packing would
/// wait for memory, which is idle while the current panel is multiplied.
void PrefetchStreams::addNextPanel(const ColumnReads &y) {
  if (plan.kLoops.size() != 1 || !y.alongLanes)
    return;
  unsigned reads = 0;
  std::optional<PrefetchStream> found;
  walkMemory(
      plan, plan.operandY(), y.index, *y.space,
      [&](BlockArgument input, const Index &, AffineExpr position) {
        ++reads;
        std::optional<PanelBlock> block = blockOfPanel(y, input, position);
        if (!block)
          return;
        found = PrefetchStream{
            kernel.buffer(input),
            [=, &y, this](const Values &dims, const Tile &tile,
                          PrefetchStream::Visit visit) {
              SmallVector<AffineExpr> sizes;
              for (unsigned loop : y.kLoops)
                sizes.push_back(y.size(loop));
              Values at = tile.nextPanel;
              for (auto [loop, value] : llvm::zip_equal(
                       y.kLoops,
                       delinearize(kernel, dims[plan.kLoops.front()], sizes)))
                at[loop] = value;
              Value first =
                  ExpressionEmitter(kernel, *y.space, at).indexValue(position);
              for (int64_t line : block->lines)
                visit(b.createOrFold<arith::AddIOp>(
                    first, indexConstant(kernel, line)));
            },
            block->steps};
      });
  if (reads == 1 && found)
    add(std::move(*found));
}

std::optional<PrefetchStreams::PanelBlock>
PrefetchStreams::blockOfPanel(const ColumnReads &y, BlockArgument input,
                              AffineExpr position) const {
  PanelBlock block;
  int64_t each = kernel.target.getCacheLineBytes() / bytesOf(input);
  auto strideOf = [&](unsigned loop) -> std::optional<int64_t> {
    auto linear = analysis::linearIn(position, loop, *y.space);
    return linear ? constantOf(linear->coefficient) : std::nullopt;
  };
  auto plane = strideOf(y.kLoops.front());
  if (sizeOf(input) < kernel.costs().residentBytes || !plane ||
      *plane * bytesOf(input) < kernel.costs().minPrefetchedPlaneBytes ||
      strideOf(y.laneLoop) != 1)
    return std::nullopt;
  // Number of elements of a row of the next panel, including the padding
  // between rows of an image.
  int64_t elements = tiling.lanes();
  if (!y.runLoops.empty()) {
    auto length = constantOf(y.size(y.laneLoop));
    auto apart = strideOf(y.runLoops.back());
    if (!length || !apart || *apart < *length || *apart > *length + each)
      return std::nullopt;
    if (*length % elements != 0)
      elements += llvm::divideCeil(elements, *length) * (*apart - *length);
  }
  // Offsets of the K steps in a block. A block has as many steps of the
  // outermost K loop as fit in it, and all steps of inner loops.
  SmallVector<int64_t> begins{0};
  ArrayRef<unsigned> sums = y.kLoops;
  int64_t allSteps = 1;
  for (unsigned loop : llvm::reverse(sums)) {
    auto stride = strideOf(loop), count = constantOf(y.size(loop));
    if (!stride || *stride < 0 || !count)
      return std::nullopt;
    allSteps *= *count;
    int64_t steps = *count;
    if (loop == sums.front())
      while (steps > 1 &&
             (*count % steps != 0 ||
              steps * block.steps > kernel.costs().panelPrefetchSteps))
        --steps;
    block.steps *= steps;
    if (block.steps > kernel.costs().maxPanelPrefetchSteps)
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
  if (constantOf(plan.loops.sizes[plan.kLoops.front()]) != allSteps)
    return std::nullopt;
  // Each line is prefetched through its last element. The first line, which the
  // row may share with the previous panel, was prefetched together with that
  // panel.
  for (int64_t begin : begins)
    for (int64_t at = elements - 1; at >= 0; at -= each)
      block.lines.push_back(begin + at);
  return block;
}

} // namespace tensorc::codegen::simd
