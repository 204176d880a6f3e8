//===- Attention.cpp - Skeleton around softmax(q kT) v, for a grid --------===//
//
// for each tile of rows of q, by one block:
//   qs = the rows; max = -inf, sum = 0, results = 0
//   for each tile of keys:
//     ks = the keys; barrier
//     scores = qs * ks; barrier
//     scores = what the program computes from them, by a few threads per row
//     max' = max(max, scores), factor = exp(max - max')
//     weights = exp(scores - max'), sum = sum * factor + weights
//     vs = the keys' values; barrier
//     results = results * factor + weights * vs; barrier
//   results, divided by the sum as the program says: epilogue, store
//
// One pass over the keys: no scores in memory, and the softmax of what is seen
// so far. Everything is read through the expression emitter.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/emitters/simt/attention/AttentionTile.h"

using namespace mlir;

namespace tensorc::codegen::simt {

FailureOr<KernelSpec> emitAttention(KernelBuilder &kernel) {
  auto pattern = findAttention(kernel.fusion, kernel.names);
  if (!pattern)
    return kernel.fusion.emitOpError("has no attention");
  AttentionRoute route = chooseRoute(*pattern, kernel.target);
  if (!route.fits())
    return kernel.fusion.emitOpError() << route.why;
  return route.onTiles ? emitTiledAttention(kernel, std::move(*pattern), route)
                       : emitPlainAttention(kernel, std::move(*pattern), route);
}

} // namespace tensorc::codegen::simt
