//===- Reduction.cpp - Reductions on CPUs ---------------------------------===//
//
// The iteration space is the shape of the reduced operand. All reductions of
// the fusion reduce the same dims; the others are kept.
//
// row:    for each index of the kept dims:
//           per phase: accumulate in lanes along the innermost dim, then
//             combine the lanes as a tree
//           store the outputs of the kept shape; in another loop, store those
//             of the operand's shape
// column: the same with lanes along the innermost kept dim
//
// The order of additions depends only on the shape. Positions of the reduced
// space, in row-major order, are assigned round-robin to 32 logical lanes (row)
// or to a single one (column). Each block of a fixed number of steps is reduced
// separately, and the results are combined in order. At the end, lanes are
// combined by halves. If the reduced dims do not collapse to one loop, the
// round-robin continues from each inner row to the next.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/ReductionGroups.h"
#include "codegen/emitters/simd/ReductionSplit.h"
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

LogicalResult ReductionSkeleton::planUnrolled(int64_t columnLanes) {
  if (failed(plan(columnLanes)) || keptLoops.size() < 2)
    return failure();
  std::optional<int64_t> size = constantOf(loops.sizes[keptLoops.back()]);
  if (!size || *size < 2 || *size > kernel.costs().maxReductionCopies)
    return failure();
  copies.count = *size;
  copies.loop = keptLoops.pop_back_val();
  lanes->dim = keptLoops.back();
  return success();
}

//===----------------------------------------------------------------------===//
// A work item: one kept index (row reduction), or a vector of them (column)
//===----------------------------------------------------------------------===//

SmallVector<ReductionPlan::Reduction *>
ReductionSkeleton::inPhase(unsigned phase) {
  SmallVector<Reduction *> active;
  for (int64_t copy = 0; copy < copies.count; ++copy)
    llvm::append_range(active, ReductionPlan::inPhase(phase));
  return active;
}

FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::accumulate(ArrayRef<Reduction *> active, const Values &dims,
                              Value mask, ValueRange carried) {
  Values next;
  size_t each = carried.size() / copies.count;
  for (int64_t copy = 0; copy < copies.count; ++copy) {
    llvm::SaveAndRestore index(loops.index, copies.indexOf(copy));
    FailureOr<Values> states =
        accumulateCopy(active.take_front(active.size() / copies.count), copy,
                       dims, mask, carried.slice(copy * each, each));
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
  if (isRow && reducedLoops.size() == 1 && !isCheap(kernel))
    elements.expectAllOn();
  if (reduced.startsAtMultiples)
    elements.beginAtMultiples();
  bindResults(elements);
  if (copies.loop)
    for (const ReductionCopies::KnownRead &read : copies.reads[copy])
      elements.bindElement(read.value, read.index, read.element);
  unsigned pass = active.front()->phase;
  Value position = dims[reducedLoops.back()];
  prefetch(pass, elements, position);
  if (kept)
    kept->load(pass, elements, position);
  FailureOr<Values> next = ReductionPlan::accumulate(active, elements, carried);
  if (failed(next))
    return failure();
  // Masked lanes along kept dims may accumulate anything, because they are not
  // stored.
  if (mask && isRow)
    for (auto [updated, old] : llvm::zip(*next, carried))
      updated = arith::SelectOp::create(b, mask, updated, old);
  if (kept && failed(kept->store(pass, elements, loops.index, position)))
    return failure();
  return next;
}

/// Reduces all positions in blocks, and combines the results of the blocks.
/// This bounds the rounding error of long sums.
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::forBlocks(const Values &dims, Value mask, ValueRange carried,
                             ArrayRef<Reduction *> active, Step step) {
  AffineExpr size = reduced.count();
  Value zero = indexConstant(kernel, 0), upper = kernel.size(size);
  int64_t block = blockSize();
  auto known = dyn_cast<AffineConstantExpr>(size);
  auto oneBlock = [&](Value lower, Value end, AffineExpr length,
                      ValueRange total) -> FailureOr<Values> {
    auto partial = reduced.forPositions(dims, mask, neutral(active), lower, end,
                                        length, step);
    if (failed(partial))
      return failure();
    return combineAll(active, total, *partial);
  };
  if (known && known.getValue() <= block)
    return oneBlock(zero, upper, size, carried);
  bool even = known && known.getValue() % block == 0;
  return forRange(
      kernel, zero, upper, block, carried, [&](Value lower, ValueRange total) {
        Value end = b.createOrFold<arith::MinUIOp>(
            b.createOrFold<arith::AddIOp>(lower, indexConstant(kernel, block)),
            upper);
        return oneBlock(lower, end, even ? constant(block) : AffineExpr(),
                        total);
      });
}

bool ReductionSkeleton::maySplit() {
  return phases == 1 && !storesElementsOfResults();
}

LogicalResult ReductionSkeleton::emitPhase(unsigned phase, const Values &dims,
                                           Value mask) {
  SmallVector<Reduction *> active = inPhase(phase);
  if (failed(copies.readOnce(dims, mask)))
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

/// Sets the results at the current index of the kept dims from the final
/// states.
LogicalResult ReductionSkeleton::finishPhase(ArrayRef<Reduction *> active,
                                             ValueRange states) {
  if (!isRow) {
    copies.results.clear();
    size_t each = states.size() / copies.count;
    for (int64_t copy = 0; copy < copies.count; ++copy) {
      setResults(active.take_front(active.size() / copies.count),
                 states.slice(copy * each, each));
      copies.results.push_back(results);
    }
    return success();
  }
  FailureOr<Values> scalars = acrossLanes(active, states);
  if (failed(scalars))
    return failure();
  setResults(active, *scalars);
  return success();
}

/// Stores the outputs that have only kept dims.
LogicalResult ReductionSkeleton::storeKept(const Values &dims, Value mask) {
  for (int64_t copy = 0; copy < copies.count; ++copy) {
    if (copies.loop)
      results = copies.results[copy];
    llvm::SaveAndRestore index(loops.index, copies.indexOf(copy));
    ExpressionEmitter elements(kernel, *space, dims,
                               isRow ? std::nullopt : lanes, mask);
    bindResults(elements);
    if (failed(storeAtKept(elements)))
      return failure();
  }
  return success();
}

/// Stores the outputs of the operand's shape, in another loop over the reduced
/// dims.
LogicalResult ReductionSkeleton::storeElements(const Values &dims, Value mask) {
  if (!storesElements())
    return success();
  return reduced.forAll(
      0, dims, mask,
      [&](const Values &at, Value laneMask, ValueRange) -> FailureOr<Values> {
        if (failed(storeLanes(at, laneMask)))
          return failure();
        return Values();
      });
}

/// Stores a vector of each output of the operand's shape.
LogicalResult ReductionSkeleton::storeLanes(const Values &dims, Value mask) {
  ExpressionEmitter elements(kernel, *space, dims, lanes, mask);
  if (isRow && !isCheap(kernel))
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

/// Returns the sizes of the loops over work items. These are the kept loops,
/// where column reductions count the innermost one in vectors.
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
  if (copies.loop) // indices of copies replace it
    dims[*copies.loop] = indexConstant(kernel, 0);
  if (isRow)
    return body(dims, {});
  AffineExpr inner = loops.sizes[keptLoops.back()];
  Value width = indexConstant(kernel, lanes->width);
  Value lower = b.createOrFold<arith::MulIOp>(work.back(), width);
  Value upper = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(lower, width), kernel.size(inner));
  auto known = dyn_cast<AffineConstantExpr>(inner);
  bool even = known && known.getValue() % lanes->width == 0;
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

FailureOr<KernelSpec> ReductionSkeleton::emit() {
  planKept();
  if (kept)
    kept->allocate();
  auto emitOne = [&](Value, ArrayRef<Value>, const Values &dims, Value mask) {
    return emitItem(dims, mask);
  };
  GroupedRows groups(*this);
  if (failed(groups.isProfitable() ? groups.emit() : forItems({}, emitOne)))
    return failure();
  // Number of elements that a work item reads.
  AffineExpr elements = kernel.names.simplify(
      constant(isRow ? 1 : lanes->width * copies.count) * reduced.count());
  return kernel.finish(
      kernel.names.product(workSizes()),
      constant(kernel.costs().taskElements).ceilDiv(elements + 1),
      kept ? kept->scratch() : AffineExpr());
}

SmallVector<KernelSpec::Temporary> ReductionSkeleton::temporaries() {
  return SplitReduction(*this).temporaries();
}

FailureOr<KernelSpec> ReductionSkeleton::emitPartial() {
  return SplitReduction(*this).emitPartial();
}

FailureOr<KernelSpec> ReductionSkeleton::emitFinish() {
  return SplitReduction(*this).emitFinish();
}

} // namespace tensorc::codegen::simd
