//===- AttentionOrder.h - Order of additions in attention -------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONORDER_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONORDER_H

#include "codegen/emitters/plans/AttentionPattern.h"
#include "codegen/kernel/TargetInfo.h"

namespace tensorc::codegen {

/// The order in which an attention adds. It depends only on dtypes and static
/// sizes.
struct AttentionOrder {
  /// Number of keys per block. The running sums are rescaled once per block,
  /// when its maximum is known. 0 if no block size fits; the attention then
  /// runs as separate kernels.
  int64_t keys = 0;
  /// On GPUs, the number of threads that share a row of scores. Each adds its
  /// own weights, and the sums are then added by shuffles.
  int64_t lanes = 0;
  /// True if the products use matrix instructions, false if they use FMAs.
  bool onTiles = false;
  /// The reason why `keys` is 0.
  std::string why = {};

  bool fits() const { return keys != 0; }
  static AttentionOrder refuse(std::string why) {
    AttentionOrder order;
    order.why = std::move(why);
    return order;
  }
};

/// Returns the reason why no target can fuse an attention of these sizes, or an
/// empty string.
std::string checkAttentionSizes(const AttentionSizes &sizes);

AttentionOrder chooseAttentionOrder(const AttentionSizes &sizes,
                                    const TargetInfo &target);

namespace simd {
AttentionOrder chooseAttentionOrder(const AttentionSizes &sizes);
} // namespace simd

namespace simt {
AttentionOrder chooseAttentionOrder(const AttentionSizes &sizes,
                                    const TargetInfo &target);
} // namespace simt

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONORDER_H
