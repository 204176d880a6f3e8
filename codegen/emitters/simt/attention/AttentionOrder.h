//===- AttentionOrder.h - What fixes the bits of an attention ---*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONORDER_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONORDER_H

#include "codegen/emitters/plans/AttentionPattern.h"
#include "codegen/kernel/TargetInfo.h"

namespace tensorc::codegen::simt {

/// How sums are associated, by dtypes and sizes that have no name.
struct AttentionOrder {
  /// Those that one maximum is found for before sums are rescaled; 0: it does
  /// not fit, and runs as kernels of their own.
  int64_t keys = 0;
  /// Threads that share a row, each with every such key.
  int64_t lanes = 0;
  /// By instructions on tiles, or one multiply-add per element and step.
  bool onTiles = false;
  /// Why it does not fit.
  std::string why = {};

  bool fits() const { return keys != 0; }
};

AttentionOrder chooseAttentionOrder(const AttentionSizes &sizes,
                                    const TargetInfo &target);

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
