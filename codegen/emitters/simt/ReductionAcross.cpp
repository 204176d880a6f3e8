//===- ReductionAcross.cpp - Combines states of threads and of blocks -----===//
//
// Threads of a subgroup exchange states by shuffles, and other threads through
// shared memory. Two buffers alternate, so that the barrier of one exchange
// also separates the reads of the previous one from later writes.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/simt/Reduction.h"
#include "codegen/kernel/GpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

SmallVector<Type> ReductionSkeleton::stateTypes(ArrayRef<Reduction *> active) {
  SmallVector<Type> types;
  for (Reduction *r : active)
    llvm::append_range(types, r->combiner.stateTypes());
  return types;
}

//===----------------------------------------------------------------------===//
// Across threads
//===----------------------------------------------------------------------===//

/// Combines the states of the slots. `slotCount` is that of acrossThreads().
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::across(ArrayRef<Reduction *> active, ValueRange states,
                          Value slotCount) {
  Values combined;
  for (Reduction *r : active) {
    unsigned n = r->combiner.stateSize();
    Values state(states.take_front(n));
    states = states.drop_front(n);
    FailureOr<Values> one = isRow ? acrossThreads(*r, state, slots, slotCount)
                                  : acrossColumns(*r, state);
    if (failed(one))
      return failure();
    llvm::append_range(combined, *one);
  }
  return combined;
}

/// Emits the barrier at the end of a loop body that exchanges states.
void ReductionSkeleton::endOfIteration() {
  if (exchange.isUsed())
    barrier(kernel);
}

/// Reduces the states of `count` consecutive threads. All of them get the
/// result. If `slotCount` is not null, it is the same for all threads, and only
/// the states of so many consecutive threads are combined: a subgroup's or
/// fewer, or all `count`.
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::acrossThreads(Reduction &r, Values state, int64_t count,
                                 Value slotCount) {
  auto ifAbove = [&](int64_t number, Branch branch) {
    if (!slotCount)
      return branch();
    return choose(kernel,
                  less(kernel, indexConstant(kernel, number), slotCount),
                  r.combiner.stateTypes(), branch,
                  [&]() -> FailureOr<Values> { return state; });
  };
  int64_t size = std::min(count, subgroup());
  for (int64_t offset = size / 2; offset > 0; offset /= 2) {
    auto combined = ifAbove(offset, [&]() -> FailureOr<Values> {
      Values other;
      for (Value v : state)
        other.push_back(gpu::ShuffleOp::create(b, v, offset, subgroup(),
                                               gpu::ShuffleMode::XOR)
                            .getShuffleResult());
      auto both = r.combiner.combine(state, other);
      if (failed(both))
        return failure();
      return Values(ArrayRef<Value>(*both));
    });
    if (failed(combined))
      return failure();
    state = *combined;
  }
  if (count <= subgroup())
    return state;
  return ifAbove(subgroup(), [&] { return acrossSubgroups(r, state, count); });
}

/// Reduces the states of the subgroups of `count` consecutive threads. All
/// threads get the result.
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::acrossSubgroups(Reduction &r, Values state, int64_t count) {
  Value thread = threadId(kernel, threads());
  Value lane = rem(kernel, thread, indexConstant(kernel, subgroup()));
  Value group = div(kernel, thread, indexConstant(kernel, subgroup()));
  int64_t groups = count / subgroup();
  Value isFirst = equal(kernel, lane, indexConstant(kernel, 0));
  if (failed(when(kernel, isFirst, [&] {
        for (auto [i, v] : llvm::enumerate(state))
          memref::StoreOp::create(
              b, v, exchange.buffer(kernel, i, v.getType(), groups), group);
        return success();
      })))
    return failure();
  barrier(kernel);
  // Every subgroup combines the states of all subgroups, redundantly.
  Value from = rem(kernel, lane, indexConstant(kernel, groups));
  for (auto [i, v] : llvm::enumerate(state))
    v = memref::LoadOp::create(
        b, exchange.buffer(kernel, i, v.getType(), groups), from);
  exchange.startNext();
  return acrossThreads(r, state, groups, /*slotCount=*/{});
}

