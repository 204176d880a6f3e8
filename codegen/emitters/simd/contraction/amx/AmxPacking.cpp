//===- AmxPacking.cpp - Pack operands for tile registers ------------------===//

#include "codegen/emitters/simd/contraction/amx/AmxPacking.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/emitters/simd/contraction/amx/Magnitudes.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using txk::AmxTile;

bool AmxPacking::planSteps() {
  steps = 1;
  for (unsigned loop : plan.kLoops) {
    std::optional<int64_t> size = constantOf(plan.loops.sizes[loop]);
    if (!size ||
        (loop == plan.kLoops.back() && steps > 1 && *size % blockSteps() != 0))
      return false;
    steps *= *size;
  }
  return true;
}

int64_t AmxPacking::countBlocks() const {
  return llvm::divideCeil(steps, blockSteps());
}

/// Sets the outer K loops in `dims` to those of the block with this number.
/// Returns the number of the block in the innermost K loop.
Value AmxPacking::placeBlock(Value number, Values &dims) {
  if (plan.kLoops.size() == 1)
    return number;
  SmallVector<AffineExpr> counts;
  for (unsigned loop : plan.kLoops)
    counts.push_back(plan.loops.sizes[loop]);
  counts.back() = kernel.names.simplify(counts.back().ceilDiv(blockSteps()));
  Values at = delinearize(kernel, number, counts);
  for (auto [loop, value] : llvm::zip_equal(plan.kLoops, at))
    dims[loop] = value;
  return at.back();
}

/// Loads a block along K, one vector per lane. Lanes past the end repeat the
/// last one. Returns an empty list after an error.
Values AmxPacking::loadLanes(const Block &block, Values dims) {
  unsigned k = plan.kLoops.back(), loop = block.operand.loop;
  int64_t width = blockSteps();
  Value last = b.createOrFold<arith::SubIOp>(
      kernel.size(plan.loops.sizes[loop]), indexConstant(kernel, 1));
  dims[k] =
      b.createOrFold<arith::MulIOp>(block.number, indexConstant(kernel, width));
  Value mask =
      block.isPartial
          ? laneMask(kernel, dims[k], kernel.size(plan.loops.sizes[k]), width)
          : Value();
  Values vectors;
  for (int64_t lane = 0; lane < AmxTile::side; ++lane) {
    dims[loop] = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(block.lane, indexConstant(kernel, lane)),
        last);
    FailureOr<Value> loaded =
        groups.loadNarrow(block.operand, dims, {k, width}, mask,
                          kernel.costs().columnPrefetchBytes);
    if (failed(loaded))
      return {};
    Value elements = *loaded;
    if (mask)
      elements = arith::SelectOp::create(
          b, mask, elements, constantOf(b, b.getLoc(), elements.getType(), 0));
    vectors.push_back(vector::BitCastOp::create(
        b, VectorType::get({AmxTile::side}, b.getI32Type()), elements));
  }
  return vectors;
}

/// Loads a block along its lanes, one vector per group of K steps. Returns an
/// empty list after an error.
Values AmxPacking::loadGroups(const Block &block, Values dims) {
  GroupedOperand operand = block.operand;
  operand.vectors = 1;
  Value first = b.createOrFold<arith::MulIOp>(
      block.number, indexConstant(kernel, AmxTile::side));
  Values vectors;
  for (int64_t group = 0; group < AmxTile::side; ++group) {
    Values words = groups.loadGroup(
        operand, dims, block.lane,
        b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, group)),
        block.isPartial);
    if (words.empty())
      return {};
    vectors.append(words);
  }
  return vectors;
}

Value AmxPacking::offsetOfSmallest(Value inItem) {
  return b.createOrFold<arith::MulIOp>(
      inItem, indexConstant(kernel, 2 * AmxTile::side));
}

LogicalResult AmxPacking::pack(const Block &block, const Values &dims) {
  bool alongK = block.operand.alongK;
  Values vectors = alongK ? loadLanes(block, dims) : loadGroups(block, dims);
  if (vectors.empty())
    return failure();
  if (smallest) {
    Value at = offsetOfSmallest(block.inItem);
    Value least = vector::LoadOp::create(b, magnitudeType(), smallest, at);
    for (Value words : vectors)
      least = arith::MinUIOp::create(b, least, magnitudesOf(b, words));
    vector::StoreOp::create(b, least, smallest, at);
  }
  if (alongK != isX(block.operand))
    vectors = transposed(b, std::move(vectors));
  for (auto [i, words] : llvm::enumerate(vectors))
    vector::StoreOp::create(
        b, words, block.memory,
        b.createOrFold<arith::AddIOp>(
            block.begin, indexConstant(kernel, i * AmxTile::side)));
  return success();
}

void AmxPacking::allocate(int64_t count) {
  smallest = memref::AllocaOp::create(
      b,
      MemRefType::get({count * magnitudeType().getNumElements()},
                      b.getI16Type()),
      b.getI64IntegerAttr(64));
}

