//===- TransposedWords.cpp - Transposes narrow elements of y as words -----===//

#include "codegen/emitters/simd/contraction/parts/TransposedWords.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

void TransposedWords::allocate() {
  if (y.narrow.reads.empty())
    return;
  int64_t words = static_cast<int64_t>(y.narrow.reads.size()) * tiling.width *
                  tiling.lanes();
  memory = memref::AllocaOp::create(
      b, MemRefType::get({2 * words}, b.getI32Type()), b.getI64IntegerAttr(64));
}

/// Loads `count` words of each column and transposes them: lane l of the i-th
/// result is word i of column l.
Values TransposedWords::wordsOf(const BlockRead &read, int64_t count,
                                const analysis::IterationSpace &blocks,
                                Values dims, Value lane) {
  Value buffer = kernel.buffer(read.input);
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t elements = count * wordBytes * 8 / read.bits();
  auto bytes = VectorType::get({elements}, b.getIntegerType(read.bits()));
  Values columns;
  for (Value column : tiling.columnsFrom(lane)) {
    dims[y.laneLoop] = column;
    Value first =
        ExpressionEmitter(kernel, blocks, dims).indexValue(read.position);
    Value loaded = vector::LoadOp::create(
        b, VectorType::get({elements}, element), buffer, first);
    if (loaded.getType() != bytes)
      loaded = arith::BitcastOp::create(b, bytes, loaded);
    columns.push_back(vector::BitCastOp::create(
        b, VectorType::get({count}, b.getI32Type()), loaded));
  }
  // Columns that are `count` apart are loaded into one vector. The transpose
  // then only swaps words in the same lane of different vectors.
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

/// Returns the index in `memory` of word `word` of read number `read`, for a
/// vector of the tile and the cache line that begins at step `lineBegin`. Even
/// and odd lines use different buffers.
Value TransposedWords::offsetOfWord(unsigned read, Value lineBegin, Value word,
                                    Value vector) {
  int64_t words = tiling.width * tiling.lanes();
  Value odd = b.createOrFold<arith::RemUIOp>(
      b.createOrFold<arith::DivUIOp>(lineBegin,
                                     indexConstant(kernel, y.narrow.lineSteps)),
      indexConstant(kernel, 2));
  Value before = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(
          odd, indexConstant(kernel, words * y.narrow.reads.size())),
      indexConstant(kernel, read * words));
  Value number = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(word,
                                    indexConstant(kernel, tiling.vectors)),
      vector);
  return b.createOrFold<arith::AddIOp>(
      before, b.createOrFold<arith::MulIOp>(
                  number, indexConstant(kernel, tiling.width)));
}

