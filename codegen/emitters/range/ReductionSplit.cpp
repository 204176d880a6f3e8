//===- ReductionSplit.cpp - Few results from many elements, in parallel ---===//
//
//   sum of x over all of its 2^26 elements
// becomes two kernels:
//   for each block (a work item): partial[block] = lanes of the block's sum
//   total = partial[0] + partial[1] + ...; then lanes by halves, the epilogue
//
// The association is that of the single kernel, so the bits are too, and the
// choice between them is free.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/range/ReductionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen::range {

using Values = SmallVector<Value>;

/// With more work items than this, threads have enough to do.
static constexpr int64_t fewItems = 8;
/// Below so many blocks a second kernel costs more than it gains.
static constexpr int64_t fewBlocks = 8;

bool ReductionSkeleton::wantsSplit() {
  auto items = dyn_cast<AffineConstantExpr>(kernel.names.product(workSizes()));
  if (phases != 1 || reducedLoops.size() != 1 || !items ||
      items.getValue() > fewItems)
    return false;
  if (storesElements())
    return false;
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[reducedLoops[0]]);
  return !size || size.getValue() > fewBlocks * blockSize();
}

/// Per value of the reductions' states: [block, item, lane].
SmallVector<KernelSpec::Temporary> ReductionSkeleton::temporaries() {
  SmallVector<KernelSpec::Temporary> result;
  AffineExpr blocks = loops.sizes[reducedLoops[0]].ceilDiv(blockSize());
  AffineExpr count = kernel.names.simplify(
      blocks * kernel.names.product(workSizes()) * lanes->width);
  for (Reduction &r : reductions)
    for (Type type : r.combiner.stateTypes())
      result.push_back({type, count});
  return result;
}

FailureOr<KernelSpec> ReductionSkeleton::emitPartial() {
  SmallVector<Reduction *> active = inPhase(0);
  AffineExpr size = loops.sizes[reducedLoops[0]];
  AffineExpr blocks = kernel.names.simplify(size.ceilDiv(blockSize()));
  auto done = forItems({blocks}, [&](Value item, ArrayRef<Value> outer,
                                     const Values &dims, Value mask) {
    Value block = indexConstant(kernel, blockSize());
    Value lower = b.createOrFold<arith::MulIOp>(outer[0], block);
    Value upper = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(lower, block), kernel.size(size));
    auto partial =
        innermost(dims, mask, neutral(active), lower, upper, AffineExpr(),
                  [&](const Values &at, Value laneMask, ValueRange carried) {
                    return accumulate(active, at, laneMask, carried);
                  });
    if (failed(partial))
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
  AffineExpr blocks = loops.sizes[reducedLoops[0]].ceilDiv(blockSize());
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

FailureOr<EmittedKernels> emitReduction(KernelBuilder &kernel,
                                        bool lanesAlongReduced) {
  ReductionSkeleton skeleton(kernel, lanesAlongReduced);
  if (failed(skeleton.plan()))
    return failure();
  if (!skeleton.wantsSplit())
    return single(skeleton.emit());
  EmittedKernels result;
  result.temporaries = skeleton.temporaries();
  KernelBuilder first(kernel, "_partial");
  first.addTemporaries(result.temporaries);
  kernel.addTemporaries(result.temporaries);
  ReductionSkeleton partial(first, lanesAlongReduced);
  if (failed(partial.plan()))
    return failure();
  FailureOr<KernelSpec> blocks = partial.emitPartial();
  FailureOr<KernelSpec> finish = skeleton.emitFinish();
  if (failed(blocks) || failed(finish))
    return failure();
  result.launches = {*blocks, *finish};
  return result;
}

} // namespace tensorc::codegen::range
