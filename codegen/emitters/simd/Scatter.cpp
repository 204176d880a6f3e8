//===- Scatter.cpp - Scatter on CPUs --------------------------------------===//
//
//   for each element of x: compute it and store it in the output
// and in a second kernel, whose work items are indices of the free dims:
//   for each index vector:
//     for each position in its window along the other dims:
//       if the position is inside the output:
//         for each vector along the innermost free dim: load, combine, store
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/ScatterSkeleton.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = ScatterSkeleton::Values;

/// Applies the updates to the elements from `lower` to `upper` of the innermost
/// free dim, in vectors.
static LogicalResult updateLanes(KernelBuilder &kernel,
                                 ScatterSkeleton &scatter, Values dims,
                                 Value lower, Value upper, AffineExpr size) {
  int64_t width = kernel.scheduled("lanes");
  unsigned lane = scatter.freeDims().back();
  return scatter.forEachUpdate(dims, [&](const Values &outer) {
    auto done = forLanes(
        kernel, lower, upper, width, size, {},
        [&](Value i, Value mask, ValueRange) -> FailureOr<SmallVector<Value>> {
          Values dims = outer;
          dims[lane] = i;
          std::optional<ExpressionEmitter::Lanes> lanes;
          if (width > 1)
            lanes = {lane, width};
          if (failed(scatter.update(dims, lanes, width > 1 ? mask : Value())))
            return failure();
          return SmallVector<Value>();
        });
    return success(succeeded(done));
  });
}

static FailureOr<KernelSpec> emitUpdates(KernelBuilder &kernel) {
  ScatterSkeleton scatter(kernel);
  ArrayRef<unsigned> free = scatter.freeDims();
  AffineExpr one = kernel.names.constant(1);
  AffineExpr updates = scatter.updatesOfElement() + 1;
  AffineExpr extent = one, cost = updates;
  if (free.size() == 1) {
    // Work items are elements of the only free dim.
    extent = scatter.sizeOf(free[0]);
    if (failed(updateLanes(kernel, scatter, scatter.noDims(), kernel.begin(),
                           kernel.end(), AffineExpr())))
      return failure();
  } else {
    // Work items are rows of the innermost free dim. If there are no free dims,
    // there is a single work item.
    SmallVector<AffineExpr> rows;
    for (unsigned d : free.empty() ? free : free.drop_back())
      rows.push_back(scatter.sizeOf(d));
    extent = kernel.names.product(rows);
    auto done = forRange(
        kernel, kernel.begin(), kernel.end(), 1, {},
        [&](Value row, ValueRange) -> FailureOr<SmallVector<Value>> {
          Values dims = scatter.noDims();
          for (auto [d, value] :
               llvm::zip(free, delinearize(kernel, row, rows)))
            dims[d] = value;
          LogicalResult updated =
              free.empty()
                  ? scatter.forEachUpdate(dims,
                                          [&](const Values &dims) {
                                            return scatter.update(dims);
                                          })
                  : updateLanes(kernel, scatter, dims, indexConstant(kernel, 0),
                                kernel.size(scatter.sizeOf(free.back())),
                                scatter.sizeOf(free.back()));
          if (failed(updated))
            return failure();
          return SmallVector<Value>();
        });
    if (failed(done))
      return failure();
    if (!free.empty())
      cost = updates * (scatter.sizeOf(free.back()) + 1);
  }
  return kernel.finish(
      extent, kernel.names.constant(kernel.costs().taskElements).ceilDiv(cost));
}

static FailureOr<EmittedKernels> emitScattered(KernelBuilder &kernel) {
  return emitScatter(kernel, emitLoop, emitUpdates);
}

const Skeleton scatter = {
    .name = "updates",
    .kind = tx::kinds::scatter,
    .match = matchAll,
    .schedules = [](KernelBuilder &fusion, tx::OrderAttr) -> FailureOr<Offers> {
      return offerLanes(fusion);
    },
    .emit = emitScattered,
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
