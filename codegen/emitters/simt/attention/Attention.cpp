//===- Attention.cpp - Online softmax(q kT) v on GPUs ---------------------===//
//
// for each tile of rows of q, by one block:
//   qs = the rows; max = -inf, sum = 0, results = 0
//   for each tile of keys:
//     ks = the keys; barrier
//     scores = qs * ks; barrier
//     scores = scores with the program's scale, bias and mask applied, by a few
//       threads per row
//     max' = max(max, scores), factor = exp(max - max')
//     weights = exp(scores - max'), sum = sum * factor + weights
//     vs = the keys' values; barrier
//     results = results * factor + weights * vs; barrier
//   divide results by sum: epilogue, store
//
// This is an online softmax (as in flash attention): one pass over the keys,
// and the scores never reach global memory. All operands are read through the
// expression emitter. Scores that stay in registers need fewer barriers, see
// RegisterAttention.cpp.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/emitters/simt/attention/AttentionTile.h"
#include "codegen/kernel/SumLayout.h"

using namespace mlir;

namespace tensorc::codegen::simt {

/// Returns the number of rows of all batches, if it is known.
static std::optional<int64_t> countQueries(const AttentionPattern &pattern,
                                           tx::DimSpace &names) {
  int64_t queries = 1;
  SmallVector<AffineExpr> shape = pattern.shape(names);
  // A column is the dim between the query and the key.
  for (AffineExpr size : ArrayRef(shape).take_front(pattern.keyDim() - 1)) {
    auto known = dyn_cast<AffineConstantExpr>(size);
    if (!known)
      return std::nullopt;
    queries *= known.getValue();
  }
  return queries;
}

static FailureOr<Offers> offerBlocks(KernelBuilder &fusion, tx::OrderAttr) {
  auto pattern = findAttention(fusion.fusion, fusion.names);
  AttentionSizes sizes = pattern->sizes();
  AttentionOrder order = simt::chooseAttentionOrder(sizes, fusion.target);
  Offers offers;
  for (AttentionBlock block : listBlocks(
           sizes, countQueries(*pattern, fusion.names), order, fusion.target))
    offers.push_back({{"rows", block.rows},
                      {"columns", block.columns},
                      {"threads", block.threads}});
  return offers;
}

template <bool onTiles>
static bool isOfClass(KernelBuilder &, tx::OrderAttr order) {
  return order.getInstruction() == (onTiles ? matrixOrder : fmaOrder);
}

static FailureOr<KernelSpec> emitOnTiles(KernelBuilder &kernel,
                                         AttentionPattern pattern) {
  if (hasSumLayout(kernel.target.getMatrixUnit()))
    return emitRegisterAttention(kernel, std::move(pattern));
  return emitTiledAttention(kernel, std::move(pattern));
}

template <auto emitPattern>
static FailureOr<EmittedKernels> emitWith(KernelBuilder &kernel) {
  auto pattern = findAttention(kernel.fusion, kernel.names);
  return single(emitPattern(kernel, std::move(*pattern)));
}

const Skeleton tiledAttention = {
    "mma",       tx::kinds::attention,  isOfClass<true>,
    offerBlocks, emitWith<emitOnTiles>, attentionOrder};
const Skeleton plainAttention = {
    "fma",       tx::kinds::attention,         isOfClass<false>,
    offerBlocks, emitWith<emitPlainAttention>, attentionOrder};

} // namespace tensorc::codegen::simt
