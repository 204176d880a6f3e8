//===- ContractionBlocks.cpp - Columns of y that memory holds along the sum ==//
//
// A block is as many columns as there are lanes, and so many steps of the sum:
// it is read along the steps, and turned in registers.
//
// Narrow elements are turned as they lie in memory, four bytes of a column at a
// time, which takes a fraction of the shuffles. A line of each column is turned
// into memory beside the tile, word by word. Each step then takes its element
// out of the four bytes and makes a number of it, for all lanes at once. Two
// 4-bit integers share a byte, so both steps take it.
//
//===----------------------------------------------------------------------===//

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
// Bytes
//===----------------------------------------------------------------------===//

/// What a column holds of a block at a time.
static constexpr int64_t wordBytes = 4;
static constexpr int64_t lineBytes = 64;
/// Of a sum: the last line is turned twice.
static constexpr int64_t fewestLinesAhead = 8;

/// The loops of y, the innermost sum in blocks.
analysis::IterationSpace
ContractionSkeleton::spaceOfBlocks(const ReadLoops &reads, int64_t steps) {
  SmallVector<AffineExpr> sizes(reads.space->getSizes());
  AffineExpr &inner = sizes[reads.sumLoops.back()];
  inner = kernel.names.simplify(inner.floorDiv(steps));
  return {kernel.names, sizes};
}

/// Where y is read at a step of a block.
Index ContractionSkeleton::indexInBlock(const ReadLoops &reads,
                                        const analysis::IterationSpace &blocks,
                                        int64_t steps, int64_t step) {
  SmallVector<AffineExpr> dims = blocks.identity();
  AffineExpr &inner = dims[reads.sumLoops.back()];
  inner = inner * steps + step;
  Index index;
  for (AffineExpr e : reads.index)
    index.push_back(blocks.simplify(e.replaceDims(dims)));
  return index;
}

/// What is read of y in a block of so many steps; none: not all that changes
/// from lane to lane and from step to step is narrow and lies side by side.
SmallVector<ContractionSkeleton::BlockRead>
ContractionSkeleton::readsOfBlock(const ReadLoops &reads, int64_t steps) {
  analysis::IterationSpace blocks = spaceOfBlocks(reads, steps);
  unsigned inner = reads.sumLoops.back();
  SmallVector<BlockRead> found;
  bool fits = true;
  for (int64_t step = 0; fits && step < steps; ++step) {
    size_t next = 0;
    fits &= walkReadsAlong(
        blocks, indexInBlock(reads, blocks, steps, step), reads.laneLoop, inner,
        [&](BlockArgument input, const Index &index, AffineExpr position) {
          if (step == 0)
            found.push_back({input, position, {}, {}});
          if (next == found.size() || found[next].input != input) {
            fits = false;
            return;
          }
          BlockRead &read = found[next++];
          auto offset = dyn_cast<AffineConstantExpr>(
              blocks.simplify(position - read.position));
          fits &= offset && offset.getValue() >= 0;
          if (fits)
            read.offsets.push_back(offset.getValue());
          read.indices.push_back(index);
        });
    fits &= next == found.size();
  }
  for (const BlockRead &read : found)
    fits &= read.words() != 0;
  return fits ? found : SmallVector<BlockRead>();
}

/// How many blocks are turned at once: those of a line of memory, if they lie
/// one behind the other. Less than a vector is left of the sum then.
int64_t ContractionSkeleton::blocksOfLine(const ReadLoops &reads) {
  int64_t lanes = kernel.target.getLanes(accumulator);
  AffineExpr steps = reads.size(reads.sumLoops.back());
  auto known = dyn_cast<AffineConstantExpr>(steps);
  analysis::IterationSpace blocks = spaceOfBlocks(reads, reads.blockSteps);
  int64_t most = lanes;
  for (const BlockRead &read : reads.bytes) {
    auto linear =
        analysis::linearIn(read.position, reads.sumLoops.back(), blocks);
    bool follows =
        linear && linear->coefficient ==
                      constant(read.words() * wordBytes * 8 / read.bits());
    most = follows ? std::min(most, lanes / read.words()) : 1;
  }
  auto isLeft = [&](int64_t count) {
    return !known || known.getValue() % (count * reads.blockSteps) >= lanes;
  };
  while (most > 1 && most * reads.blockSteps > lanes && isLeft(most))
    most /= 2;
  return most;
}

