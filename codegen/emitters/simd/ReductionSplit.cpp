//===- ReductionSplit.cpp - Splits a reduction into two kernels -----------===//
//
//   sum of x over all of its 2^26 elements
// becomes two kernels:
//   for each block (a work item): partial[block] = lanes of the block's sum,
//     and store the block's elements of outputs that do not need the sum
//   total = partial[0] + partial[1] + ...; combine its lanes by halves;
//     epilogue
//
// A few columns fill only one register, and the additions to it form a
// dependency chain. So a work item consists of several blocks, whose
// accumulations are interleaved.
//
// The order of additions is that of a single kernel. The results are the same
// bits, and a schedule may choose either.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/ReductionSplit.h"
#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = SmallVector<Value>;

static bool isFewAndLong(const CpuCosts &costs, AffineExpr items,
                         AffineExpr reduced, int64_t block) {
  auto count = dyn_cast<AffineConstantExpr>(items);
  auto size = dyn_cast<AffineConstantExpr>(reduced);
  return count && count.getValue() <= costs.maxSplitItems &&
         (!size || size.getValue() > costs.minSplitParts * block);
}

bool isFewAndLong(const ReductionSizes &sizes, tx::DimSpace &names,
                  const TargetInfo &target) {
  SmallVector<AffineExpr> work = sizes.kept;
  if (!sizes.isRow)
    work.back() = work.back().ceilDiv(ReductionSkeleton::columnRegisters *
                                      target.getLanes(sizes.element));
  int64_t lanes = sizes.isRow ? ReductionSkeleton::rowLanes : 1;
  return isFewAndLong(getCpuCosts(target), names.product(work), sizes.reduced,
                      ReductionSkeleton::blockSteps * lanes);
}

/// True if a single kernel would have few but long work items, so that most
/// threads would be idle.
bool SplitReduction::isProfitable() {
  return reduction.maySplit() &&
         isFewAndLong(kernel.costs(),
                      kernel.names.product(reduction.workSizes()),
                      reduction.reduced.count(), reduction.blockSize());
}

/// Returns a temporary of shape [block, item, lane] for each value of the
/// reductions' states.
SmallVector<KernelSpec::Temporary> SplitReduction::temporaries() {
  SmallVector<KernelSpec::Temporary> result;
  AffineExpr blocks = reduction.reduced.count().ceilDiv(reduction.blockSize());
  AffineExpr count = kernel.names.simplify(
      blocks * kernel.names.product(reduction.workSizes()) *
      reduction.lanes->width);
  for (ReductionPlan::Reduction *r : reduction.inPhase(0))
    for (Type type : r->combiner.stateTypes())
      result.push_back({type, count});
  return result;
}

/// Stores the outputs of a block's elements while the block's inputs are still
/// in a cache.
LogicalResult SplitReduction::storeBlock(const Values &dims, Value mask,
                                         Value lower, Value upper) {
  if (!reduction.storesElements())
    return success();
  return reduction.reduced.forPositions(
      dims, mask, {}, lower, upper, AffineExpr(),
      [&](const Values &at, Value laneMask, ValueRange) -> FailureOr<Values> {
        ExpressionEmitter elements(kernel, *reduction.space, at,
                                   reduction.lanes, laneMask);
        if (failed(reduction.storeAtElement(elements)))
          return failure();
        return Values();
      });
}

/// Returns the number of blocks that a work item interleaves.
int64_t SplitReduction::blocksOfItem() {
  bool areTogether = !reduction.isRow && reduction.copies.count == 1 &&
                     reduction.reducedLoops.size() == 1 &&
                     reduction.lanes->width <= registerLanes(kernel) &&
                     isCheap(kernel) && !reduction.storesElements();
  return areTogether ? kernel.costs().interleavedBlocks : 1;
}

/// Returns the number of contiguous bytes that a work item's blocks read, or 0
/// if that is unknown.
int64_t SplitReduction::bytesOfItem() {
  auto columns = constantOf(reduction.loops.sizes[reduction.keptLoops.back()]);
  int64_t bytes = 1;
  for (BlockArgument input : kernel.body().getArguments())
    if (!kernel.isScalar(input))
      bytes = std::max<int64_t>(
          bytes,
          llvm::divideCeil(
              getElementTypeOrSelf(input.getType()).getIntOrFloatBitWidth(),
              8));
  return columns ? kernel.costs().interleavedBlocks * reduction.blockSize() *
                       *columns * bytes
                 : 0;
}

