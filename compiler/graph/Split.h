//===- Split.h - Values that are split over ranks ---------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_GRAPH_SPLIT_H
#define TENSORC_COMPILER_GRAPH_SPLIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tensorc::graph {

/// How the ranks of a mesh split values of one shape. Each axis of the mesh
/// splits a dim of the value, or none (-1), as in tx.shard.
struct Split {
  llvm::SmallVector<int64_t, 4> mesh, dims;
  llvm::SmallVector<int64_t, 4> part; // the shape of a rank's part

  int64_t numRanks() const;
  bool operator<(const Split &other) const;

  /// Returns the unique object for such values, which lives as long as the
  /// process. Returns null if all ranks have the whole value.
  static const Split *get(llvm::ArrayRef<int64_t> mesh,
                          llvm::ArrayRef<int64_t> dims,
                          llvm::ArrayRef<int64_t> shape);
};

/// Returns the Split of a value that is not the same on all ranks, such as a
/// result of local_part. It has no mesh axes: each rank has a whole value of its
/// own.
const Split *ownByRank(llvm::ArrayRef<int64_t> shape);

inline bool isOwnByRank(const Split *split) {
  return split && split->mesh.empty();
}

/// Returns the split of a value that consists of the ranks' parts, else null.
inline const Split *partsOf(const Split *split) {
  return split && !split->mesh.empty() ? split : nullptr;
}

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_SPLIT_H
