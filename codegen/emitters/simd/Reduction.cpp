//===- Reduction.cpp - Skeleton of fusions around reductions --------------===//
//
// The iteration space is the shape that is reduced; its dims are kept or
// reduced, the same way by every reduction of the fusion.
//
// row:    for each index of the kept dims:
//           per phase: accumulate lanes along the innermost dim, then tree
//           store outputs of the kept shape, loop again for those of the whole
// column: the same with lanes along the innermost kept dim
//
// Association is fixed by the shape alone: positions of the reduced space, in
// row-major order, are assigned round-robin to 32 logical lanes (row) or to one
// (column). Blocks of a fixed number of steps are combined in order, then lanes
// by halves. Where the reduced dims do not collapse into one loop, lanes are
// carried from one inner row to the next.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/ReductionSkeleton.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

using Values = SmallVector<Value>;

FailureOr<tx::OrderAttr> reductionOrder(KernelBuilder &fusion) {
  bool isRow = fusion.fusion.getKind() == tx::kinds::row;
  int64_t lanes = isRow ? ReductionSkeleton::rowLanes : 1;
  return tx::OrderAttr::get(fusion.b.getContext(), chunksOrder, lanes,
                            ReductionSkeleton::blockSteps * lanes, 0);
}

LogicalResult ReductionSkeleton::plan(int64_t columnLanes) {
  if (failed(findReductions()) || failed(findLoops(/*wantsKeptLoop=*/!isRow)))
    return failure();
  unsigned laneLoop = isRow ? reducedLoops.back() : keptLoops.back();
  lanes = {laneLoop, isRow ? order.getLanes().front() : columnLanes};
  return success();
}

//===----------------------------------------------------------------------===//
// One index of the kept dims (row), or a vector of them (column)
//===----------------------------------------------------------------------===//

Index ReductionSkeleton::indexOfCopy(int64_t copy) {
  if (!unrolledLoop)
    return loops.index;
  SmallVector<AffineExpr> dims = space->identity();
  dims[*unrolledLoop] = constant(copy);
  Index index;
  for (AffineExpr e : loops.index)
    index.push_back(space->simplify(e.replaceDims(dims)));
  return index;
}

SmallVector<ReductionPlan::Reduction *>
ReductionSkeleton::inPhase(unsigned phase) {
  SmallVector<Reduction *> active;
  for (int64_t copy = 0; copy < copies; ++copy)
    llvm::append_range(active, ReductionPlan::inPhase(phase));
  return active;
}

FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::accumulate(ArrayRef<Reduction *> active, const Values &dims,
                              Value mask, ValueRange carried) {
  Values next;
  size_t each = carried.size() / copies;
  for (int64_t copy = 0; copy < copies; ++copy) {
    llvm::SaveAndRestore index(loops.index, indexOfCopy(copy));
    FailureOr<Values> states =
        accumulateCopy(active.take_front(active.size() / copies), copy, dims,
                       mask, carried.slice(copy * each, each));
    if (failed(states))
      return failure();
    llvm::append_range(next, *states);
  }
  return next;
}

FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::accumulateCopy(ArrayRef<Reduction *> active, int64_t copy,
                                  const Values &dims, Value mask,
                                  ValueRange carried) {
  ExpressionEmitter elements(kernel, *space, dims, lanes, mask);
  if (isRow && reducedLoops.size() == 1 && !isQuick(kernel))
    elements.expectAllOn();
  if (startsAtMultiples)
    elements.beginAtMultiples();
  bindResults(elements);
  if (unrolledLoop)
    for (const KnownRead &read : knownReads[copy])
      elements.give(read.value, read.index, read.element);
  unsigned pass = active.front()->phase;
  Value place = dims[reducedLoops.back()];
  prefetch(pass, elements, place);
  if (kept)
    kept->load(pass, elements, place);
  FailureOr<Values> next = ReductionPlan::accumulate(active, elements, carried);
  if (failed(next))
    return failure();
  // Lanes along kept dims need no mask: a lane that is off is not stored.
  if (mask && isRow)
    for (auto [updated, old] : llvm::zip(*next, carried))
      updated = arith::SelectOp::create(b, mask, updated, old);
  if (kept && failed(kept->store(pass, elements, loops.index, place)))
    return failure();
  return next;
}

