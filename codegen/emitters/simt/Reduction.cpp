//===- Reduction.cpp - Reductions on GPUs ---------------------------------===//
//
// per phase, for each chunk of the reduced elements:
//   each slot (a thread's part of the elements) accumulates, in order
//   the slots' states are combined by halves; all slots get the result
//   slot number (chunk mod slots) adds the result to that of its earlier chunks
// if there are several chunks: the slots' results are combined by halves too
// outputs of the kept shape are stored by one slot, the others by all slots
//
// The order of additions depends only on the sizes. If the length of a row is
// symbolic, the kernel computes the number of slots that a kernel for the static
// length has. A block then has one long row or several short ones, so the number
// of blocks depends on the length, too.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simt/Reduction.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/kernel/GpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;

//===----------------------------------------------------------------------===//
// Shape of a block
//===----------------------------------------------------------------------===//

/// True if all reads of the reduced shape are of whole vectors.
bool ReductionSkeleton::hasVectors() {
  SmallVector<std::pair<Value, Index>> roots;
  for (Reduction &r : reductions)
    roots.push_back({r.op->getOperand(0), loops.index});
  for (Value root : kernel.yield().getValues())
    roots.push_back({root, isElementLevel(root) ? loops.index : keptIndex()});
  return readsVectors(
      kernel, *space, roots,
      [](Value v) {
        Operation *op = v.getDefiningOp();
        return op && op->hasTrait<tx::Reduction>();
      },
      laneLoop);
}

/// Returns the number of adjacent columns that a thread reduces as a vector.
int64_t ReductionSkeleton::columnWidth() {
  std::optional<int64_t> size = constantOf(loops.sizes[laneLoop]);
  int64_t lanes = 1;
  if (size && *size >= columnsPerBlock * accessLanes(kernel) && hasVectors())
    lanes = dividingLanes(accessLanes(kernel), *size);
  // Two exchanges may be in flight at once. States of the same type share
  // memory.
  llvm::SmallSetVector<std::pair<Type, unsigned>, 4> states;
  for (Reduction &r : reductions)
    for (auto [i, type] : llvm::enumerate(r.combiner.stateTypes()))
      states.insert({type, unsigned(i)});
  int64_t bytes = 0;
  for (auto [type, i] : states)
    bytes += 2 * columnsPerBlock * columnSlots *
             llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  while (lanes > 1 && bytes * lanes > kernel.target.getSharedMemoryBytes())
    lanes /= 2;
  return lanes;
}

LogicalResult ReductionSkeleton::plan() {
  if (failed(findReductions()) || failed(findLoops(/*wantsKeptLoop=*/false)))
    return failure();
  laneLoop = loops.sizes.size() - 1;
  isRow = isReduced[loops.innermost[laneLoop]];
  SmallVector<AffineExpr> reduced;
  for (unsigned loop : reducedLoops)
    reduced.push_back(loops.sizes[loop]);
  count = kernel.names.product(reduced);
  return success();
}

/// Chooses the order of additions: the number of slots, which depends on the
/// size of a row, and their lanes.
tx::OrderAttr ReductionSkeleton::chooseOrder() {
  MLIRContext *context = b.getContext();
  if (!isRow)
    return tx::OrderAttr::get(context, slotsOrder, columnSlots, columnChunk, 0);
  std::optional<int64_t> size = constantOf(count);
  int64_t lanes =
      reducedLoops.size() == 1 && hasVectors() ? accessLanes(kernel) : 1;
  if (size && *size % lanes != 0)
    lanes = 1;
  int64_t slots =
      size ? slotsForRow(*size / lanes, subgroup()) : ShapedType::kDynamic;
  return tx::OrderAttr::get(context, slotsOrder, {slots, lanes}, rowChunk, 0);
}

void ReductionSkeleton::applyOrder(tx::OrderAttr order) {
  chunk = order.getChunk();
  slots = order.getLanes().front();
  if (ShapedType::isDynamic(slots))
    slots = blockThreads;
  if (isRow)
    width = order.getLanes().back();
}

/// Adds offers for one kernel and, if splitting is possible, for two.
void ReductionSkeleton::addOffers(Offers &offers, Numbers numbers) {
  bool split = wantsSplit();
  for (bool two : {split, !split}) {
    if (two && !maySplit())
      continue;
    offers.push_back(numbers);
    offers.back().push_back({"kernels", two ? 2 : 1});
  }
}