/// If columns are contiguous, prefetches those of the next tile while this one
/// is multiplied. The hardware prefetcher does not follow so many streams of
/// one cache line each, nor strides that are powers of two.
void TransposedWords::prefetchNextTile(const BlockRead &read,
                                       const analysis::IterationSpace &blocks,
                                       Values dims, Value vector) {
  auto apart = analysis::linearIn(read.position, y.laneLoop, blocks);
  AffineExpr steps = plan.constant(read.words() * wordBytes * 8 / read.bits());
  for (unsigned loop : y.kLoops)
    steps = steps * blocks.getSizes()[loop];
  if (!apart || apart->coefficient != kernel.names.simplify(steps))
    return;
  auto position = [&] {
    return ExpressionEmitter(kernel, blocks, dims).indexValue(read.position);
  };
  Value columns = indexConstant(kernel, tiling.lanes());
  Value now = position();
  for (unsigned loop : y.kLoops)
    dims[loop] = indexConstant(kernel, 0);
  Value done = b.createOrFold<arith::SubIOp>(now, position());
  dims[y.laneLoop] = b.createOrFold<arith::AddIOp>(dims[y.laneLoop], columns);
  int64_t line = kernel.target.getCacheLineBytes() * 8 / read.bits();
  int64_t each = tiling.width * read.words() *
                 (y.narrow.lineSteps / y.narrow.steps) * wordBytes * 8 /
                 read.bits();
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

/// Transposes the cache line that begins at the K step in `dims`, for the
/// columns of vector `vector` of the tile.
void TransposedWords::transposeLine(Values dims, const Tile &tile,
                                    Value vector) {
  analysis::IterationSpace blocks = spaceOfBlocks(plan, y, y.narrow.steps);
  Value &inner = dims[y.kLoops.back()];
  Value begin = inner;
  inner = b.createOrFold<arith::DivUIOp>(inner,
                                         indexConstant(kernel, y.narrow.steps));
  dims[y.laneLoop] = tile.laneAt.front();
  Value lane = b.createOrFold<arith::AddIOp>(
      tile.laneAt.front(), b.createOrFold<arith::MulIOp>(
                               vector, indexConstant(kernel, tiling.width)));
  for (auto [i, read] : llvm::enumerate(y.narrow.reads)) {
    int64_t count = read.words() * (y.narrow.lineSteps / y.narrow.steps);
    prefetchNextTile(read, blocks, dims, vector);
    for (auto [word, value] :
         llvm::enumerate(wordsOf(read, count, blocks, dims, lane)))
      vector::StoreOp::create(
          b, value, memory,
          offsetOfWord(i, begin, indexConstant(kernel, word), vector));
  }
}

LogicalResult TransposedWords::transposeLines(const Values &dims,
                                              const Tile &tile) {
  return success(
      succeeded(forRange(kernel, indexConstant(kernel, 0),
                         indexConstant(kernel, tile.laneAt.size()), 1, {},
                         [&](Value vector, ValueRange) -> FailureOr<Values> {
                           transposeLine(dims, tile, vector);
                           return Values();
                         })));
}

/// Loads block `number` of the cache line that begins at `lineBegin`. `dims`
/// holds the first K step of the block.
FailureOr<Values> TransposedWords::loadBlock(Values dims, const Tile &tile,
                                             unsigned vector, Value lineBegin,
                                             Value number) {
  int64_t steps = y.narrow.steps;
  analysis::IterationSpace blocks = spaceOfBlocks(plan, y, steps);
  Value &inner = dims[y.kLoops.back()];
  inner = b.createOrFold<arith::DivUIOp>(inner, indexConstant(kernel, steps));
  dims[y.laneLoop] = tile.laneAt[vector];
  ExpressionEmitter elements(kernel, blocks, dims,
                             ExpressionEmitter::Lanes{y.laneLoop, tiling.width},
                             tile.masks[vector]);
  for (auto [i, read] : llvm::enumerate(y.narrow.reads)) {
    Values words;
    for (int64_t w = 0; w < read.words(); ++w)
      words.push_back(vector::LoadOp::create(
          b, VectorType::get({tiling.width}, b.getI32Type()), memory,
          offsetOfWord(i, lineBegin,
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
      elements.bindElement(read.input, index, taken);
    }
  }
  Values block;
  for (int64_t step = 0; step < steps; ++step) {
    FailureOr<Value> column = elements.emitLanes(
        plan.operandY(), indexInBlock(y, blocks, steps, step));
    if (failed(column))
      return failure();
    block.push_back(plan.widen(*column));
  }
  return block;
}

bool TransposedWords::isPipelined() {
  auto steps = dyn_cast<AffineConstantExpr>(y.size(y.kLoops.back()));
  return steps &&
         steps.getValue() >=
             kernel.costs().minPipelinedLines * y.narrow.lineSteps &&
         y.narrow.lineSteps / y.narrow.steps % tiling.vectors == 0;
}

FailureOr<Values> TransposedWords::emitLine(const Values &dims,
                                            const Tile &tile, Value end,
                                            ValueRange carried,
                                            BlockStep step) {
  unsigned inner = y.kLoops.back();
  auto accumulateBlock = [&](Value number,
                             ValueRange sums) -> FailureOr<Values> {
    Values at = dims, next(sums);
    at[inner] = b.createOrFold<arith::AddIOp>(
        dims[inner], b.createOrFold<arith::MulIOp>(
                         number, indexConstant(kernel, y.narrow.steps)));
    for (unsigned v = 0; v < tile.laneAt.size(); ++v) {
      FailureOr<Values> block = loadBlock(at, tile, v, dims[inner], number);
      if (failed(block))
        return failure();
      FailureOr<Values> done = step(at, v, *block, next);
      if (failed(done))
        return failure();
      next = *done;
    }
    return next;
  };
  int64_t blocks = y.narrow.lineSteps / y.narrow.steps;
  Value zero = indexConstant(kernel, 0);
  if (!isPipelined()) {
    if (failed(transposeLines(dims, tile)))
      return failure();
    return forRange(kernel, zero, indexConstant(kernel, blocks), 1, carried,
                    accumulateBlock);
  }
  // After the last line, transposes it once more; the result is not used.
  Values after = dims;
  after[inner] = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(dims[inner],
                                    indexConstant(kernel, y.narrow.lineSteps)),
      b.createOrFold<arith::SubIOp>(end,
                                    indexConstant(kernel, y.narrow.lineSteps)));
  Value part = indexConstant(kernel, blocks / tiling.vectors);
  return forRange(kernel, zero, indexConstant(kernel, tile.laneAt.size()), 1,
                  carried, [&](Value vector, ValueRange sums) {
                    transposeLine(after, tile, vector);
                    Value begin = b.createOrFold<arith::MulIOp>(vector, part);
                    return forRange(kernel, begin,
                                    b.createOrFold<arith::AddIOp>(begin, part),
                                    1, sums, accumulateBlock);
                  });
}

} // namespace tensorc::codegen::simd
