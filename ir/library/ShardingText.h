//===- ShardingText.h - Shardings in the syntax of XLA's HLO ----*- C++ -*-===//
#ifndef TENSORC_IR_LIBRARY_SHARDINGTEXT_H
#define TENSORC_IR_LIBRARY_SHARDINGTEXT_H

#include "ir/library/Mesh.h"

namespace tensorc::tx {

/// Returns how a tensor is split over ranks, in the syntax of XLA's HLO, such as
/// `{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}` or `{replicated}`. `counts`
/// are the numbers of parts along each dim, and of addends if `hasAddends`.
/// `partOf` returns the indices of a rank's part, one per count.
std::string
shardingText(llvm::ArrayRef<int64_t> counts, bool hasAddends, int64_t ranks,
             llvm::function_ref<llvm::SmallVector<int64_t>(int64_t)> partOf);
/// Returns the sharding of a tensor of this rank in the same syntax.
std::string shardingText(const Mesh &mesh, const Sharding &sharding,
                         int64_t rank);

} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_SHARDINGTEXT_H