/// Finds out whether blocks can be turned as they lie in memory.
void ContractionSkeleton::planBytes(ReadLoops &reads) {
  int64_t lanes = kernel.target.getLanes(accumulator);
  if (!llvm::isPowerOf2_64(lanes))
    return;
  for (int64_t steps = wordBytes; steps <= lanes && reads.bytes.empty();
       steps *= 2) {
    reads.bytes = readsOfBlock(reads, steps);
    reads.blockSteps = steps;
  }
  if (reads.bytes.empty())
    return;
  reads.alongSum = true;
  reads.lineSteps = reads.blockSteps * blocksOfLine(reads);
}

int64_t ContractionSkeleton::BlockRead::bits() const {
  return kernelType(getElementTypeOrSelf(input.getType()))
      .getIntOrFloatBitWidth();
}

/// Of a column in a block; 0: they are too many, or not whole ones.
int64_t ContractionSkeleton::BlockRead::words() const {
  if ((bits() != 8 && bits() != 16) || offsets.empty())
    return 0;
  int64_t bytes = (*llvm::max_element(offsets) + 1) * bits() / 8;
  int64_t words = bytes / wordBytes;
  bool whole = bytes % wordBytes == 0 && llvm::isPowerOf2_64(words);
  return whole && words <= static_cast<int64_t>(offsets.size()) ? words : 0;
}

/// `count` words of all columns: lane l of the i-th vector is word i of column
/// l.
SmallVector<Value>
ContractionSkeleton::wordsOf(const BlockRead &read, int64_t count,
                             const analysis::IterationSpace &blocks,
                             Values dims, Value lane) {
  Value buffer = kernel.buffer(read.input);
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t elements = count * wordBytes * 8 / read.bits();
  auto bytes = VectorType::get({elements}, b.getIntegerType(read.bits()));
  Values columns;
  for (Value column : tiling.columnsFrom(lane)) {
    dims[y->laneLoop] = column;
    Value first =
        ExpressionEmitter(kernel, blocks, dims).indexValue(read.position);
    Value loaded = vector::LoadOp::create(
        b, VectorType::get({elements}, element), buffer, first);
    if (loaded.getType() != bytes)
      loaded = arith::BitcastOp::create(b, bytes, loaded);
    columns.push_back(vector::BitCastOp::create(
        b, VectorType::get({count}, b.getI32Type()), loaded));
  }
  // Column c is beside c - count and c + count, so that those whose words are
  // exchanged lie in the same place of different vectors.
  Values vectors;
  for (int64_t v = 0; v < count; ++v) {
    Values parts;
    for (int64_t c = v; c < tiling.width; c += count)
      parts.push_back(columns[c]);
    for (int64_t lanes = 2 * count; lanes <= tiling.width; lanes *= 2) {
      auto all = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
      for (size_t i = 0; i < parts.size() / 2; ++i)
        parts[i] =
            vector::ShuffleOp::create(b, parts[2 * i], parts[2 * i + 1], all);
      parts.truncate(parts.size() / 2);
    }
    vectors.push_back(parts.front());
  }
  return transposed(b, std::move(vectors));
}

/// Where a read's word is of one of the tile's vectors, in the line that begins
/// at a step. Two lines take turns.
Value ContractionSkeleton::placeOfWord(unsigned read, Value lineBegin,
                                       Value word, Value vector) {
  int64_t words = tiling.width * tiling.lanes();
  Value odd = b.createOrFold<arith::RemUIOp>(
      b.createOrFold<arith::DivUIOp>(lineBegin,
                                     indexConstant(kernel, y->lineSteps)),
      indexConstant(kernel, 2));
  Value before = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(
          odd, indexConstant(kernel, words * y->bytes.size())),
      indexConstant(kernel, read * words));
  Value number = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(word,
                                    indexConstant(kernel, tiling.vectors)),
      vector);
  return b.createOrFold<arith::AddIOp>(
      before, b.createOrFold<arith::MulIOp>(
                  number, indexConstant(kernel, tiling.width)));
}