/// Offers blocks of rows with different numbers of threads, or blocks of
/// columns with at most the default numbers of columns and lanes.
Offers ReductionSkeleton::offer(tx::OrderAttr order) {
  applyOrder(order);
  Offers offers;
  if (isRow) {
    for (int64_t threads = blockThreads;
         threads >= std::max<int64_t>(slots, 32); threads /= 2) {
      keptIndices = threads / slots;
      addOffers(offers, {{"threads", threads}});
    }
    return offers;
  }
  std::optional<int64_t> size = constantOf(loops.sizes[laneLoop]);
  // A single kernel with few blocks has narrow vectors, so that there are more
  // blocks.
  width = columnWidth();
  keptIndices = columnsPerBlock;
  auto leavesProcessorsIdle = [&] {
    std::optional<int64_t> blocks = constantOf(itemCount());
    return blocks && 2 * *blocks < gpuCosts.maxSplitBlocks && !wantsSplit();
  };
  while (width > 1 && leavesProcessorsIdle())
    width /= 2;
  for (; width >= 1; width /= 2) {
    int64_t maxColumns = columnsPerBlock;
    if (size)
      maxColumns = std::min<int64_t>(maxColumns,
                                     llvm::PowerOf2Ceil(std::max<int64_t>(
                                         1, llvm::divideCeil(*size, width))));
    for (int64_t fewer : {maxColumns, maxColumns / 2}) {
      keptIndices = fewer;
      if (keptIndices > 0)
        addOffers(offers, {{"columns", keptIndices}, {"lanes", width}});
    }
  }
  return offers;
}

void ReductionSkeleton::apply() {
  applyOrder(kernel.fusion.getOrderAttr());
  if (isRow) {
    keptIndices = kernel.scheduled("threads") / slots;
    if (!constantOf(count)) {
      bool isPacked = kernel.scheduled("kernels") == 1 &&
                      kernel.names.product(workSizes()) != constant(1);
      namedRows.emplace(kernel, count, width, isPacked);
    }
    return;
  }
  keptIndices = kernel.scheduled("columns");
  width = kernel.scheduled("lanes");
  if (width > 1)
    lanes = {laneLoop, width};
}

//===----------------------------------------------------------------------===//
// The kept dims
//===----------------------------------------------------------------------===//

/// Returns the sizes of the loops over work items. These are the kept loops;
/// for column reductions, the innermost one counts blocks of columns.
SmallVector<AffineExpr> ReductionSkeleton::workSizes() {
  SmallVector<AffineExpr> work;
  for (unsigned loop : keptLoops)
    work.push_back(loops.sizes[loop]);
  if (!isRow)
    work.back() =
        kernel.names.simplify(work.back().ceilDiv(width * keptIndices));
  return work;
}

AffineExpr ReductionSkeleton::itemCount() {
  AffineExpr total = kernel.names.product(workSizes());
  if (!isRow)
    return total;
  AffineExpr rows = namedRows && namedRows->isPacked ? namedRows->rowsPerBlock()
                                                     : constant(keptIndices);
  return kernel.names.simplify(total.ceilDiv(rows));
}

/// Returns a bound of itemCount() that does not depend on the length of rows.
AffineExpr ReductionSkeleton::maxItems() {
  return namedRows && namedRows->isPacked ? kernel.names.product(workSizes())
                                          : itemCount();
}

