//===- SplitRegion.h - Ops that can compute a batch in parts --------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_SPLITREGION_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_SPLITREGION_H

#include "ir/tx/Tx.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tensorc::compiler::sharding {

/// For some values, the dim that is split into parts.
using SplitDims = llvm::DenseMap<mlir::Value, int64_t>;

/// The dim of each operand and result of an op that is split into parts; -1 for
/// an operand that each part needs as a whole.
struct SplitOp {
  llvm::SmallVector<int64_t> operands, results;
};

/// Fusions and reshapes of one block that can compute the parts of a batch one
/// after the other. Part i of each result depends only on part i of the split
/// operands, so that no reduction is split. No value leaves the region and
/// comes back to it. The parts of values from outside, and of values that are
/// used outside, are contiguous in memory, or are copied.
class SplitRegion {
public:
  /// Finds the region that computes the value in parts along the dim. Returns
  /// nullopt if there is none.
  static std::optional<SplitRegion> find(mlir::Value value, int64_t dim,
                                         int64_t parts);
  /// Returns the region without the ops after `last`. Returns nullopt if the
  /// value is not computed in parts then.
  std::optional<SplitRegion> upTo(mlir::Operation *last,
                                  mlir::Value value) const;

  int64_t parts() const { return numParts; }
  bool contains(mlir::Operation *op) const {
    return op && members.contains(op);
  }
  const SplitOp &split(mlir::Operation *op) const {
    return members.find(op)->second;
  }
  /// True if the parts of a value along the dim are not contiguous and aligned,
  /// so that they need memory of their own.
  bool copiesParts(mlir::Value value, int64_t dim) const;
  /// True if an op outside the region, or a return, uses the value.
  bool isUsedOutside(mlir::Value value) const;
  /// Returns the ops of the region in the order of the block.
  llvm::SmallVector<mlir::Operation *> ops() const;
  /// Returns the split dims of the values inside a fusion of the region.
  SplitDims dimsInside(mlir::Operation *fusion) const;

private:
  SplitRegion(mlir::Block &block, int64_t parts)
      : block(&block), numParts(parts) {}
  void grow(mlir::Value value, int64_t dim);
  void keepLevelOf(mlir::Operation *op);
  bool narrow(mlir::Operation *kept);
  bool hasValidBorder(mlir::Operation *op) const;

  mlir::Block *block;
  int64_t numParts;
  llvm::DenseMap<mlir::Operation *, SplitOp> members;
};

} // namespace tensorc::compiler::sharding

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_SPLITREGION_H
