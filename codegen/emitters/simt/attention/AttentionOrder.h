//===- AttentionOrder.h - Blocks that give an order room --------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONORDER_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONORDER_H

#include "codegen/emitters/plans/AttentionOrder.h"

namespace tensorc::codegen::simt {

/// What a block works on.
struct AttentionBlock {
  int64_t threads, rows;
  /// Of v, with what pads them.
  int64_t columns;
};
/// Blocks that give an attention of this order room in shared memory, the
/// choice first.
llvm::SmallVector<AttentionBlock> listBlocks(const AttentionSizes &sizes,
                                             const AttentionOrder &order,
                                             const TargetInfo &target);

/// Between rows of elements in shared memory beyond their own; of tiles, and of
/// sums.
constexpr int64_t tilePadding = 8, sumPadding = 4;

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONORDER_H
