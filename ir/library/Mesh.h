//===- Mesh.h - Grids of ranks and shardings of tensors -------------------===//
#ifndef TENSORC_IR_LIBRARY_MESH_H
#define TENSORC_IR_LIBRARY_MESH_H

#include "ir/library/Library.h"

namespace tensorc::tx {

/// For each axis of the mesh, the dim that it splits, or -1. If several axes
/// split one dim, the first is the outermost.
using Sharding = llvm::SmallVector<int64_t, 4>;

inline bool isWhole(const Sharding &sharding) {
  return llvm::all_of(sharding, [](int64_t dim) { return dim < 0; });
}

/// Returns the sharding of a tx.shard, tx.local_part or tx.join_parts.
template <typename Op> Sharding shardingOf(Op op) {
  return Sharding(op.getDims().begin(), op.getDims().end());
}

/// A grid of ranks in row-major order.
struct Mesh {
  llvm::SmallVector<int64_t> sizes;
  /// Names of the axes for messages. Empty where no messages are produced.
  llvm::SmallVector<std::string> names = {};

  Sharding whole() const { return Sharding(sizes.size(), -1); }
  int64_t numRanks() const { return stride(-1); }
  /// Returns the distance between ranks that are neighbours along an axis.
  int64_t stride(int64_t axis) const;
  /// Returns the number of ranks that differ only along these axes.
  int64_t size(llvm::ArrayRef<int64_t> axes) const;
  /// Returns the groups of such ranks, one after another. The first axis is the
  /// outermost. Returns an empty list if there is only one group.
  llvm::SmallVector<int64_t> groups(llvm::ArrayRef<int64_t> axes) const;
  /// Returns the axes that split a dim.
  llvm::SmallVector<int64_t> axesOf(const Sharding &sharding,
                                    int64_t dim) const;
  /// Returns the type of a rank's part.
  mlir::RankedTensorType localType(mlir::RankedTensorType type,
                                   const Sharding &sharding) const;
  /// Return texts for messages: `data` for axes, and `[data -]` for a sharding.
  std::string text(llvm::ArrayRef<int64_t> axes) const;
  std::string text(const Sharding &sharding, int64_t rank) const;

  /// Returns this rank's part of x along a dim that these axes split.
  mlir::Value slice(mlir::OpBuilder &b, mlir::Value x, int64_t dim,
                    llvm::ArrayRef<int64_t> axes) const;
};

} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_MESH_H