/// Sets the thread's slot and returns the indices of its kept element. Threads
/// past the end repeat the last index, because all threads of a block must
/// reach the barriers.
ReductionSkeleton::Values ReductionSkeleton::atItem(Value item) {
  SmallVector<AffineExpr> work = workSizes();
  Values at;
  if (!isRow) {
    at = delinearize(kernel, item, work);
    item = at.back();
  }
  Value thread = threadId(kernel, threads());
  Value position;
  if (namedRows)
    namedRows->emit();
  bool isPacked = namedRows && namedRows->isPacked;
  if (isPacked) {
    slot = namedRows->slotOf(thread);
    position = namedRows->rowOf(item, thread);
  } else {
    Value inner = indexConstant(kernel, isRow ? slots : keptIndices);
    Value quotient = div(kernel, thread, inner);
    Value remainder = rem(kernel, thread, inner);
    slot = isRow ? remainder : quotient;
    position =
        add(kernel, mul(kernel, item, indexConstant(kernel, keptIndices)),
            isRow ? quotient : remainder);
  }
  AffineExpr total = isRow ? kernel.names.product(work)
                           : kernel.names.simplify(
                                 loops.sizes[keptLoops.back()].floorDiv(width));
  std::optional<int64_t> known = constantOf(total);
  isValid = {};
  if (isPacked || !known || *known % keptIndices != 0) {
    Value size = kernel.size(total);
    isValid = less(kernel, position, size);
    position =
        min(kernel, position, sub(kernel, size, indexConstant(kernel, 1)));
  }
  if (isRow)
    at = delinearize(kernel, position, work);
  else
    at.back() = mul(kernel, position, indexConstant(kernel, width));
  Values dims(loops.sizes.size());
  for (auto [loop, value] : llvm::zip(keptLoops, at))
    dims[loop] = value;
  return dims;
}

/// Returns the row-major position of the kept indices in `dims`.
Value ReductionSkeleton::keptPosition(const Values &dims) {
  Value position = indexConstant(kernel, 0);
  for (unsigned loop : keptLoops)
    position =
        add(kernel, mul(kernel, position, kernel.size(loops.sizes[loop])),
            dims[loop]);
  return position;
}

Value ReductionSkeleton::andValid(Value condition) {
  return isValid ? b.createOrFold<arith::AndIOp>(condition, isValid)
                 : condition;
}

//===----------------------------------------------------------------------===//
// The reduced elements
//===----------------------------------------------------------------------===//

/// Emits `step` in a loop over the slot's elements in [lower, upper).
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::forElements(const Values &dims, Value lower, Value upper,
                               ValueRange carried, Step step) {
  Value active =
      namedRows ? namedRows->slotCount() : indexConstant(kernel, slots);
  Value lane = indexConstant(kernel, isRow && lanes ? width : 1);
  Value first = add(kernel, lower, mul(kernel, slot, lane));
  if (namedRows && !namedRows->isPacked)
    first = b.createOrFold<arith::SelectOp>(less(kernel, slot, active), first,
                                            upper);
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : reducedLoops)
    sizes.push_back(loops.sizes[loop]);
  return forStrided(kernel, first, upper, mul(kernel, active, lane), carried,
                    [&](Value i, ValueRange values) {
                      Values at = dims;
                      Values index = delinearize(kernel, i, sizes);
                      for (auto [loop, v] : llvm::zip(reducedLoops, index))
                        at[loop] = v;
                      return step(at, values);
                    });
}

/// Emits a pass over a row twice: in vectors for the case that the size is a
/// multiple of their lanes, and element by element otherwise. The results are
/// scalars.
FailureOr<ReductionSkeleton::Values> ReductionSkeleton::byWidth(TypeRange types,
                                                                Pass pass) {
  if (!isRow || width == 1)
    return pass();
  auto withLanes = [&] {
    lanes = {laneLoop, width};
    FailureOr<Values> values = pass();
    lanes.reset();
    return values;
  };
  if (constantOf(count))
    return withLanes();
  Value left = rem(kernel, kernel.size(count), indexConstant(kernel, width));
  return choose(kernel, equal(kernel, left, indexConstant(kernel, 0)), types,
                withLanes, pass);
}

FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::accumulate(ArrayRef<Reduction *> active, const Values &dims,
                              ValueRange carried) {
  ExpressionEmitter elements(kernel, *space, dims, lanes);
  if (lanes)
    elements.assumeAligned(loops.sizes[laneLoop]);
  bindResults(elements);
  return ReductionPlan::accumulate(active, elements, carried);
}

AffineExpr ReductionSkeleton::chunkCount() {
  return kernel.names.simplify(count.ceilDiv(chunk));
}

