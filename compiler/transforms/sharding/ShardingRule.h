//===- ShardingRule.h - Sharding rules of ops -----------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_SHARDINGRULE_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_SHARDINGRULE_H

#include "compiler/transforms/sharding/MeshOf.h"

namespace tensorc::compiler::sharding {

/// The loops of an op whose iterations are independent, or whose results are
/// combined at the end. If an axis of the mesh splits a loop, each rank runs
/// the same op on its part of all dims that belong to the loop.
struct ShardingRule {
  struct Loop {
    /// The number of parts must divide this number: the size, or a divisor of it
    /// if only a run knows the size.
    int64_t size;
    /// Set if no result has the loop. It combines the results of the ranks.
    std::optional<tx::Combiner> combiner;
  };
  llvm::SmallVector<Loop> loops;
  /// The loop of each dim of each operand and result; -1 if the dim cannot be
  /// split.
  llvm::SmallVector<llvm::SmallVector<int64_t>> operands, results;

  /// Returns the dim of a value that belongs to a loop, or -1.
  static int64_t dimOf(llvm::ArrayRef<int64_t> value, int64_t loop) {
    auto found = llvm::find(value, loop);
    return loop < 0 || found == value.end() ? -1 : found - value.begin();
  }
};

/// Returns the rule of an op. Unknown ops have no loops, so their operands and
/// results are not split.
ShardingRule shardingRuleOf(mlir::Operation *op);

/// True if a composite has its own rule. Other composites are partitioned by
/// their expansions.
bool hasShardingRule(mlir::Operation *composite);

/// Changes sizes in the attributes of a rank's op to the sizes of its parts.
void setLocalSizes(mlir::Operation *op);

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_SHARDINGRULE_H
