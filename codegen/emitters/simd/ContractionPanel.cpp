//===- ContractionPanel.cpp - A tile's columns of y, packed ---------------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/ContractionSkeleton.h"
#include "codegen/emitters/simd/TransposedBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = SmallVector<Value>;

//===----------------------------------------------------------------------===//
// What is read of y
//===----------------------------------------------------------------------===//

/// How many bytes ahead of a walk through memory to ask for.
static constexpr int64_t aheadBytes = 1024;
/// How many steps ahead, where a step is a row of memory.
static constexpr int64_t aheadSteps = 12;

void ContractionSkeleton::planReads() {
  AffineExpr one = constant(1);
  bool alongLanes = false;
  auto coefficient = [&](AffineExpr position, unsigned loop) -> AffineExpr {
    auto linear = analysis::linearIn(position, loop, *space);
    return linear ? linear->coefficient : AffineExpr();
  };
  analysis::walkReads(
      dot.getY(), yIndex, *space, [&](Value s) { return kernel.symbolOf(s); },
      [](Value) { return false; },
      [&](Value v, const analysis::Index &index) {
        auto argument = dyn_cast<BlockArgument>(v);
        if (!argument || kernel.isScalar(argument))
          return;
        AffineExpr position = space->linearize(index, kernel.dims(v));
        if (!position.isFunctionOfDim(laneLoop))
          return;
        AffineExpr step = coefficient(position, sumLoops.back());
        if (coefficient(position, laneLoop) == one)
          alongLanes = true;
        else if (step == one)
          alongSum = true;
        if (auto known = dyn_cast_or_null<AffineConstantExpr>(step))
          stepElements = known.getValue();
      },
      [](const analysis::Guard &) {});
  if (alongLanes)
    alongSum = false;
}

/// Processors look ahead within a page only, and a walk down columns leaves it
/// with each step.
void ContractionSkeleton::askAhead(ExpressionEmitter &elements) {
  int64_t bytes =
      stepElements *
      llvm::divideCeil(kernelType(dot.getY().getType().getElementType())
                           .getIntOrFloatBitWidth(),
                       8);
  if (alongSum)
    elements.prefetch(aheadBytes);
  else if (bytes >= aheadBytes)
    elements.prefetch(aheadSteps * bytes);
}

/// The vectors of y at one step of the sum.
FailureOr<SmallVector<Value>>
ContractionSkeleton::columnsOf(const Values &dims, const Place &place) {
  Values columns;
  for (auto [lane, mask] : llvm::zip(place.laneAt, place.masks)) {
    Values at = dims;
    at[laneLoop] = lane;
    ExpressionEmitter elements(kernel, *space, at,
                               ExpressionEmitter::Lanes{laneLoop, width}, mask);
    askAhead(elements);
    FailureOr<Value> column = elements.emitLanes(dot.getY(), yIndex);
    if (failed(column))
      return failure();
    columns.push_back(widen(*column));
  }
  return columns;
}

/// As many steps as there are lanes, from that in `dims` on: a vector of y for
/// each, whose lanes begin at `lane`. Steps that are off in `mask` are read
/// nowhere.
FailureOr<SmallVector<Value>>
ContractionSkeleton::blockOf(const Values &dims, Value lane, Value mask) {
  // Lanes past the end repeat the last one, and are not stored. A tile may be
  // wider than what there is, by whole vectors, too.
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[laneLoop]);
  bool even = size && size.getValue() % (width * tileVectors) == 0;
  Value last = b.createOrFold<arith::SubIOp>(kernel.size(loops.sizes[laneLoop]),
                                             indexConstant(kernel, 1));
  Values block;
  for (int64_t l = 0; l < width; ++l) {
    Values at = dims;
    at[laneLoop] =
        b.createOrFold<arith::AddIOp>(lane, indexConstant(kernel, l));
    if (!even)
      at[laneLoop] = b.createOrFold<arith::MinUIOp>(at[laneLoop], last);
    ExpressionEmitter elements(kernel, *space, at,
                               ExpressionEmitter::Lanes{sumLoops.back(), width},
                               mask);
    if (!mask)
      askAhead(elements);
    FailureOr<Value> steps = elements.emitLanes(dot.getY(), yIndex);
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
    FailureOr<Values> block = blockOf(dims, lane, mask);
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
  unsigned loop = sumLoops[level];
  AffineExpr size = loops.sizes[loop];
  Value zero = indexConstant(kernel, 0), upper = kernel.size(size);
  if (level + 1 < sumLoops.size())
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
  unsigned loop = sumLoops.back();
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
    FailureOr<Values> block = blockOf(dims, lane, mask);
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

//===----------------------------------------------------------------------===//
// The panel
//===----------------------------------------------------------------------===//

/// Makes the panel if there is more than one tile of rows; the scratch it
/// needs.
AffineExpr ContractionSkeleton::planPanel() {
  if (alongSum && !isa<AffineConstantExpr>(loops.sizes[sumLoops.back()]))
    restBlock = memref::AllocaOp::create(
        b, MemRefType::get({width * width}, accumulator),
        b.getI64IntegerAttr(64));
  auto count = dyn_cast<AffineConstantExpr>(loops.sizes[rowLoop]);
  if (count && count.getValue() <= rows)
    return {};
  AffineExpr elements = constant(tileVectors * width);
  for (unsigned loop : sumLoops)
    elements = elements * loops.sizes[loop];
  elements = kernel.names.simplify(elements);
  panel = memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, accumulator), kernel.scratch(),
      indexConstant(kernel, 0), ValueRange{kernel.size(elements)});
  return elements * constant(accumulator.getIntOrFloatBitWidth() / 8);
}