/// Columns that lie one behind the other are asked for in this order, those of
/// the next tile while this one is summed: a processor sees no use in 64 bytes
/// of each of so many columns, and power-of-two distances.
void ContractionSkeleton::askForColumns(const BlockRead &read,
                                        const analysis::IterationSpace &blocks,
                                        Values dims, Value vector) {
  auto apart = analysis::linearIn(read.position, y->laneLoop, blocks);
  AffineExpr steps = constant(read.words() * wordBytes * 8 / read.bits());
  for (unsigned loop : y->sumLoops)
    steps = steps * blocks.getSizes()[loop];
  if (!apart || apart->coefficient != kernel.names.simplify(steps))
    return;
  auto position = [&] {
    return ExpressionEmitter(kernel, blocks, dims).indexValue(read.position);
  };
  Value columns = indexConstant(kernel, tiling.lanes());
  Value now = position();
  for (unsigned loop : y->sumLoops)
    dims[loop] = indexConstant(kernel, 0);
  Value done = b.createOrFold<arith::SubIOp>(now, position());
  dims[y->laneLoop] = b.createOrFold<arith::AddIOp>(dims[y->laneLoop], columns);
  int64_t line = lineBytes * 8 / read.bits();
  int64_t each = tiling.width * read.words() * (y->lineSteps / y->blockSteps) *
                 wordBytes * 8 / read.bits();
  Value at = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::AddIOp>(
          position(), b.createOrFold<arith::MulIOp>(done, columns)),
      b.createOrFold<arith::MulIOp>(vector, indexConstant(kernel, each)));
  for (int64_t e = 0; e < each; e += line)
    memref::PrefetchOp::create(
        b, kernel.buffer(read.input),
        b.createOrFold<arith::AddIOp>(at, indexConstant(kernel, e)),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
}

/// Turns the line that begins at the step in `dims`, of the columns of one of
/// the tile's vectors.
void ContractionSkeleton::turnLine(Values dims, const Tile &place,
                                   Value vector) {
  analysis::IterationSpace blocks = spaceOfBlocks(*y, y->blockSteps);
  Value &inner = dims[y->sumLoops.back()];
  Value begin = inner;
  inner = b.createOrFold<arith::DivUIOp>(inner,
                                         indexConstant(kernel, y->blockSteps));
  dims[y->laneLoop] = place.laneAt.front();
  Value lane = b.createOrFold<arith::AddIOp>(
      place.laneAt.front(), b.createOrFold<arith::MulIOp>(
                                vector, indexConstant(kernel, tiling.width)));
  for (auto [i, read] : llvm::enumerate(y->bytes)) {
    int64_t count = read.words() * (y->lineSteps / y->blockSteps);
    askForColumns(read, blocks, dims, vector);
    for (auto [word, value] :
         llvm::enumerate(wordsOf(read, count, blocks, dims, lane)))
      vector::StoreOp::create(
          b, value, turned,
          placeOfWord(i, begin, indexConstant(kernel, word), vector));
  }
}

/// Of all columns.
LogicalResult ContractionSkeleton::turnLines(const Values &dims,
                                             const Tile &place) {
  return success(
      succeeded(forRange(kernel, indexConstant(kernel, 0),
                         indexConstant(kernel, place.laneAt.size()), 1, {},
                         [&](Value vector, ValueRange) -> FailureOr<Values> {
                           turnLine(dims, place, vector);
                           return Values();
                         })));
}