/// Reduces chunk `number`. All slots get the result.
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::chunkOf(ArrayRef<Reduction *> active, const Values &dims,
                           Value number) {
  Value size = indexConstant(kernel, chunk), all = kernel.size(count);
  Value lower = mul(kernel, number, size);
  Value upper = min(kernel, add(kernel, lower, size), all);
  std::optional<int64_t> known = constantOf(count);
  if (known && *known <= chunk) {
    lower = indexConstant(kernel, 0);
    upper = all;
  }
  auto states = byWidth(stateTypes(active), [&]() -> FailureOr<Values> {
    auto own = forElements(dims, lower, upper, neutral(active),
                           [&](const Values &at, ValueRange carried) {
                             return accumulate(active, at, carried);
                           });
    if (failed(own) || !isRow || !lanes)
      return own;
    return acrossLanes(active, *own);
  });
  if (failed(states))
    return failure();
  return across(active, *states, namedRows ? namedRows->slotCount() : Value());
}

FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::allChunks(ArrayRef<Reduction *> active, const Values &dims) {
  std::optional<int64_t> chunks = constantOf(chunkCount());
  Value zero = indexConstant(kernel, 0);
  if (chunks && *chunks <= 1)
    return chunkOf(active, dims, zero);
  // The loop runs at least once, because its barriers separate two exchanges.
  Value iterations = arith::MaxUIOp::create(b, kernel.size(chunkCount()),
                                            indexConstant(kernel, 1));
  // All slots take the result of a single chunk, which needs no further
  // exchange. A row of several chunks has all slots.
  Value isSingle = equal(kernel, iterations, indexConstant(kernel, 1));
  auto own = forRange(
      kernel, zero, iterations, 1, neutral(active),
      [&](Value number, ValueRange sums) -> FailureOr<Values> {
        auto one = chunkOf(active, dims, number);
        if (failed(one))
          return failure();
        auto more = combineAll(active, sums, *one);
        if (failed(more))
          return failure();
        Value mine = equal(kernel, slot,
                           rem(kernel, number, indexConstant(kernel, slots)));
        mine = b.createOrFold<arith::OrIOp>(mine, isSingle);
        Values next;
        for (auto [updated, old] : llvm::zip(*more, sums))
          next.push_back(arith::SelectOp::create(b, mine, updated, old));
        endOfIteration();
        return next;
      });
  if (failed(own))
    return failure();
  return choose(
      kernel, isSingle, stateTypes(active),
      [&]() -> FailureOr<Values> { return *own; },
      [&] { return across(active, *own, /*slotCount=*/{}); });
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

LogicalResult ReductionSkeleton::storeKept(const Values &dims) {
  if (llvm::all_of(kernel.yield().getValues(),
                   [&](Value root) { return isElementLevel(root); }))
    return success();
  Value isFirst = equal(kernel, slot, indexConstant(kernel, 0));
  return when(kernel, andValid(isFirst), [&]() -> LogicalResult {
    ExpressionEmitter elements(kernel, *space, dims, lanes);
    if (lanes)
      elements.assumeAligned(loops.sizes[laneLoop]);
    bindResults(elements);
    return storeAtKept(elements);
  });
}

LogicalResult ReductionSkeleton::storeElements(const Values &dims) {
  if (!storesElements())
    return success();
  auto step = [&](const Values &at, ValueRange) -> FailureOr<Values> {
    ExpressionEmitter elements(kernel, *space, at, lanes);
    if (lanes)
      elements.assumeAligned(loops.sizes[laneLoop]);
    bindResults(elements);
    if (failed(storeAtElement(elements)))
      return failure();
    return Values();
  };
  return when(kernel, isValid, [&]() -> LogicalResult {
    auto done = byWidth(TypeRange(), [&] {
      return forElements(dims, indexConstant(kernel, 0), kernel.size(count), {},
                         step);
    });
    return success(succeeded(done));
  });
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult ReductionSkeleton::emitItem(Value item) {
  results.clear();
  Values dims = atItem(item);
  for (unsigned phase = 0; phase < phases; ++phase) {
    SmallVector<Reduction *> active = inPhase(phase);
    FailureOr<Values> states = allChunks(active, dims);
    if (failed(states))
      return failure();
    setResults(active, *states);
  }
  if (failed(storeKept(dims)) || failed(storeElements(dims)))
    return failure();
  if (mayRepeat(maxItems(), threads()))
    endOfIteration();
  return success();
}

FailureOr<KernelSpec> ReductionSkeleton::emit() {
  if (failed(forBlocks(kernel, maxItems(), threads(),
                       [&](Value item) { return emitItem(item); })))
    return failure();
  return finish(kernel, itemCount(), threads(), maxItems());
}

} // namespace tensorc::codegen::simt
