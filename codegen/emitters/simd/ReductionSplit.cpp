//===- ReductionSplit.cpp - Few results from many elements, in parallel ---===//
//
//   sum of x over all of its 2^26 elements
// becomes two kernels:
//   for each block (a work item): partial[block] = lanes of the block's sum,
//     and store the block's elements of outputs that need no sum
//   total = partial[0] + partial[1] + ...; then lanes by halves, the epilogue
//
// The association is that of the single kernel, so the bits are too, and a
// schedule may choose either.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/simd/ReductionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = SmallVector<Value>;

/// With more work items than this, threads have enough to do.
static constexpr int64_t fewItems = 8;
/// Below so many blocks a second kernel costs more than it gains.
static constexpr int64_t fewBlocks = 8;

static bool isFewAndLong(AffineExpr items, AffineExpr reduced, int64_t block) {
  auto count = dyn_cast<AffineConstantExpr>(items);
  auto size = dyn_cast<AffineConstantExpr>(reduced);
  return count && count.getValue() <= fewItems &&
         (!size || size.getValue() > fewBlocks * block);
}

bool isFewAndLong(const ReductionSizes &sizes, tx::DimSpace &names,
                  const TargetInfo &target) {
  SmallVector<AffineExpr> work = sizes.kept;
  if (!sizes.isRow)
    work.back() = work.back().ceilDiv(ReductionSkeleton::columnRegisters *
                                      target.getLanes(sizes.element));
  int64_t lanes = sizes.isRow ? ReductionSkeleton::rowLanes : 1;
  return isFewAndLong(names.product(work), sizes.reduced,
                      ReductionSkeleton::blockSteps * lanes);
}

bool ReductionSkeleton::maySplit() {
  return phases == 1 && !storesElementsOfResults();
}

/// Whether the kept dims give too few work items for threads.
bool ReductionSkeleton::wantsSplit() {
  return maySplit() && isFewAndLong(kernel.names.product(workSizes()),
                                    countReduced(), blockSize());
}

FailureOr<Offers> ReductionSkeleton::offer() {
  int64_t most = isRow ? 1 : columnRegisters * registerLanes(kernel);
  if (failed(plan(most)))
    return failure();
  Offers offers;
  for (int64_t columnLanes = most; columnLanes >= (isRow ? 1 : 2);
       columnLanes /= 2) {
    if (!isRow)
      lanes->width = columnLanes;
    bool split = wantsSplit();
    for (bool two : {split, !split}) {
      if (two && !maySplit())
        continue;
      Numbers numbers{{"kernels", two ? 2 : 1}};
      if (!isRow)
        numbers.push_back({"lanes", columnLanes});
      offers.push_back(std::move(numbers));
    }
  }
  return offers;
}

/// Per value of the reductions' states: [block, item, lane].
SmallVector<KernelSpec::Temporary> ReductionSkeleton::temporaries() {
  SmallVector<KernelSpec::Temporary> result;
  AffineExpr blocks = countReduced().ceilDiv(blockSize());
  AffineExpr count = kernel.names.simplify(
      blocks * kernel.names.product(workSizes()) * lanes->width);
  for (Reduction *r : inPhase(0))
    for (Type type : r->combiner.stateTypes())
      result.push_back({type, count});
  return result;
}

/// The elements of a block while its inputs are in a cache.
LogicalResult ReductionSkeleton::storeBlock(const Values &dims, Value mask,
                                            Value lower, Value upper) {
  if (!storesElements())
    return success();
  return forPositions(
      dims, mask, {}, lower, upper, AffineExpr(),
      [&](const Values &at, Value laneMask, ValueRange) -> FailureOr<Values> {
        ExpressionEmitter elements(kernel, *space, at, lanes, laneMask);
        if (failed(storeAtElement(elements)))
          return failure();
        return Values();
      });
}

FailureOr<KernelSpec> ReductionSkeleton::emitPartial() {
  SmallVector<Reduction *> active = inPhase(0);
  AffineExpr size = countReduced();
  AffineExpr blocks = kernel.names.simplify(size.ceilDiv(blockSize()));
  auto done = forItems({blocks}, [&](Value item, ArrayRef<Value> outer,
                                     const Values &dims, Value mask) {
    Value block = indexConstant(kernel, blockSize());
    Value lower = b.createOrFold<arith::MulIOp>(outer[0], block);
    Value upper = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(lower, block), kernel.size(size));
    if (failed(readOnce(dims, mask)))
      return failure();
    auto partial =
        forPositions(dims, mask, neutral(active), lower, upper, AffineExpr(),
                     [&](const Values &at, Value laneMask, ValueRange carried) {
                       return accumulate(active, at, laneMask, carried);
                     });
    if (failed(partial) || failed(storeBlock(dims, mask, lower, upper)))
      return failure();
    Value place = b.createOrFold<arith::MulIOp>(
        item, indexConstant(kernel, lanes->width));
    for (auto [i, value] : llvm::enumerate(*partial))
      vector::StoreOp::create(b, value, kernel.temporary(i), place);
    return success();
  });
  if (failed(done))
    return failure();
  return kernel.finish(
      kernel.names.simplify(blocks * kernel.names.product(workSizes())),
      constant(1));
}

FailureOr<KernelSpec> ReductionSkeleton::emitFinish() {
  SmallVector<Reduction *> active = inPhase(0);
  AffineExpr blocks = countReduced().ceilDiv(blockSize());
  AffineExpr items = kernel.names.product(workSizes());
  auto done = forItems({}, [&](Value item, ArrayRef<Value>, const Values &dims,
                               Value mask) {
    auto total = forRange(
        kernel, indexConstant(kernel, 0), kernel.size(blocks), 1,
        neutral(active), [&](Value block, ValueRange sums) {
          Value row = b.createOrFold<arith::MulIOp>(block, kernel.size(items));
          Value place = b.createOrFold<arith::MulIOp>(
              b.createOrFold<arith::AddIOp>(row, item),
              indexConstant(kernel, lanes->width));
          Values partial;
          for (auto [i, sum] : llvm::enumerate(sums))
            partial.push_back(
                vector::LoadOp::create(b, cast<VectorType>(sum.getType()),
                                       kernel.temporary(i), place));
          return combineAll(active, sums, partial);
        });
    if (failed(total) || failed(finishPhase(active, *total)))
      return failure();
    return storeKept(dims, mask);
  });
  if (failed(done))
    return failure();
  return kernel.finish(items, constant(1));
}

static FailureOr<EmittedKernels> emit(KernelBuilder &kernel) {
  tx::OrderAttr order = kernel.fusion.getOrderAttr();
  int64_t columnLanes =
      kernel.fusion.getKind() == tx::kinds::row ? 1 : kernel.scheduled("lanes");
  return emitReduction(kernel, [&](KernelBuilder &kernel) {
    auto skeleton = std::make_unique<ReductionSkeleton>(kernel, order);
    return succeeded(skeleton->plan(columnLanes)) ? std::move(skeleton)
                                                  : nullptr;
  });
}

static FailureOr<Offers> offer(KernelBuilder &fusion, tx::OrderAttr order) {
  return ReductionSkeleton(fusion, order).offer();
}

const Skeleton row = {"rows", tx::kinds::row, matchAll,
                      offer,  emit,           reductionOrder};
const Skeleton column = {"columns", tx::kinds::column, matchAll, offer,
                         emit,      reductionOrder};

} // namespace tensorc::codegen::simd
