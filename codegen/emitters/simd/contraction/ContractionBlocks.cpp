//===- ContractionBlocks.cpp - Columns of y that memory holds along the sum ==//
//
// A block is as many columns as there are lanes, and so many steps of the sum:
// it is read along the steps, and turned in registers.
//
// Narrow elements are turned as they lie in memory, four bytes of a column at a
// time, which takes a fraction of the shuffles. Each step then takes its
// element out of the four bytes and makes a number of it, for all lanes at
// once. Two 4-bit integers share a byte, so both steps take it.
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
using Values = SmallVector<Value>;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// What a column holds of a block at a time.
static constexpr int64_t wordBytes = 4;

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

/// Finds out whether all that changes from lane to lane and from step to step
/// is narrow and lies side by side within a block.
void ContractionSkeleton::planBytes(ReadLoops &reads) {
  int64_t steps = kernel.target.getLanes(accumulator);
  analysis::IterationSpace blocks = spaceOfBlocks(reads, steps);
  unsigned inner = reads.sumLoops.back();
  SmallVector<BlockRead> found;
  bool fits = llvm::isPowerOf2_64(steps);
  for (int64_t step = 0; fits && step < steps; ++step) {
    size_t next = 0;
    analysis::walkReads(
        dot.getY(), indexInBlock(reads, blocks, steps, step), blocks,
        [&](Value s) { return kernel.symbolOf(s); },
        [](Value) { return false; },
        [&](Value v, const Index &index) {
          auto input = dyn_cast<BlockArgument>(v);
          if (!input || kernel.isScalar(input))
            return;
          AffineExpr position = blocks.linearize(index, kernel.dims(v));
          if (!position.isFunctionOfDim(reads.laneLoop) ||
              !position.isFunctionOfDim(inner))
            return;
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
        },
        [&](const analysis::Guard &) { fits = false; });
    fits &= next == found.size();
  }
  for (const BlockRead &read : found)
    fits &= read.words() != 0;
  if (!fits || found.empty())
    return;
  reads.bytes = std::move(found);
  reads.alongSum = true;
}

/// Of a column in a block; 0: they are too many, or not whole ones.
int64_t ContractionSkeleton::BlockRead::words() const {
  int64_t bits =
      kernelType(getElementTypeOrSelf(input.getType())).getIntOrFloatBitWidth();
  if ((bits != 8 && bits != 16) || offsets.empty())
    return 0;
  int64_t bytes = (*llvm::max_element(offsets) + 1) * bits / 8;
  int64_t words = bytes / wordBytes;
  bool whole = bytes % wordBytes == 0 && llvm::isPowerOf2_64(words);
  return whole && words <= static_cast<int64_t>(offsets.size()) ? words : 0;
}

/// The block's columns. Those past the end repeat the last one, and are not
/// stored. A tile may be wider than what there is, by whole vectors, too.
SmallVector<Value> ContractionSkeleton::columnsFrom(Value lane) {
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[laneLoop]);
  bool even = size && size.getValue() % (width * tileVectors) == 0;
  Value last = b.createOrFold<arith::SubIOp>(kernel.size(loops.sizes[laneLoop]),
                                             indexConstant(kernel, 1));
  Values columns;
  for (int64_t l = 0; l < width; ++l) {
    Value at = b.createOrFold<arith::AddIOp>(lane, indexConstant(kernel, l));
    columns.push_back(even ? at : b.createOrFold<arith::MinUIOp>(at, last));
  }
  return columns;
}