/// Reduces block `block` and stores its states at index `position` of the
/// temporaries.
LogicalResult SplitReduction::oneBlock(const Values &dims, Value mask,
                                       Value block, Value position) {
  SmallVector<ReductionPlan::Reduction *> active = reduction.inPhase(0);
  Value steps = indexConstant(kernel, reduction.blockSize());
  Value lower = b.createOrFold<arith::MulIOp>(block, steps);
  Value upper = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(lower, steps),
      kernel.size(reduction.reduced.count()));
  auto partial = reduction.reduced.forPositions(
      dims, mask, reduction.neutral(active), lower, upper, AffineExpr(),
      [&](const Values &at, Value laneMask, ValueRange carried) {
        return reduction.accumulate(active, at, laneMask, carried);
      });
  if (failed(partial) || failed(storeBlock(dims, mask, lower, upper)))
    return failure();
  for (auto [i, value] : llvm::enumerate(*partial))
    vector::StoreOp::create(b, value, kernel.temporary(i), position);
  return success();
}

/// Reduces `interleavedBlocks` whole blocks, starting at `block`. Their steps
/// alternate, so that their dependency chains overlap.
LogicalResult
SplitReduction::reduceInterleaved(const Values &dims, Value mask, Value block,
                                  function_ref<Value(Value)> offsetOf) {
  int64_t interleaved = kernel.costs().interleavedBlocks;
  SmallVector<ReductionPlan::Reduction *> active = reduction.inPhase(0);
  Values begins, states;
  for (int64_t i = 0; i < interleaved; ++i) {
    begins.push_back(
        b.createOrFold<arith::AddIOp>(block, indexConstant(kernel, i)));
    llvm::append_range(states, reduction.neutral(active));
  }
  llvm::SaveAndRestore asks(reduction.blockPrefetchDistance, bytesOfItem());
  size_t each = states.size() / interleaved;
  Value steps = indexConstant(kernel, reduction.blockSize());
  auto total = forRange(
      kernel, indexConstant(kernel, 0), steps, 1, states,
      [&](Value step, ValueRange carried) -> FailureOr<Values> {
        Values all, at = dims;
        for (auto [i, begin] : llvm::enumerate(begins)) {
          at[reduction.reducedLoops.back()] = b.createOrFold<arith::AddIOp>(
              b.createOrFold<arith::MulIOp>(begin, steps), step);
          auto next = reduction.accumulate(active, at, mask,
                                           carried.slice(i * each, each));
          if (failed(next))
            return failure();
          llvm::append_range(all, *next);
        }
        return all;
      });
  if (failed(total))
    return failure();
  for (auto [i, begin] : llvm::enumerate(begins)) {
    Value position = offsetOf(begin);
    for (size_t state = 0; state < each; ++state)
      vector::StoreOp::create(b, (*total)[i * each + state],
                              kernel.temporary(state), position);
  }
  return success();
}

FailureOr<KernelSpec> SplitReduction::emitPartial() {
  AffineExpr size = reduction.reduced.count();
  AffineExpr blocks =
      kernel.names.simplify(size.ceilDiv(reduction.blockSize()));
  AffineExpr work = kernel.names.product(reduction.workSizes());
  int64_t together = blocksOfItem();
  AffineExpr groups = kernel.names.simplify(blocks.ceilDiv(together));
  auto done = reduction.forItems({groups}, [&](Value item,
                                               ArrayRef<Value> outer,
                                               const Values &dims, Value mask) {
    if (failed(reduction.copies.readOnce(dims, mask)))
      return failure();
    Value group = outer[0], count = kernel.size(work);
    Value within = b.createOrFold<arith::SubIOp>(
        item, b.createOrFold<arith::MulIOp>(group, count));
    auto offsetOf = [&](Value block) {
      Value row = b.createOrFold<arith::MulIOp>(block, count);
      return b.createOrFold<arith::MulIOp>(
          b.createOrFold<arith::AddIOp>(row, within),
          indexConstant(kernel, reduction.lanes->width));
    };
    if (together == 1)
      return oneBlock(dims, mask, group, offsetOf(group));
    Value first =
        b.createOrFold<arith::MulIOp>(group, indexConstant(kernel, together));
    Value end =
        b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, together));
    Value isFull = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ule,
        b.createOrFold<arith::MulIOp>(
            end, indexConstant(kernel, reduction.blockSize())),
        kernel.size(size));
    auto ifOp = scf::IfOp::create(b, isFull, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    if (failed(reduceInterleaved(dims, mask, first, offsetOf)))
      return failure();
    b.setInsertionPointToStart(ifOp.elseBlock());
    end = b.createOrFold<arith::MinUIOp>(end, kernel.size(blocks));
    return success(succeeded(
        forRange(kernel, first, end, 1, {},
                 [&](Value block, ValueRange) -> FailureOr<Values> {
                   if (failed(oneBlock(dims, mask, block, offsetOf(block))))
                     return failure();
                   return Values();
                 })));
  });
  if (failed(done))
    return failure();
  return kernel.finish(kernel.names.simplify(groups * work),
                       reduction.constant(1));
}

