//===- RankLocal.h - Values that differ between ranks ---------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_RANKLOCAL_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_RANKLOCAL_H

#include "ir/library/Library.h"

#include "llvm/ADT/DenseSet.h"

namespace tensorc::compiler::sharding {

/// The values of a program that differ between ranks. They must not be sharded,
/// because their parts would belong to different tensors.
class RankLocal {
public:
  explicit RankLocal(mlir::Block &block);

  /// True if a value differs between ranks, or is computed only as an operand
  /// of a tx.join_parts or a collective, whose operands may differ between
  /// ranks.
  bool contains(mlir::Value value) const {
    return differing.contains(value) || collected.contains(value);
  }
  /// True if each rank must compute the whole op.
  bool computes(mlir::Operation *op) const;

  /// True if blocks of an op contain collectives or parts of values.
  static bool hasParts(mlir::Operation *op);

private:
  /// Values that differ between ranks: results of tx.local_part,
  /// tx.partition_id and collectives, arguments that are parts of a
  /// tx.join_parts, and all values computed from these.
  llvm::DenseSet<mlir::Value> differing;
  /// Values from which operands of tx.join_parts and collectives are computed.
  llvm::DenseSet<mlir::Value> collected;

  void collect(mlir::Operation *user);
};

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_RANKLOCAL_H