/// Lanes l with lower <= i + l < upper, where i may be below lower by less than
/// the width.
static Value lanesBetween(KernelBuilder &kernel, Value i, Value lower,
                          Value upper, int64_t width) {
  ImplicitLocOpBuilder &b = kernel.b;
  auto fromHere = [&](Value end) -> Value {
    Value count = arith::SubIOp::create(b, end, i);
    count = arith::MaxSIOp::create(b, count, indexConstant(kernel, 0));
    count = arith::MinSIOp::create(b, count, indexConstant(kernel, width));
    return arith::IndexCastOp::create(b, b.getI32Type(), count);
  };
  Value first = fromHere(lower), last = fromHere(upper);
  auto type = VectorType::get({width}, b.getI32Type());
  SmallVector<int32_t> steps(width);
  std::iota(steps.begin(), steps.end(), 0);
  Value lanes = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int32_t>(steps)));
  // Unsigned: one comparison refuses the lanes before the first, too.
  Value after = arith::SubIOp::create(
      b, lanes, vector::BroadcastOp::create(b, type, first));
  Value count = arith::SubIOp::create(b, last, first);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, after,
                               vector::BroadcastOp::create(b, type, count));
}

/// True if a row has few enough vectors to be unrolled.
bool ReductionSkeleton::isFewSteps(AffineExpr size) {
  auto count = dyn_cast_or_null<AffineConstantExpr>(size);
  return count && count.getValue() % lanes->width == 0 &&
         count.getValue() <=
             kernel.costs().maxUnrolledRowVectors * lanes->width;
}

/// The innermost reduced loop over [lower, upper), where `before` elements
/// precede index 0 (null: a multiple of the lanes).
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::innermost(Values dims, Value mask, ValueRange carried,
                             Value lower, Value upper, AffineExpr size,
                             Value before, Step step) {
  unsigned loop = reducedLoops.back();
  llvm::SaveAndRestore starts(startsAtMultiples, isRow && !before);
  if (!isRow)
    return forRange(kernel, lower, upper, 1, carried,
                    [&](Value i, ValueRange values) {
                      dims[loop] = i;
                      return step(dims, mask, values);
                    });
  if (!before && isFewSteps(size) && matchPattern(lower, m_Zero())) {
    Values values(carried);
    for (int64_t i = 0; i < cast<AffineConstantExpr>(size).getValue();
         i += lanes->width) {
      dims[loop] = indexConstant(kernel, i);
      FailureOr<Values> next = step(dims, Value(), values);
      if (failed(next))
        return failure();
      values = *next;
    }
    return values;
  }
  if (!before)
    return forLanes(kernel, lower, upper, lanes->width, size, carried,
                    [&](Value i, Value laneMask, ValueRange values) {
                      dims[loop] = i;
                      return step(dims, laneMask, values);
                    });
  // Begins where the lane is the first, which may be in the row before.
  Value lane = b.createOrFold<arith::RemUIOp>(
      b.createOrFold<arith::AddIOp>(before, lower),
      indexConstant(kernel, lanes->width));
  Value begin = b.createOrFold<arith::SubIOp>(lower, lane);
  return forRange(
      kernel, begin, upper, lanes->width, carried,
      [&](Value i, ValueRange values) {
        dims[loop] = i;
        return step(dims, lanesBetween(kernel, i, lower, upper, lanes->width),
                    values);
      });
}

AffineExpr ReductionSkeleton::countReduced() {
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : reducedLoops)
    sizes.push_back(loops.sizes[loop]);
  return kernel.names.product(sizes);
}

/// The positions [lower, upper) of the reduced space, in row-major order.
/// `size`, if constant, is upper - lower. A position's lane follows from the
/// position alone, so into how many loops the space falls changes no bit.
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::forPositions(Values dims, Value mask, ValueRange carried,
                                Value lower, Value upper, AffineExpr size,
                                Step step) {
  if (reducedLoops.size() == 1)
    return innermost(dims, mask, carried, lower, upper, size, {}, step);
  SmallVector<AffineExpr> outerSizes;
  for (unsigned loop : ArrayRef(reducedLoops).drop_back())
    outerSizes.push_back(loops.sizes[loop]);
  AffineExpr inner = loops.sizes[reducedLoops.back()];
  Value rowSize = kernel.size(inner), zero = indexConstant(kernel, 0);
  bool isAll = size && size == countReduced();
  Value first = zero, last = kernel.size(kernel.names.product(outerSizes));
  if (!isAll) {
    first = b.createOrFold<arith::DivUIOp>(lower, rowSize);
    last = b.createOrFold<arith::CeilDivUIOp>(upper, rowSize);
  }
  return forRange(
      kernel, first, last, 1, carried, [&](Value row, ValueRange values) {
        Values at = dims, outer = delinearize(kernel, row, outerSizes);
        for (auto [loop, i] : llvm::zip(reducedLoops, outer))
          at[loop] = i;
        Value before = b.createOrFold<arith::MulIOp>(row, rowSize);
        Value begin = zero, end = rowSize;
        if (!isAll) {
          auto within = [&](Value bound) {
            return b.createOrFold<arith::SubIOp>(bound, before);
          };
          begin = within(b.createOrFold<arith::MaxUIOp>(lower, before));
          end = within(b.createOrFold<arith::MinUIOp>(
              upper, b.createOrFold<arith::AddIOp>(before, rowSize)));
        }
        auto known = dyn_cast<AffineConstantExpr>(inner);
        bool even = known && known.getValue() % lanes->width == 0;
        return innermost(at, mask, values, begin, end, inner,
                         even ? Value() : before, step);
      });
}

