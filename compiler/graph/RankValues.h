//===- RankValues.h - Values that differ between ranks ----------*- C++ -*-===//
#ifndef TENSORC_COMPILER_GRAPH_RANKVALUES_H
#define TENSORC_COMPILER_GRAPH_RANKVALUES_H

#include "compiler/graph/Split.h"

#include <mutex>
#include <set>

namespace tensorc::graph {

/// Returns the Split of a value that is not the same on all ranks, such as a
/// result of local_part. It has no mesh axes: each rank has a whole value of its
/// own.
inline const Split *ownByRank(llvm::ArrayRef<int64_t> shape) {
  static std::mutex mutex;
  // Never destroyed, because nodes may outlive it at exit.
  static auto *all = new std::set<Split>;
  std::scoped_lock lock(mutex);
  Split own{{}, {}, llvm::SmallVector<int64_t, 4>(shape)};
  return &*all->insert(std::move(own)).first;
}

inline bool isOwnByRank(const Split *split) {
  return split && split->mesh.empty();
}

/// Returns the split of a value that consists of the ranks' parts, else null.
inline const Split *partsOf(const Split *split) {
  return split && !split->mesh.empty() ? split : nullptr;
}

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_RANKVALUES_H