/// The words of all columns: lane l of the i-th vector is word i of column l.
SmallVector<Value>
ContractionSkeleton::wordsOf(const BlockRead &read,
                             const analysis::IterationSpace &blocks,
                             Values dims, Value lane) {
  Value buffer = kernel.buffer(read.input);
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t bits = element.getIntOrFloatBitWidth(), count = read.words();
  int64_t elements = count * wordBytes * 8 / bits;
  auto bytes = VectorType::get({elements}, b.getIntegerType(bits));
  Values columns;
  for (Value column : columnsFrom(lane)) {
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
    for (int64_t c = v; c < width; c += count)
      parts.push_back(columns[c]);
    for (int64_t lanes = 2 * count; lanes <= width; lanes *= 2) {
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

/// The block that begins at the step in `dims`.
FailureOr<SmallVector<Value>>
ContractionSkeleton::blockOfBytes(Values dims, Value lane, Value lanesOn) {
  analysis::IterationSpace blocks = spaceOfBlocks(*y, width);
  Value &inner = dims[y->sumLoops.back()];
  inner = b.createOrFold<arith::DivUIOp>(inner, indexConstant(kernel, width));
  dims[y->laneLoop] = lane;
  ExpressionEmitter elements(kernel, blocks, dims,
                             ExpressionEmitter::Lanes{y->laneLoop, width},
                             lanesOn);
  for (const BlockRead &read : y->bytes) {
    Values words = wordsOf(read, blocks, dims, lane);
    Type element = kernelType(getElementTypeOrSelf(read.input.getType()));
    int64_t bits = element.getIntOrFloatBitWidth();
    auto integer = VectorType::get({width}, b.getIntegerType(bits));
    for (auto [offset, index] : llvm::zip_equal(read.offsets, read.indices)) {
      int64_t bit = offset * bits, wordBits = wordBytes * 8;
      Value taken = words[bit / wordBits];
      if (bit % wordBits != 0)
        taken = arith::ShRUIOp::create(
            b, taken,
            constantOf(b, b.getLoc(), taken.getType(), bit % wordBits));
      taken = arith::TruncIOp::create(b, integer, taken);
      if (integer.getElementType() != element)
        taken = arith::BitcastOp::create(b, VectorType::get({width}, element),
                                         taken);
      elements.give(read.input, index, taken);
    }
  }
  Values block;
  for (int64_t step = 0; step < width; ++step) {
    FailureOr<Value> column =
        elements.emitLanes(dot.getY(), indexInBlock(*y, blocks, width, step));
    if (failed(column))
      return failure();
    block.push_back(widen(*column));
  }
  return block;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// As many steps as there are lanes, from that in `dims` on: a vector of y for
/// each, whose lanes begin at `lane`. Steps that are off in `mask` are read
/// nowhere.
FailureOr<SmallVector<Value>> ContractionSkeleton::blockOf(const Values &dims,
                                                           Value lane,
                                                           Value lanesOn,
                                                           Value mask) {
  if (!mask && !y->bytes.empty())
    return blockOfBytes(dims, lane, lanesOn);
  Values block;
  for (Value column : columnsFrom(lane)) {
    Values at = dims;
    at[y->laneLoop] = column;
    ExpressionEmitter elements(
        kernel, *y->space, at,
        ExpressionEmitter::Lanes{y->sumLoops.back(), width}, mask);
    if (!mask)
      askAhead(elements);
    FailureOr<Value> steps = elements.emitLanes(dot.getY(), y->index);
    if (failed(steps))
      return failure();
    block.push_back(widen(*steps));
  }
  return transposed(b, std::move(block));
}

/// A block for each of the tile's vectors, of which the first `steps` count.
FailureOr<SmallVector<Value>>
ContractionSkeleton::blockStep(const Values &dims, const Place &place,
                               Value mask, int64_t steps, ValueRange carried,
                               BlockStep step) {
  Values next(carried);
  for (auto [v, lane] : llvm::enumerate(place.laneAt)) {
    FailureOr<Values> block = blockOf(dims, lane, place.masks[v], mask);
    if (failed(block))
      return failure();
    auto done = step(dims, v, ArrayRef(*block).take_front(steps), next);
    if (failed(done))
      return failure();
    next = *done;
  }
  return next;
}

/// The sum by blocks of steps of its innermost loop.
FailureOr<SmallVector<Value>>
ContractionSkeleton::sumOverBlocks(unsigned level, Values dims,
                                   const Place &place, ValueRange carried,
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
  Value block = indexConstant(kernel, width);
  Value rest = b.createOrFold<arith::RemUIOp>(upper, block);
  Value whole = b.createOrFold<arith::SubIOp>(upper, rest);
  auto sums = forRange(kernel, zero, whole, width, carried,
                       [&](Value k, ValueRange values) {
                         Values at = dims;
                         at[loop] = k;
                         return blockStep(at, place, {}, width, values, step);
                       });
  if (failed(sums))
    return failure();
  Values at = dims;
  at[loop] = whole;
  Value mask = laneMask(kernel, whole, upper, width);
  if (auto known = dyn_cast<AffineConstantExpr>(size)) {
    int64_t left = known.getValue() % width;
    return left ? blockStep(at, place, mask, left, *sums, step) : sums;
  }
  // One more step at a time, from the block in memory.
  return forRest(at, place, mask, rest, *sums, step);
}

/// The first `rest` steps of a block.
FailureOr<SmallVector<Value>>
ContractionSkeleton::forRest(const Values &dims, const Place &place, Value mask,
                             Value rest, ValueRange carried, BlockStep step) {
  unsigned loop = y->sumLoops.back();
  auto type = VectorType::get({width}, accumulator);
  auto ifOp =
      scf::IfOp::create(b, carried.getTypes(),
                        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rest,
                                              indexConstant(kernel, 0)),
                        /*withElse=*/!carried.empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  FailureOr<Values> next = Values(carried);
  for (auto [v, lane] : llvm::enumerate(place.laneAt)) {
    FailureOr<Values> block = blockOf(dims, lane, place.masks[v], mask);
    if (failed(block))
      return failure();
    for (auto [k, column] : llvm::enumerate(*block))
      vector::StoreOp::create(b, column, restBlock,
                              indexConstant(kernel, k * width));
    next = forRange(
        kernel, indexConstant(kernel, 0), rest, 1, *next,
        [&](Value k, ValueRange sums) {
          Values at = dims;
          at[loop] = b.createOrFold<arith::AddIOp>(dims[loop], k);
          Value column = vector::LoadOp::create(
              b, type, restBlock,
              b.createOrFold<arith::MulIOp>(k, indexConstant(kernel, width)));
          return step(at, v, column, sums);
        });
    if (failed(next))
      return failure();
  }
  if (carried.empty())
    return Values();
  scf::YieldOp::create(b, *next);
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, carried);
  return Values(ifOp.getResults());
}

} // namespace tensorc::codegen::simd