/// All positions of the reduced space in blocks that are summed on their own:
/// this bounds the rounding error of long sums.
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::forBlocks(const Values &dims, Value mask, ValueRange carried,
                             ArrayRef<Reduction *> active, Step step) {
  AffineExpr size = countReduced();
  Value zero = indexConstant(kernel, 0), upper = kernel.size(size);
  int64_t block = blockSize();
  auto whole = dyn_cast<AffineConstantExpr>(size);
  auto oneBlock = [&](Value lower, Value end, AffineExpr length,
                      ValueRange total) -> FailureOr<Values> {
    auto partial =
        forPositions(dims, mask, neutral(active), lower, end, length, step);
    if (failed(partial))
      return failure();
    return combineAll(active, total, *partial);
  };
  if (whole && whole.getValue() <= block)
    return oneBlock(zero, upper, size, carried);
  bool even = whole && whole.getValue() % block == 0;
  return forRange(
      kernel, zero, upper, block, carried, [&](Value lower, ValueRange total) {
        Value end = b.createOrFold<arith::MinUIOp>(
            b.createOrFold<arith::AddIOp>(lower, indexConstant(kernel, block)),
            upper);
        return oneBlock(lower, end, even ? constant(block) : AffineExpr(),
                        total);
      });
}

/// All indices of the reduced loops from `level` on, in any order.
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::forReduced(unsigned level, Values dims, Value mask,
                              Step step) {
  unsigned loop = reducedLoops[level];
  Value zero = indexConstant(kernel, 0);
  Value upper = kernel.size(loops.sizes[loop]);
  if (level + 1 == reducedLoops.size())
    return innermost(dims, mask, {}, zero, upper, loops.sizes[loop], {}, step);
  return forRange(kernel, zero, upper, 1, {}, [&](Value i, ValueRange) {
    Values at = dims;
    at[loop] = i;
    return forReduced(level + 1, at, mask, step);
  });
}

LogicalResult ReductionSkeleton::emitPhase(unsigned phase, const Values &dims,
                                           Value mask) {
  SmallVector<Reduction *> active = inPhase(phase);
  if (failed(readOnce(dims, mask)))
    return failure();
  FailureOr<Values> states =
      forBlocks(dims, mask, neutral(active), active,
                [&](const Values &at, Value laneMask, ValueRange carried) {
                  return accumulate(active, at, laneMask, carried);
                });
  if (failed(states))
    return failure();
  return finishPhase(active, *states);
}

/// Accumulated states become the results at the current kept index.
LogicalResult ReductionSkeleton::finishPhase(ArrayRef<Reduction *> active,
                                             ValueRange states) {
  if (!isRow) {
    resultsOfCopies.clear();
    size_t each = states.size() / copies;
    for (int64_t copy = 0; copy < copies; ++copy) {
      setResults(active.take_front(active.size() / copies),
                 states.slice(copy * each, each));
      resultsOfCopies.push_back(results);
    }
    return success();
  }
  FailureOr<Values> scalars = acrossLanes(active, states);
  if (failed(scalars))
    return failure();
  setResults(active, *scalars);
  return success();
}

/// Outputs that have no reduced dims.
LogicalResult ReductionSkeleton::storeKept(const Values &dims, Value mask) {
  for (int64_t copy = 0; copy < copies; ++copy) {
    if (unrolledLoop)
      results = resultsOfCopies[copy];
    llvm::SaveAndRestore index(loops.index, indexOfCopy(copy));
    ExpressionEmitter elements(kernel, *space, dims,
                               isRow ? std::nullopt : lanes, mask);
    bindResults(elements);
    if (failed(storeAtKept(elements)))
      return failure();
  }
  return success();
}

/// Outputs of the whole shape: once more over the reduced loops.
LogicalResult ReductionSkeleton::storeElements(const Values &dims, Value mask) {
  if (!storesElements())
    return success();
  return forReduced(
      0, dims, mask,
      [&](const Values &at, Value laneMask, ValueRange) -> FailureOr<Values> {
        if (failed(storeLanes(at, laneMask)))
          return failure();
        return Values();
      });
}