/// The block that begins at the step in `dims`, the `number`-th of the line
/// that begins at `lineBegin`.
FailureOr<SmallVector<Value>>
ContractionSkeleton::blockOfBytes(Values dims, const Tile &place,
                                  unsigned vector, Value lineBegin,
                                  Value number) {
  int64_t steps = y->blockSteps;
  analysis::IterationSpace blocks = spaceOfBlocks(*y, steps);
  Value &inner = dims[y->sumLoops.back()];
  inner = b.createOrFold<arith::DivUIOp>(inner, indexConstant(kernel, steps));
  dims[y->laneLoop] = place.laneAt[vector];
  ExpressionEmitter elements(
      kernel, blocks, dims, ExpressionEmitter::Lanes{y->laneLoop, tiling.width},
      place.masks[vector]);
  for (auto [i, read] : llvm::enumerate(y->bytes)) {
    Values words;
    for (int64_t w = 0; w < read.words(); ++w)
      words.push_back(vector::LoadOp::create(
          b, VectorType::get({tiling.width}, b.getI32Type()), turned,
          placeOfWord(i, lineBegin,
                      b.createOrFold<arith::AddIOp>(
                          b.createOrFold<arith::MulIOp>(
                              number, indexConstant(kernel, read.words())),
                          indexConstant(kernel, w)),
                      indexConstant(kernel, vector))));
    Type element = kernelType(getElementTypeOrSelf(read.input.getType()));
    auto integer =
        VectorType::get({tiling.width}, b.getIntegerType(read.bits()));
    for (auto [offset, index] : llvm::zip_equal(read.offsets, read.indices)) {
      int64_t bit = offset * read.bits(), wordBits = wordBytes * 8;
      Value taken = words[bit / wordBits];
      if (bit % wordBits != 0)
        taken = arith::ShRUIOp::create(
            b, taken,
            constantOf(b, b.getLoc(), taken.getType(), bit % wordBits));
      taken = arith::TruncIOp::create(b, integer, taken);
      if (integer.getElementType() != element)
        taken = arith::BitcastOp::create(
            b, VectorType::get({tiling.width}, element), taken);
      elements.give(read.input, index, taken);
    }
  }
  Values block;
  for (int64_t step = 0; step < steps; ++step) {
    FailureOr<Value> column =
        elements.emitLanes(operandY(), indexInBlock(*y, blocks, steps, step));
    if (failed(column))
      return failure();
    block.push_back(widen(*column));
  }
  return block;
}

/// Whether the next line is turned while this one is summed: a processor does
/// not see so far ahead.
bool ContractionSkeleton::turnsAhead() {
  auto steps = dyn_cast<AffineConstantExpr>(y->size(y->sumLoops.back()));
  return steps && steps.getValue() >= fewestLinesAhead * y->lineSteps &&
         y->lineSteps / y->blockSteps % tiling.vectors == 0;
}