FailureOr<KernelSpec> SplitReduction::emitFinish() {
  SmallVector<ReductionPlan::Reduction *> active = reduction.inPhase(0);
  AffineExpr blocks = reduction.reduced.count().ceilDiv(reduction.blockSize());
  AffineExpr items = kernel.names.product(reduction.workSizes());
  auto done = reduction.forItems({}, [&](Value item, ArrayRef<Value>,
                                         const Values &dims, Value mask) {
    auto total = forRange(
        kernel, indexConstant(kernel, 0), kernel.size(blocks), 1,
        reduction.neutral(active), [&](Value block, ValueRange sums) {
          Value row = b.createOrFold<arith::MulIOp>(block, kernel.size(items));
          Value position = b.createOrFold<arith::MulIOp>(
              b.createOrFold<arith::AddIOp>(row, item),
              indexConstant(kernel, reduction.lanes->width));
          Values partial;
          for (auto [i, sum] : llvm::enumerate(sums))
            partial.push_back(
                vector::LoadOp::create(b, cast<VectorType>(sum.getType()),
                                       kernel.temporary(i), position));
          return reduction.combineAll(active, sums, partial);
        });
    if (failed(total) || failed(reduction.finishPhase(active, *total)))
      return failure();
    return reduction.storeKept(dims, mask);
  });
  if (failed(done))
    return failure();
  return kernel.finish(items, reduction.constant(1));
}

static FailureOr<EmittedKernels> emitSplit(KernelBuilder &kernel) {
  tx::OrderAttr order = kernel.fusion.getOrderAttr();
  int64_t columnLanes =
      kernel.fusion.getKind() == tx::kinds::row ? 1 : kernel.scheduled("lanes");
  return emitReduction(kernel, [&](KernelBuilder &kernel) {
    auto skeleton = std::make_unique<ReductionSkeleton>(kernel, order);
    return succeeded(skeleton->plan(columnLanes)) ? std::move(skeleton)
                                                  : nullptr;
  });
}

static FailureOr<Offers> offer(KernelBuilder &kernel, tx::OrderAttr order) {
  ReductionSkeleton reduction(kernel, order);
  bool isRow = reduction.isRow;
  int64_t maxLanes =
      isRow ? 1 : ReductionSkeleton::columnRegisters * registerLanes(kernel);
  if (failed(reduction.plan(maxLanes)))
    return failure();
  // If a few columns fill only part of a register, fewer lanes are used,
  // because most loads of a whole register would cross a cache line.
  if (!isRow)
    if (auto columns =
            constantOf(reduction.loops.sizes[reduction.keptLoops.back()]))
      while (maxLanes / 2 >=
             std::max<int64_t>(*columns, kernel.costs().minColumnLanes))
        maxLanes /= 2;
  Offers offers;
  for (int64_t columnLanes = maxLanes; columnLanes >= (isRow ? 1 : 2);
       columnLanes /= 2) {
    if (!isRow)
      reduction.lanes->width = columnLanes;
    bool split = SplitReduction(reduction).isProfitable();
    for (bool two : {split, !split}) {
      if (two && !reduction.maySplit())
        continue;
      Numbers numbers{{"kernels", two ? 2 : 1}};
      if (!isRow)
        numbers.push_back({"lanes", columnLanes});
      offers.push_back(std::move(numbers));
    }
  }
  return offers;
}

const Skeleton row = {"rows", tx::kinds::row, matchAll,
                      offer,  emitSplit,      reductionOrder};
const Skeleton column = {"columns", tx::kinds::column, matchAll,
                         offer,     emitSplit,         reductionOrder};

} // namespace tensorc::codegen::simd