/// The same at one place of the reduced loops.
LogicalResult ReductionSkeleton::storeLanes(const Values &dims, Value mask) {
  ExpressionEmitter elements(kernel, *space, dims, lanes, mask);
  if (isRow && !isQuick(kernel))
    elements.expectAllOn();
  bindResults(elements);
  prefetch(phases, elements, dims[reducedLoops.back()]);
  if (kept)
    kept->load(phases, elements, dims[reducedLoops.back()]);
  AffineExpr last = loops.sizes[lanes->dim];
  Value streaming =
      storesLongRuns
          ? streamingStores(kernel, kernel.names.product(loops.sizes), last,
                            dims[lanes->dim], kernel.size(last), lanes->width)
          : Value();
  return storeAtElement(elements, streaming);
}

LogicalResult ReductionSkeleton::emitItem(Values dims, Value mask) {
  results.clear();
  for (unsigned phase = 0; phase < phases; ++phase)
    if (failed(emitPhase(phase, dims, mask)))
      return failure();
  if (failed(storeKept(dims, mask)))
    return failure();
  return storeElements(dims, mask);
}

//===----------------------------------------------------------------------===//
// The kept dims
//===----------------------------------------------------------------------===//

/// Rows: one item per index of the kept dims. Columns: per run of lanes along
/// the innermost kept loop, for each index of the outer ones.
SmallVector<AffineExpr> ReductionSkeleton::workSizes() {
  SmallVector<AffineExpr> work;
  for (unsigned loop : keptLoops)
    work.push_back(loops.sizes[loop]);
  if (!isRow)
    work.back() = kernel.names.simplify(work.back().ceilDiv(lanes->width));
  return work;
}

LogicalResult ReductionSkeleton::atItem(ArrayRef<Value> work, ItemBody body) {
  Values dims(loops.sizes.size());
  for (auto [loop, value] : llvm::zip(keptLoops, work))
    dims[loop] = value;
  if (unrolledLoop) // which indices of copies do not have
    dims[*unrolledLoop] = indexConstant(kernel, 0);
  if (isRow)
    return body(dims, {});
  AffineExpr inner = loops.sizes[keptLoops.back()];
  Value width = indexConstant(kernel, lanes->width);
  Value lower = b.createOrFold<arith::MulIOp>(work.back(), width);
  Value upper = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(lower, width), kernel.size(inner));
  auto whole = dyn_cast<AffineConstantExpr>(inner);
  bool even = whole && whole.getValue() % lanes->width == 0;
  return forLanes(
      kernel, lower, upper, lanes->width,
      even ? constant(lanes->width) : AffineExpr(), {},
      [&](Value i, Value mask, ValueRange) -> FailureOr<Values> {
        dims[keptLoops.back()] = i;
        if (failed(body(dims, mask)))
          return failure();
        return Values();
      },
      /*mayRepeat=*/false);
}

LogicalResult ReductionSkeleton::forItems(
    ArrayRef<AffineExpr> outer,
    function_ref<LogicalResult(Value, ArrayRef<Value>, const Values &, Value)>
        body) {
  SmallVector<AffineExpr> sizes(outer);
  llvm::append_range(sizes, workSizes());
  return forRange(
      kernel, kernel.begin(), kernel.end(), 1, {},
      [&](Value item, ValueRange) -> FailureOr<Values> {
        Values at = delinearize(kernel, item, sizes);
        ArrayRef<Value> before = ArrayRef(at).take_front(outer.size());
        auto one = [&](const Values &dims, Value mask) {
          return body(item, before, dims, mask);
        };
        if (failed(atItem(ArrayRef(at).drop_front(outer.size()), one)))
          return failure();
        return Values();
      });
}

/// Elements that one work item reads.
AffineExpr ReductionSkeleton::stepsPerItem() {
  return kernel.names.simplify(constant(isRow ? 1 : lanes->width * copies) *
                               countReduced());
}

FailureOr<KernelSpec> ReductionSkeleton::emit() {
  planKept();
  if (kept)
    kept->allocate();
  if (failed(forItems({}, [&](Value, ArrayRef<Value>, const Values &dims,
                              Value mask) { return emitItem(dims, mask); })))
    return failure();
  return kernel.finish(
      kernel.names.product(workSizes()),
      constant(kernel.costs().taskElements).ceilDiv(stepsPerItem() + 1),
      kept ? kept->scratch() : AffineExpr());
}

} // namespace tensorc::codegen::simd