/// All vectors of the tile, block by block: their sums do not wait for each
/// other.
FailureOr<SmallVector<Value>>
ContractionSkeleton::lineStep(const Values &dims, const Tile &place, Value end,
                              ValueRange carried, BlockStep step) {
  unsigned inner = y->sumLoops.back();
  auto sumBlock = [&](Value number, ValueRange sums) -> FailureOr<Values> {
    Values at = dims, next(sums);
    at[inner] = b.createOrFold<arith::AddIOp>(
        dims[inner], b.createOrFold<arith::MulIOp>(
                         number, indexConstant(kernel, y->blockSteps)));
    for (unsigned v = 0; v < place.laneAt.size(); ++v) {
      FailureOr<Values> block = blockOfBytes(at, place, v, dims[inner], number);
      if (failed(block))
        return failure();
      FailureOr<Values> done = step(at, v, *block, next);
      if (failed(done))
        return failure();
      next = *done;
    }
    return next;
  };
  int64_t blocks = y->lineSteps / y->blockSteps;
  Value zero = indexConstant(kernel, 0);
  if (!turnsAhead()) {
    if (failed(turnLines(dims, place)))
      return failure();
    return forRange(kernel, zero, indexConstant(kernel, blocks), 1, carried,
                    sumBlock);
  }
  // Behind the last line is the last one again, which nobody sums.
  Values after = dims;
  after[inner] = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(dims[inner],
                                    indexConstant(kernel, y->lineSteps)),
      b.createOrFold<arith::SubIOp>(end, indexConstant(kernel, y->lineSteps)));
  Value part = indexConstant(kernel, blocks / tiling.vectors);
  return forRange(kernel, zero, indexConstant(kernel, place.laneAt.size()), 1,
                  carried, [&](Value vector, ValueRange sums) {
                    turnLine(after, place, vector);
                    Value begin = b.createOrFold<arith::MulIOp>(vector, part);
                    return forRange(kernel, begin,
                                    b.createOrFold<arith::AddIOp>(begin, part),
                                    1, sums, sumBlock);
                  });
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// As many steps as there are lanes, from that in `dims` on: a vector of y for
/// each, whose lanes begin at `lane`. Steps that are off in `mask` are read
/// nowhere.
FailureOr<SmallVector<Value>>
ContractionSkeleton::blockOf(const Values &dims, Value lane, Value mask) {
  Values block;
  for (Value column : tiling.columnsFrom(lane)) {
    Values at = dims;
    at[y->laneLoop] = column;
    ExpressionEmitter elements(
        kernel, *y->space, at,
        ExpressionEmitter::Lanes{y->sumLoops.back(), tiling.width}, mask);
    if (!mask)
      askAhead(elements);
    FailureOr<Value> steps = elements.emitLanes(operandY(), y->index);
    if (failed(steps))
      return failure();
    block.push_back(widen(*steps));
  }
  return transposed(b, std::move(block));
}

/// Whether the tile's vectors take turns at each block, with their sums in
/// memory: a block fills the registers by itself. The sums of one wait for each
/// other while the next one's block is turned.
bool ContractionSkeleton::takesTurns(const Tile &place) {
  return !panel && y->bytes.empty() && place.laneAt.size() > 1;
}

FailureOr<SmallVector<Value>>
ContractionSkeleton::overVectors(const Tile &place, ValueRange carried,
                                 VectorStep step) {
  if (!takesTurns(place)) {
    Values next(carried);
    for (auto [v, lane] : llvm::enumerate(place.laneAt)) {
      FailureOr<Values> done = step(lane, v, next);
      if (failed(done))
        return failure();
      next = *done;
    }
    return next;
  }
  auto type = VectorType::get({tiling.width}, accumulator);
  int64_t vectors = place.laneAt.size(), count = place.rowAt.size();
  auto turn = [&](Value v, ValueRange) -> FailureOr<Values> {
    Value first =
        b.createOrFold<arith::MulIOp>(v, indexConstant(kernel, tiling.width));
    auto sumOf = [&](int64_t row) {
      return b.createOrFold<arith::AddIOp>(
          first, indexConstant(kernel, row * vectors * tiling.width));
    };
    Values sums;
    for (int64_t r = 0; r < count; ++r)
      sums.push_back(
          vector::LoadOp::create(b, type, epilogue.accumulators, sumOf(r)));
    Value lane = b.createOrFold<arith::AddIOp>(place.laneAt.front(), first);
    FailureOr<Values> next = step(lane, 0, sums);
    if (failed(next))
      return failure();
    for (auto [r, sum] : llvm::enumerate(*next))
      vector::StoreOp::create(b, sum, epilogue.accumulators, sumOf(r));
    return Values();
  };
  return forRange(kernel, indexConstant(kernel, 0),
                  indexConstant(kernel, vectors), 1, {}, turn);
}