/// Reduces the states of the slots of a column, or of a vector of columns.
FailureOr<ReductionSkeleton::Values>
ReductionSkeleton::acrossColumns(Reduction &r, Values state) {
  Value thread = threadId(kernel, threads());
  Value column = rem(kernel, thread, indexConstant(kernel, keptIndices));
  auto memoryOf = [&](unsigned i, Value v) {
    return exchange.buffer(kernel, i, getElementTypeOrSelf(v.getType()),
                           slots * keptIndices * width);
  };
  auto alignmentOf = [&](Value v) {
    int64_t bits = getElementTypeOrSelf(v.getType()).getIntOrFloatBitWidth();
    return llvm::MaybeAlign(width * llvm::divideCeil(bits, 8));
  };
  for (auto [i, v] : llvm::enumerate(state)) {
    Value position = mul(kernel, thread, indexConstant(kernel, width));
    if (width > 1)
      vector::StoreOp::create(b, v, memoryOf(i, v), position,
                              /*nontemporal=*/false, alignmentOf(v));
    else
      memref::StoreOp::create(b, v, memoryOf(i, v), position);
  }
  barrier(kernel);
  SmallVector<Values> all(slots);
  for (int64_t s = 0; s < slots; ++s)
    for (auto [i, v] : llvm::enumerate(state)) {
      Value position = mul(
          kernel, add(kernel, column, indexConstant(kernel, s * keptIndices)),
          indexConstant(kernel, width));
      if (auto type = dyn_cast<VectorType>(v.getType()))
        all[s].push_back(
            vector::LoadOp::create(b, type, memoryOf(i, v), position,
                                   /*nontemporal=*/false, alignmentOf(v)));
      else
        all[s].push_back(memref::LoadOp::create(b, memoryOf(i, v), position));
    }
  exchange.startNext();
  for (int64_t half = slots / 2; half > 0; half /= 2)
    for (int64_t s = 0; s < half; ++s) {
      auto combined = r.combiner.combine(all[s], all[s + half]);
      if (failed(combined))
        return failure();
      all[s] = Values(ArrayRef<Value>(*combined));
    }
  return all[0];
}

//===----------------------------------------------------------------------===//
// Across blocks
//===----------------------------------------------------------------------===//

static bool isFewAndLong(AffineExpr items, AffineExpr reduced, int64_t chunk) {
  auto count = dyn_cast<AffineConstantExpr>(items);
  auto size = dyn_cast<AffineConstantExpr>(reduced);
  return count && count.getValue() <= gpuCosts.maxSplitBlocks &&
         (!size || size.getValue() > gpuCosts.minSplitParts * chunk);
}

/// True if there are few blocks (one per row, or per group of columns) and many
/// reduced elements. Vectors are ignored, because with them there are even
/// fewer blocks of columns.
bool isFewAndLong(const ReductionSizes &sizes, tx::DimSpace &names) {
  SmallVector<AffineExpr> blocks = sizes.kept;
  if (!sizes.isRow)
    blocks.back() = blocks.back().ceilDiv(ReductionSkeleton::columnsPerBlock);
  return isFewAndLong(names.product(blocks), sizes.reduced,
                      sizes.isRow ? ReductionSkeleton::rowChunk
                                  : ReductionSkeleton::columnChunk);
}

/// True if a split is possible: no block of the second kernel has several
/// items, and there is more than one chunk.
bool ReductionSkeleton::maySplit() {
  auto items = dyn_cast<AffineConstantExpr>(itemCount());
  auto size = dyn_cast<AffineConstantExpr>(count);
  return phases == 1 && !storesElements() && items &&
         items.getValue() <= gpuCosts.maxSplitBlocks &&
         (!size || size.getValue() > chunk);
}

/// True if a single kernel would have too few blocks.
bool ReductionSkeleton::wantsSplit() {
  return maySplit() && isFewAndLong(itemCount(), count, chunk);
}

/// Returns a temporary of shape [chunk, kept index] for each value of the
/// reductions' states.
SmallVector<KernelSpec::Temporary> ReductionSkeleton::temporaries() {
  SmallVector<AffineExpr> factors{chunkCount()};
  for (unsigned loop : keptLoops)
    factors.push_back(loops.sizes[loop]);
  SmallVector<KernelSpec::Temporary> result;
  for (Reduction &r : reductions)
    for (Type type : r.combiner.stateTypes())
      result.push_back({type, kernel.names.product(factors)});
  return result;
}

