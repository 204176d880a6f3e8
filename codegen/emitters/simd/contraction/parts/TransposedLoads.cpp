//===- TransposedLoads.cpp - Loads and transposes blocks of y -------------===//

#include "codegen/emitters/simd/contraction/parts/TransposedLoads.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

TransposedLoads::TransposedLoads(ContractionPlan &plan, const Tiling &tiling,
                                 const ColumnReads &y, Value accumulators)
    : plan(plan), tiling(tiling), y(y), kernel(plan.kernel), b(plan.b),
      prefetch(LoadPrefetch::choose(plan, tiling, y, !accumulators)),
      words(plan, tiling, y), accumulators(accumulators) {}

void TransposedLoads::allocate() {
  if (y.alongK && !constantOf(y.size(y.kLoops.back())))
    tailBlock = memref::AllocaOp::create(
        b, MemRefType::get({tiling.width * tiling.width}, plan.accumulator),
        b.getI64IntegerAttr(64));
  words.allocate();
}

FailureOr<Values> TransposedLoads::load(const Values &dims, Value lane,
                                        Value mask) {
  Values block;
  for (Value column : tiling.columnsFrom(lane)) {
    Values at = dims;
    at[y.laneLoop] = column;
    ExpressionEmitter elements(
        kernel, *y.space, at,
        ExpressionEmitter::Lanes{y.kLoops.back(), tiling.width}, mask);
    if (!mask)
      prefetch.apply(elements, y.kLoops.back());
    FailureOr<Value> steps = elements.emitLanes(plan.operandY(), y.index);
    if (failed(steps))
      return failure();
    block.push_back(plan.widen(*steps));
  }
  return transposed(b, std::move(block));
}

bool TransposedLoads::interleavesVectors(const Tile &tile) const {
  return accumulators && y.narrow.reads.empty() && tile.laneAt.size() > 1;
}

FailureOr<Values> TransposedLoads::forEachVector(const Tile &tile,
                                                 ValueRange carried,
                                                 VectorStep step) {
  if (!interleavesVectors(tile)) {
    Values next(carried);
    for (auto [v, lane] : llvm::enumerate(tile.laneAt)) {
      FailureOr<Values> done = step(lane, v, next);
      if (failed(done))
        return failure();
      next = *done;
    }
    return next;
  }
  auto type = VectorType::get({tiling.width}, plan.accumulator);
  int64_t vectors = tile.laneAt.size(), count = tile.rowAt.size();
  auto emitVector = [&](Value v, ValueRange) -> FailureOr<Values> {
    Value first =
        b.createOrFold<arith::MulIOp>(v, indexConstant(kernel, tiling.width));
    auto sumOf = [&](int64_t row) {
      return b.createOrFold<arith::AddIOp>(
          first, indexConstant(kernel, row * vectors * tiling.width));
    };
    Values sums;
    for (int64_t r = 0; r < count; ++r)
      sums.push_back(vector::LoadOp::create(b, type, accumulators, sumOf(r)));
    Value lane = b.createOrFold<arith::AddIOp>(tile.laneAt.front(), first);
    FailureOr<Values> next = step(lane, 0, sums);
    if (failed(next))
      return failure();
    for (auto [r, sum] : llvm::enumerate(*next))
      vector::StoreOp::create(b, sum, accumulators, sumOf(r));
    return Values();
  };
  return forRange(kernel, indexConstant(kernel, 0),
                  indexConstant(kernel, vectors), 1, {}, emitVector);
}

/// Emits, for each vector of the tile, the transpose of a block of y and the
/// multiply-adds of its first `steps` K steps.
FailureOr<Values> TransposedLoads::emitBlock(const Values &dims,
                                             const Tile &tile, Value mask,
                                             int64_t steps, Value end,
                                             ValueRange carried,
                                             BlockStep step) {
  if (!mask && !y.narrow.reads.empty())
    return words.emitLine(dims, tile, end, carried, step);
  return forEachVector(
      tile, carried,
      [&](Value lane, unsigned v, ValueRange sums) -> FailureOr<Values> {
        FailureOr<Values> block = load(dims, lane, mask);
        if (failed(block))
          return failure();
        return step(dims, v, ArrayRef(*block).take_front(steps), sums);
      });
}

FailureOr<Values> TransposedLoads::forEachBlock(Values dims, const Tile &tile,
                                                ValueRange carried,
                                                BlockStep step,
                                                unsigned level) {
  unsigned loop = y.kLoops[level];
  AffineExpr size = y.size(loop);
  Value zero = indexConstant(kernel, 0), upper = kernel.size(size);
  if (level + 1 < y.kLoops.size())
    return forRange(kernel, zero, upper, 1, carried,
                    [&](Value k, ValueRange sums) {
                      Values at = dims;
                      at[loop] = k;
                      return forEachBlock(at, tile, sums, step, level + 1);
                    });
  int64_t blockSteps =
      y.narrow.reads.empty() ? tiling.width : y.narrow.lineSteps;
  Value block = indexConstant(kernel, blockSteps);
  Value tail = b.createOrFold<arith::RemUIOp>(upper, block);
  Value fullEnd = b.createOrFold<arith::SubIOp>(upper, tail);
  if (!y.narrow.reads.empty() && words.isPipelined()) {
    Values first = dims;
    first[loop] = zero;
    if (failed(words.transposeLines(first, tile)))
      return failure();
  }
  auto sums = forRange(kernel, zero, fullEnd, blockSteps, carried,
                       [&](Value k, ValueRange values) {
                         Values at = dims;
                         at[loop] = k;
                         return emitBlock(at, tile, {}, tiling.width, fullEnd,
                                          values, step);
                       });
  if (failed(sums))
    return failure();
  Values at = dims;
  at[loop] = fullEnd;
  Value mask = laneMask(kernel, fullEnd, upper, tiling.width);
  if (auto known = dyn_cast<AffineConstantExpr>(size)) {
    int64_t left = known.getValue() % blockSteps;
    return left ? emitBlock(at, tile, mask, left, upper, *sums, step) : sums;
  }
  return emitTail(at, tile, mask, tail, *sums, step);
}

/// Emits the first `tail` steps of the last block as a loop that reads them
/// from memory.
FailureOr<Values> TransposedLoads::emitTail(const Values &dims,
                                            const Tile &tile, Value mask,
                                            Value tail, ValueRange carried,
                                            BlockStep step) {
  unsigned loop = y.kLoops.back();
  auto type = VectorType::get({tiling.width}, plan.accumulator);
  auto ifOp =
      scf::IfOp::create(b, carried.getTypes(),
                        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, tail,
                                              indexConstant(kernel, 0)),
                        /*withElse=*/!carried.empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  FailureOr<Values> next = forEachVector(
      tile, carried,
      [&](Value lane, unsigned v, ValueRange carried) -> FailureOr<Values> {
        FailureOr<Values> block = load(dims, lane, mask);
        if (failed(block))
          return failure();
        for (auto [k, column] : llvm::enumerate(*block))
          vector::StoreOp::create(b, column, tailBlock,
                                  indexConstant(kernel, k * tiling.width));
        return forRange(kernel, indexConstant(kernel, 0), tail, 1, carried,
                        [&](Value k, ValueRange sums) {
                          Values at = dims;
                          at[loop] =
                              b.createOrFold<arith::AddIOp>(dims[loop], k);
                          Value column = vector::LoadOp::create(
                              b, type, tailBlock,
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
