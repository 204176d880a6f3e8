//===- AttentionOrder.cpp - Order of additions in attention ---------------===//

#include "codegen/emitters/plans/AttentionOrder.h"
#include "codegen/emitters/plans/Orders.h"

using namespace mlir;

namespace tensorc::codegen {

/// Minimum number of queries for the fused kernel. With fewer queries, the
/// score matrix is small and most threads of a block would be idle.
static constexpr int64_t minRows = 8;

std::string checkAttentionSizes(const AttentionSizes &sizes) {
  if (!sizes.depth || !sizes.columns)
    return "an attention's head size has a name";
  if (sizes.rows && *sizes.rows < minRows)
    return "an attention of few queries runs faster as contractions";
  return {};
}

AttentionOrder chooseAttentionOrder(const AttentionSizes &sizes,
                                    const TargetInfo &target) {
  return target.isSimt() ? simt::chooseAttentionOrder(sizes, target)
                         : simd::chooseAttentionOrder(sizes);
}

FailureOr<tx::OrderAttr> attentionOrder(KernelBuilder &fusion) {
  auto pattern = findAttention(fusion.fusion, fusion.names);
  if (!pattern)
    return fusion.fusion.emitOpError("has no attention");
  AttentionOrder order = chooseAttentionOrder(pattern->sizes(), fusion.target);
  if (!order.fits())
    return fusion.fusion.emitOpError() << order.why;
  return tx::OrderAttr::get(fusion.b.getContext(),
                            order.onTiles ? matrixOrder : fmaOrder, order.lanes,
                            /*chunk=*/0, order.keys);
}

} // namespace tensorc::codegen
