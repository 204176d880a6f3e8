//===- AttentionOrder.h - What fixes the bits of an attention ---*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONORDER_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONORDER_H

#include "codegen/emitters/plans/AttentionPattern.h"
#include "codegen/kernel/TargetInfo.h"

namespace tensorc::codegen {

/// How sums are associated, by dtypes and sizes that have no name.
struct AttentionOrder {
  /// Those that one maximum is found for before sums are rescaled; 0: it does
  /// not fit, and runs as kernels of their own.
  int64_t keys = 0;
  /// Threads of a grid that share a row, each with every such key.
  int64_t lanes = 0;
  /// By instructions on tiles, or one multiply-add per element and step.
  bool onTiles = false;
  /// Why it does not fit.
  std::string why = {};

  bool fits() const { return keys != 0; }
  static AttentionOrder refuse(std::string why) {
    AttentionOrder order;
    order.why = std::move(why);
    return order;
  }
};

/// What every target asks first; empty: nothing is against it.
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
