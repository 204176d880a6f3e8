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
// Association is fixed by the shape alone: 32 logical lanes (row) or one
// (column), blocks of a fixed number of steps, blocks in order, lanes by
// halves.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/ReductionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

static constexpr int64_t rowLanes = 32;
/// Steps of the innermost reduced loop that go into one partial result.
static constexpr int64_t blockSteps = 256;
static constexpr int64_t grainElements = 16384;

using Values = SmallVector<Value>;

FailureOr<tx::OrderAttr> reductionOrder(KernelBuilder &fusion) {
  bool isRow = fusion.fusion.getKind() == "row";
  int64_t lanes = isRow ? rowLanes : 1;
  return tx::OrderAttr::get(fusion.b.getContext(), chunksOrder, lanes,
                            blockSteps * lanes, 0);
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

FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::accumulate(ArrayRef<Reduction *> active, const Values &dims,
                              Value mask, ValueRange carried) {
  ExpressionEmitter elements(kernel, *space, dims, lanes, mask);
  bindResults(elements);
  unsigned pass = active.front()->phase;
  Value place = dims[reducedLoops.back()];
  prefetch(pass, elements, place);
  if (kept)
    kept->load(pass, elements, place);
  Values next;
  Index index = loops.index;
  for (Reduction *r : active) {
    FailureOr<Value> element = elements.emitLanes(r->op->getOperand(0), index);
    if (failed(element))
      return failure();
    Value at = r->combiner.needsPosition() ? position(elements) : Value();
    unsigned n = r->combiner.stateSize();
    auto state = r->combiner.combine(carried.take_front(n),
                                     r->combiner.of(*element, at));
    if (failed(state))
      return failure();
    for (auto [updated, old] : llvm::zip(*state, carried.take_front(n)))
      // Lanes along kept dims need no mask: a lane that is off is not stored.
      next.push_back(mask && isRow
                         ? Value(arith::SelectOp::create(b, mask, updated, old))
                         : updated);
    carried = carried.drop_front(n);
  }
  if (kept && failed(kept->store(pass, elements, index, place)))
    return failure();
  return next;
}

/// The innermost reduced loop over [lower, upper).
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::innermost(Values dims, Value mask, ValueRange carried,
                             Value lower, Value upper, AffineExpr size,
                             Step step) {
  unsigned loop = reducedLoops.back();
  if (isRow)
    return forLanes(kernel, lower, upper, lanes->width, size, carried,
                    [&](Value i, Value laneMask, ValueRange values) {
                      dims[loop] = i;
                      return step(dims, laneMask, values);
                    });
  return forRange(kernel, lower, upper, 1, carried,
                  [&](Value i, ValueRange values) {
                    dims[loop] = i;
                    return step(dims, mask, values);
                  });
}

/// All reduced loops from `level` on; `active` are what accumulates in them.
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::forReduced(unsigned level, Values dims, Value mask,
                              ValueRange carried, ArrayRef<Reduction *> active,
                              Step step) {
  unsigned loop = reducedLoops[level];
  Value upper = kernel.size(loops.sizes[loop]);
  if (level + 1 < reducedLoops.size())
    return forRange(kernel, indexConstant(kernel, 0), upper, 1, carried,
                    [&](Value i, ValueRange values) {
                      Values at = dims;
                      at[loop] = i;
                      return forReduced(level + 1, at, mask, values, active,
                                        step);
                    });
  if (!active.empty())
    return forBlocks(dims, mask, carried, active, step);
  return innermost(dims, mask, carried, indexConstant(kernel, 0), upper,
                   loops.sizes[loop], step);
}

/// The innermost reduced loop in blocks that are summed on their own: this
/// bounds the rounding error of long sums.
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::forBlocks(Values dims, Value mask, ValueRange carried,
                             ArrayRef<Reduction *> active, Step step) {
  AffineExpr size = loops.sizes[reducedLoops.back()];
  Value zero = indexConstant(kernel, 0), upper = kernel.size(size);
  int64_t block = blockSize();
  auto whole = dyn_cast<AffineConstantExpr>(size);
  auto oneBlock = [&](Value lower, Value end, AffineExpr length,
                      ValueRange total) -> FailureOr<Values> {
    auto partial =
        innermost(dims, mask, neutral(active), lower, end, length, step);
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

LogicalResult ReductionSkeleton::emitPhase(unsigned phase, const Values &dims,
                                           Value mask) {
  SmallVector<Reduction *> active = inPhase(phase);
  FailureOr<Values> states =
      forReduced(0, dims, mask, neutral(active), active,
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
  for (Reduction *r : active) {
    unsigned n = r->combiner.stateSize();
    Combiner::State state(states.take_front(n));
    states = states.drop_front(n);
    if (isRow) {
      auto scalars = r->combiner.acrossLanes(state);
      if (failed(scalars))
        return failure();
      state = *scalars;
    }
    results[r->op->getResult(0)] = r->combiner.result(state);
  }
  return success();
}

/// Outputs that have no reduced dims.
LogicalResult ReductionSkeleton::storeKept(const Values &dims, Value mask) {
  ExpressionEmitter elements(kernel, *space, dims, isRow ? std::nullopt : lanes,
                             mask);
  bindResults(elements);
  for (auto [i, root] : llvm::enumerate(kernel.yield().getValues())) {
    if (isElementLevel(root))
      continue;
    FailureOr<Value> element = elements.emit(root, keptIndex());
    if (failed(element))
      return failure();
    elements.store(*element, i, keptIndex());
  }
  return success();
}

/// Outputs of the whole shape: once more over the reduced loops.
LogicalResult ReductionSkeleton::storeElements(const Values &dims, Value mask) {
  if (!storesElements())
    return success();
  return forReduced(
      0, dims, mask, {}, /*active=*/{},
      [&](const Values &at, Value laneMask, ValueRange) -> FailureOr<Values> {
        ExpressionEmitter elements(kernel, *space, at, lanes, laneMask);
        bindResults(elements);
        prefetch(phases, elements, at[reducedLoops.back()]);
        if (kept)
          kept->load(phases, elements, at[reducedLoops.back()]);
        AffineExpr last = loops.sizes[lanes->dim];
        Value streaming =
            isRow ? streamingStores(kernel, kernel.names.product(loops.sizes),
                                    last, at[lanes->dim], kernel.size(last),
                                    lanes->width)
                  : Value();
        for (auto [i, root] : llvm::enumerate(kernel.yield().getValues())) {
          if (!isElementLevel(root))
            continue;
          FailureOr<Value> element = elements.emitLanes(root, loops.index);
          if (failed(element))
            return failure();
          elements.store(*element, i, loops.index, streaming);
        }
        return Values();
      });
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
  if (isRow)
    return body(dims, {});
  AffineExpr inner = loops.sizes[keptLoops.back()];
  Value width = indexConstant(kernel, lanes->width);
  Value lower = b.createOrFold<arith::MulIOp>(work.back(), width);
  Value upper = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(lower, width), kernel.size(inner));
  auto whole = dyn_cast<AffineConstantExpr>(inner);
  bool even = whole && whole.getValue() % lanes->width == 0;
  return forLanes(kernel, lower, upper, lanes->width,
                  even ? constant(lanes->width) : AffineExpr(), {},
                  [&](Value i, Value mask, ValueRange) -> FailureOr<Values> {
                    dims[keptLoops.back()] = i;
                    if (failed(body(dims, mask)))
                      return failure();
                    return Values();
                  });
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
  AffineExpr steps = constant(isRow ? 1 : lanes->width);
  for (unsigned loop : reducedLoops)
    steps = steps * loops.sizes[loop];
  return kernel.names.simplify(steps);
}

FailureOr<KernelSpec> ReductionSkeleton::emit() {
  planKept();
  if (failed(forItems({}, [&](Value, ArrayRef<Value>, const Values &dims,
                              Value mask) { return emitItem(dims, mask); })))
    return failure();
  return kernel.finish(kernel.names.product(workSizes()),
                       constant(grainElements).ceilDiv(stepsPerItem() + 1),
                       kept ? kept->scratch() : AffineExpr());
}

} // namespace tensorc::codegen::simd