/// Where the panel has a vector of y.
Value ContractionSkeleton::panelPlace(const Values &dims, unsigned vector) {
  Value place = dims[sumLoops.front()];
  for (unsigned loop : ArrayRef(sumLoops).drop_front())
    place = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(place, kernel.size(loops.sizes[loop])),
        dims[loop]);
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(place,
                                    indexConstant(kernel, tileVectors * width)),
      indexConstant(kernel, vector * width));
}

/// Fills the panel where `isNew` holds.
LogicalResult ContractionSkeleton::pack(Value isNew, const Values &dims,
                                        const Place &place) {
  auto ifOp = scf::IfOp::create(b, isNew, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  if (alongSum) {
    auto store = [&](const Values &at, unsigned vector, ArrayRef<Value> block,
                     ValueRange) -> FailureOr<Values> {
      Values here = at;
      for (auto [k, column] : llvm::enumerate(block)) {
        here[sumLoops.back()] = b.createOrFold<arith::AddIOp>(
            at[sumLoops.back()], indexConstant(kernel, k));
        vector::StoreOp::create(b, column, panel, panelPlace(here, vector));
      }
      return Values();
    };
    return success(succeeded(sumOverBlocks(0, dims, place, {}, store)));
  }
  auto done = sumOver(
      0, dims, {}, [&](const Values &at, ValueRange) -> FailureOr<Values> {
        FailureOr<Values> columns = columnsOf(at, place);
        if (failed(columns))
          return failure();
        for (auto [v, column] : llvm::enumerate(*columns))
          vector::StoreOp::create(b, column, panel, panelPlace(at, v));
        return Values();
      });
  return success(succeeded(done));
}

//===----------------------------------------------------------------------===//
// The choice of a tile
//===----------------------------------------------------------------------===//

/// Fewer items do not occupy threads, where there is work for several.
static constexpr int64_t enoughItems = 8, littleWork = 1 << 19;
/// Vectors of a tile that walks down y's columns.
static constexpr int64_t widestTile = 8;

/// Rows are shared out evenly, so that no tile computes many which are not
/// there. Few rows make y's traffic the limit: one tile holds them all, and is
/// as wide as registers allow, so that walks down its columns read more of
/// each row of memory.
Numbers ContractionSkeleton::choose() {
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(accumulator);
  int64_t vectors = 2, most = (registers - vectors - 2) / vectors;
  int64_t rows = most;
  auto count = dyn_cast<AffineConstantExpr>(loops.sizes[rowLoop]);
  if (!count || count.getValue() == 0)
    return {{"rows", rows}, {"vectors", vectors}, {"lanes", lanes}};
  rows = llvm::divideCeil(count.getValue(),
                          llvm::divideCeil(count.getValue(), most));
  if (count.getValue() <= most) {
    // A block that is turned fills the registers by itself, and more of them
    // take long to compile.
    vectors = alongSum ? 1
                       : std::clamp<int64_t>((registers - 2) / (rows + 1), 1,
                                             widestTile);
    if (auto columns = dyn_cast<AffineConstantExpr>(loops.sizes[laneLoop])) {
      AffineExpr work = columns * rows;
      for (unsigned loop : sumLoops)
        work = work * loops.sizes[loop];
      auto known = dyn_cast<AffineConstantExpr>(kernel.names.simplify(work));
      bool isLittle = known && known.getValue() < littleWork;
      auto wastes = [&](int64_t n) {
        return columns.getValue() % (n * lanes) != 0;
      };
      auto isFew = [&](int64_t n) {
        return !isLittle && columns.getValue() < n * lanes * enoughItems;
      };
      while (vectors > 1 && (wastes(vectors) || isFew(vectors)))
        --vectors;
    }
  }
  return {{"rows", rows}, {"vectors", vectors}, {"lanes", lanes}};
}

} // namespace tensorc::codegen::simd