FailureOr<KernelSpec> ReductionSkeleton::emitPartial() {
  SmallVector<Reduction *> active = inPhase(0);
  AffineExpr items = kernel.names.simplify(chunkCount() * itemCount());
  SmallVector<AffineExpr> kept;
  for (unsigned loop : keptLoops)
    kept.push_back(loops.sizes[loop]);
  auto body = [&](Value item) -> LogicalResult {
    Value size = kernel.size(itemCount());
    Value number = div(kernel, item, size);
    Values dims = atItem(rem(kernel, item, size));
    FailureOr<Values> states = chunkOf(active, dims, number);
    if (failed(states))
      return failure();
    Value isFirst = equal(kernel, slot, indexConstant(kernel, 0));
    if (failed(when(kernel, andValid(isFirst), [&] {
          Value row =
              mul(kernel, number, kernel.size(kernel.names.product(kept)));
          Value position = add(kernel, row, keptPosition(dims));
          for (auto [i, v] : llvm::enumerate(*states))
            if (isa<VectorType>(v.getType()))
              vector::StoreOp::create(b, v, kernel.temporary(i), position);
            else
              memref::StoreOp::create(b, v, kernel.temporary(i), position);
          return success();
        })))
      return failure();
    if (mayRepeat(items, threads()))
      endOfIteration();
    return success();
  };
  if (failed(forBlocks(kernel, items, threads(), body)))
    return failure();
  return finish(kernel, items, threads());
}

FailureOr<KernelSpec> ReductionSkeleton::emitFinish() {
  SmallVector<Reduction *> active = inPhase(0);
  SmallVector<AffineExpr> kept;
  for (unsigned loop : keptLoops)
    kept.push_back(loops.sizes[loop]);
  auto body = [&](Value item) -> LogicalResult {
    Values dims = atItem(item);
    Value row = kernel.size(kernel.names.product(kept));
    Value column = keptPosition(dims);
    auto own = forStrided(
        kernel, slot, kernel.size(chunkCount()), indexConstant(kernel, slots),
        neutral(active), [&](Value number, ValueRange sums) {
          Value position = add(kernel, mul(kernel, number, row), column);
          Values partial;
          for (auto [i, sum] : llvm::enumerate(sums))
            if (auto type = dyn_cast<VectorType>(sum.getType()))
              partial.push_back(vector::LoadOp::create(
                  b, type, kernel.temporary(i), position));
            else
              partial.push_back(
                  memref::LoadOp::create(b, kernel.temporary(i), position));
          return combineAll(active, sums, partial);
        });
    if (failed(own))
      return failure();
    FailureOr<Values> states = across(active, *own, /*slotCount=*/{});
    if (failed(states))
      return failure();
    setResults(active, *states);
    return storeKept(dims);
  };
  // There are so few items that each block has only one.
  if (failed(forBlocks(kernel, itemCount(), threads(), body)))
    return failure();
  return finish(kernel, itemCount(), threads());
}

static FailureOr<EmittedKernels> emitAcross(KernelBuilder &kernel) {
  return emitReduction(
      kernel, [](KernelBuilder &kernel) -> std::unique_ptr<ReductionSkeleton> {
        auto skeleton = std::make_unique<ReductionSkeleton>(kernel);
        if (failed(skeleton->plan()))
          return nullptr;
        skeleton->apply();
        return skeleton;
      });
}

FailureOr<tx::OrderAttr> reductionOrder(KernelBuilder &fusion) {
  ReductionSkeleton skeleton(fusion);
  if (failed(skeleton.plan()))
    return failure();
  return skeleton.chooseOrder();
}

static FailureOr<Offers> offer(KernelBuilder &fusion, tx::OrderAttr order) {
  ReductionSkeleton skeleton(fusion);
  if (failed(skeleton.plan()))
    return failure();
  return skeleton.offer(order);
}

/// The kind of fusion (row or column) depends on whether its innermost loop is
/// reduced.
const Skeleton row = {"rows", tx::kinds::row, matchAll,
                      offer,  emitAcross,     reductionOrder};
const Skeleton column = {"columns", tx::kinds::column, matchAll,
                         offer,     emitAcross,        reductionOrder};

} // namespace tensorc::codegen::simt