/// A block for each of the tile's vectors, of which the first `steps` count.
FailureOr<SmallVector<Value>>
ContractionSkeleton::blockStep(const Values &dims, const Tile &place,
                               Value mask, int64_t steps, Value end,
                               ValueRange carried, BlockStep step) {
  if (!mask && !y->bytes.empty())
    return lineStep(dims, place, end, carried, step);
  return overVectors(
      place, carried,
      [&](Value lane, unsigned v, ValueRange sums) -> FailureOr<Values> {
        FailureOr<Values> block = blockOf(dims, lane, mask);
        if (failed(block))
          return failure();
        return step(dims, v, ArrayRef(*block).take_front(steps), sums);
      });
}

/// The sum by blocks of steps of its innermost loop.
FailureOr<SmallVector<Value>>
ContractionSkeleton::sumOverBlocks(unsigned level, Values dims,
                                   const Tile &place, ValueRange carried,
                                   BlockStep step) {
  unsigned loop = y->sumLoops[level];
  AffineExpr size = y->size(loop);
  Value zero = indexConstant(kernel, 0), upper = kernel.size(size);
  if (level + 1 < y->sumLoops.size())
    return forRange(kernel, zero, upper, 1, carried,
                    [&](Value k, ValueRange sums) {
                      Values at = dims;
                      at[loop] = k;
                      return sumOverBlocks(level + 1, at, place, sums, step);
                    });
  int64_t blockSteps = y->bytes.empty() ? tiling.width : y->lineSteps;
  Value block = indexConstant(kernel, blockSteps);
  Value rest = b.createOrFold<arith::RemUIOp>(upper, block);
  Value whole = b.createOrFold<arith::SubIOp>(upper, rest);
  if (!y->bytes.empty() && turnsAhead()) {
    Values first = dims;
    first[loop] = zero;
    if (failed(turnLines(first, place)))
      return failure();
  }
  auto sums = forRange(kernel, zero, whole, blockSteps, carried,
                       [&](Value k, ValueRange values) {
                         Values at = dims;
                         at[loop] = k;
                         return blockStep(at, place, {}, tiling.width, whole,
                                          values, step);
                       });
  if (failed(sums))
    return failure();
  Values at = dims;
  at[loop] = whole;
  Value mask = laneMask(kernel, whole, upper, tiling.width);
  if (auto known = dyn_cast<AffineConstantExpr>(size)) {
    int64_t left = known.getValue() % blockSteps;
    return left ? blockStep(at, place, mask, left, upper, *sums, step) : sums;
  }
  // One more step at a time, from the block in memory.
  return forRest(at, place, mask, rest, *sums, step);
}

/// The first `rest` steps of a block.
FailureOr<SmallVector<Value>>
ContractionSkeleton::forRest(const Values &dims, const Tile &place, Value mask,
                             Value rest, ValueRange carried, BlockStep step) {
  unsigned loop = y->sumLoops.back();
  auto type = VectorType::get({tiling.width}, accumulator);
  auto ifOp =
      scf::IfOp::create(b, carried.getTypes(),
                        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rest,
                                              indexConstant(kernel, 0)),
                        /*withElse=*/!carried.empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  FailureOr<Values> next = overVectors(
      place, carried,
      [&](Value lane, unsigned v, ValueRange carried) -> FailureOr<Values> {
        FailureOr<Values> block = blockOf(dims, lane, mask);
        if (failed(block))
          return failure();
        for (auto [k, column] : llvm::enumerate(*block))
          vector::StoreOp::create(b, column, restBlock,
                                  indexConstant(kernel, k * tiling.width));
        return forRange(kernel, indexConstant(kernel, 0), rest, 1, carried,
                        [&](Value k, ValueRange sums) {
                          Values at = dims;
                          at[loop] =
                              b.createOrFold<arith::AddIOp>(dims[loop], k);
                          Value column = vector::LoadOp::create(
                              b, type, restBlock,
                              b.createOrFold<arith::MulIOp>(
                                  k, indexConstant(kernel, tiling.width)));
                          return step(at, v, column, sums);
                        });
      });
  if (failed(next))
    return failure();
  if (carried.empty())
    return Values();
  scf::YieldOp::create(b, *next);
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, carried);
  return Values(ifOp.getResults());
}

} // namespace tensorc::codegen::simd
