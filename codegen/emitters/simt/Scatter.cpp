//===- Scatter.cpp - Scatter on GPUs --------------------------------------===//
//
//   for each element of x: compute it and store it in the output
// and in a second kernel, with one thread per index of the free dims:
//   for each index vector:
//     for each position in its window along the other dims:
//       if the position is inside the output: load, combine, store
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/ScatterSkeleton.h"
#include "codegen/emitters/simt/Grid.h"
#include "codegen/emitters/simt/Skeletons.h"

using namespace mlir;

namespace tensorc::codegen::simt {

static FailureOr<KernelSpec> emitUpdates(KernelBuilder &kernel) {
  ScatterSkeleton scatter(kernel);
  SmallVector<AffineExpr> sizes;
  for (unsigned d : scatter.freeDims())
    sizes.push_back(scatter.sizeOf(d));
  AffineExpr elements = kernel.names.product(sizes);
  AffineExpr blocks = kernel.names.simplify(elements.ceilDiv(blockThreads));
  auto body = [&](Value block) {
    Value element =
        add(kernel, mul(kernel, block, indexConstant(kernel, blockThreads)),
            threadId(kernel, blockThreads));
    return when(kernel, less(kernel, element, kernel.size(elements)), [&] {
      Values dims = scatter.noDims();
      for (auto [d, value] :
           llvm::zip(scatter.freeDims(), delinearize(kernel, element, sizes)))
        dims[d] = value;
      return scatter.forEachUpdate(
          dims, [&](const Values &dims) { return scatter.update(dims); });
    });
  };
  if (failed(forBlocks(kernel, blocks, blockThreads, body)))
    return failure();
  return finish(kernel, blocks, blockThreads);
}

static FailureOr<EmittedKernels> emitScattered(KernelBuilder &kernel) {
  return emitScatter(kernel, emitLoop, emitUpdates);
}

const Skeleton scatter = {
    .name = "updates",
    .kind = tx::kinds::scatter,
    .match = matchAll,
    .schedules = [](KernelBuilder &fusion,
                    tx::OrderAttr) { return offerLoop(fusion); },
    .emit = emitScattered,
    .mayOverwrite = true};

} // namespace tensorc::codegen::simt
