//===- AttentionOrder.h - Block sizes of an attention on GPUs ---*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONORDER_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONORDER_H

#include "codegen/emitters/plans/AttentionOrder.h"
#include "codegen/emitters/simt/Grid.h"

namespace tensorc::codegen::simt {

/// The size of a block, and of its tile of results.
struct AttentionBlock {
  int64_t threads, rows;
  /// Number of columns of v, including padding.
  int64_t columns;
};
/// Returns the blocks with which an attention of this order fits in shared
/// memory, the preferred one first. `queries` is the number of rows of all
/// batches, or nullopt if it is known only at run time.
llvm::SmallVector<AttentionBlock> listBlocks(const AttentionSizes &sizes,
                                             std::optional<int64_t> queries,
                                             const AttentionOrder &order,
                                             const TargetInfo &target);

/// Number of columns per thread without matrix instructions.
inline constexpr int64_t plainColumns = 4;

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONORDER_H