LogicalResult AmxPacking::packTiles(const GroupedOperand &operand,
                                    const Destination &to, const Tiles &tiles) {
  int64_t blocks = countBlocks(), wholeBlocks = steps / blockSteps();
  auto times = [&](Value v, int64_t factor) {
    return b.createOrFold<arith::MulIOp>(v, indexConstant(kernel, factor));
  };
  auto plus = [&](Value v, Value w) {
    return b.createOrFold<arith::AddIOp>(v, w);
  };
  auto overTiles =
      [&](function_ref<LogicalResult(Value tile, Value inItem)> body)
      -> FailureOr<Values> {
    return forRange(kernel, tiles.first, tiles.end, 1, {},
                    [&](Value tile, ValueRange) -> FailureOr<Values> {
                      if (failed(body(tile, b.createOrFold<arith::SubIOp>(
                                                tile, tiles.first))))
                        return failure();
                      return Values();
                    });
  };
  auto packBlock = [&](Value tile, Value inItem, Value i, Value number,
                       bool isPartial) {
    Value begin = times(plus(times(plus(tiles.before, tile), blocks), number),
                        to.blocksPerTile * AmxTile::words);
    Value lane = times(plus(times(tile, to.blocksPerTile), i), AmxTile::side);
    Values dims = tiles.dims;
    return pack({operand, to.memory, plus(begin, times(i, AmxTile::words)),
                 lane, placeBlock(number, dims), inItem, isPartial},
                dims);
  };
  auto over = [&](int64_t count, function_ref<LogicalResult(Value)> body) {
    return success(succeeded(
        forRange(kernel, indexConstant(kernel, 0), indexConstant(kernel, count),
                 1, {}, [&](Value at, ValueRange) -> FailureOr<Values> {
                   if (failed(body(at)))
                     return failure();
                   return Values();
                 })));
  };
  auto overBlocks =
      [&](function_ref<LogicalResult(Value number, bool isPartial)> body)
      -> LogicalResult {
    if (failed(over(wholeBlocks,
                    [&](Value number) { return body(number, false); })))
      return failure();
    return wholeBlocks < blocks ? body(indexConstant(kernel, wholeBlocks), true)
                                : success();
  };
  // Follow as few streams of memory as possible.
  auto packAll = [&]() -> LogicalResult {
    if (operand.alongK)
      return success(succeeded(overTiles([&](Value tile, Value inItem) {
        return over(to.blocksPerTile, [&](Value i) {
          return overBlocks([&](Value number, bool isPartial) {
            return packBlock(tile, inItem, i, number, isPartial);
          });
        });
      })));
    return overBlocks([&](Value number, bool isPartial) {
      return success(succeeded(overTiles([&](Value tile, Value inItem) {
        return over(to.blocksPerTile, [&](Value i) {
          return packBlock(tile, inItem, i, number, isPartial);
        });
      })));
    });
  };
  auto begin = [&](Value, Value inItem) {
    vector::StoreOp::create(b, constantOf(b, b.getLoc(), magnitudeType(), -1),
                            smallest, offsetOfSmallest(inItem));
    return success();
  };
  auto finish = [&](Value tile, Value inItem) {
    Value least = vector::LoadOp::create(b, magnitudeType(), smallest,
                                         offsetOfSmallest(inItem));
    memref::StoreOp::create(b, smallestOf(b, least), to.magnitudes,
                            plus(tiles.before, tile));
    return success();
  };
  if (smallest && failed(overTiles(begin)))
    return failure();
  if (failed(packAll()))
    return failure();
  return success(!smallest || succeeded(overTiles(finish)));
}

FailureOr<KernelSpec> AmxPacking::emit(const GroupedOperand &operand,
                                       const Destination &to,
                                       ArrayRef<unsigned> outerLoops) {
  AffineExpr tiles = kernel.names.simplify(
      plan.loops.sizes[operand.loop].ceilDiv(to.blocksPerTile * AmxTile::side));
  // Lanes of several tiles share a cache line.
  int64_t tilesOfItem = operand.alongK ? 1 : kernel.costs().packingAmxTiles;
  SmallVector<AffineExpr> work;
  for (unsigned loop : outerLoops)
    work.push_back(plan.loops.sizes[loop]);
  work.push_back(kernel.names.simplify(tiles.ceilDiv(tilesOfItem)));
  if (to.magnitudes)
    allocate(tilesOfItem);
  auto ofItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work);
    Values dims(plan.loops.sizes.size(), indexConstant(kernel, 0));
    Value first = b.createOrFold<arith::MulIOp>(
        at.pop_back_val(), indexConstant(kernel, tilesOfItem));
    Value batch = indexConstant(kernel, 0);
    for (auto [loop, value] : llvm::zip_equal(outerLoops, at)) {
      dims[loop] = value;
      batch = b.createOrFold<arith::AddIOp>(
          b.createOrFold<arith::MulIOp>(batch,
                                        kernel.size(plan.loops.sizes[loop])),
          value);
    }
    Value end = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(first,
                                      indexConstant(kernel, tilesOfItem)),
        kernel.size(tiles));
    Value before = b.createOrFold<arith::MulIOp>(batch, kernel.size(tiles));
    if (failed(packTiles(operand, to, {dims, before, first, end})))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, ofItem)))
    return failure();
  int64_t elements = tilesOfItem * to.blocksPerTile * AmxTile::side * steps;
  return kernel.finish(
      kernel.names.product(work),
      plan.constant(llvm::divideCeil(kernel.costs().packingGrain, elements)));
}

} // namespace tensorc::codegen::simd
