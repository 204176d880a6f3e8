//===- AttentionOrder.h - Order of additions of an attention ----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONORDER_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONORDER_H

#include "codegen/emitters/plans/AttentionPattern.h"
#include "codegen/kernel/TargetInfo.h"

namespace tensorc::codegen {

/// The order of additions of an attention. It depends on dtypes and static
/// sizes only.
struct AttentionOrder {
  /// Number of keys per block. Sums are rescaled once per block, by its
  /// maximum. 0 if no block fits; the attention then runs as separate kernels.
  int64_t keys = 0;
  /// Number of threads of a grid that share a row: thread i takes keys i, i +
  /// lanes, ...
  int64_t lanes = 0;
  /// True if matrix instructions compute the products, false if multiply-adds
  /// do.
  bool onTiles = false;
  /// The reason why no block fits.
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
