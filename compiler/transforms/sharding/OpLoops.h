//===- OpLoops.h - The loops of an op that a mesh splits ------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_OPLOOPS_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_OPLOOPS_H

#include "compiler/transforms/sharding/ShardingRule.h"

namespace tensorc::compiler::sharding {

/// For each axis of the mesh, the loop of an op that the axis splits, or -1.
class OpLoops {
public:
  /// Chooses a loop for each axis from the shardings of the operands and
  /// results. The preferences are, in this order: a loop whose parts are
  /// combined, if the axis splits it in each operand that has it; the loop that
  /// the axis splits in a result; the loop that it splits in an operand; a loop
  /// whose parts are combined.
  static OpLoops choose(const Mesh &mesh, mlir::Operation *op,
                        const ShardingRule &rule,
                        llvm::ArrayRef<Sharding> operands,
                        llvm::ArrayRef<Sharding> results);

  /// Splits no loop.
  static OpLoops whole(const Mesh &mesh);

  /// Returns the sharding of an operand or a result with these loops.
  Sharding shardingOf(llvm::ArrayRef<int64_t> value) const;
  int64_t operator[](size_t axis) const { return loops[axis]; }
  bool isWhole() const {
    return llvm::all_of(loops, [](int64_t loop) { return loop < 0; });
  }

private:
  llvm::SmallVector<int64_t, 4> loops;
};

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_OPLOOPS_H
