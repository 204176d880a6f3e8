//===- Split.cpp - Values that are split over ranks -----------------------===//

#include "compiler/graph/Split.h"

#include "llvm/ADT/STLExtras.h"

#include <mutex>
#include <set>
#include <tuple>

namespace tensorc::graph {

int64_t Split::numRanks() const { return llvm::product_of(mesh, int64_t(1)); }

bool Split::operator<(const Split &other) const {
  return std::tie(mesh, dims, part) <
         std::tie(other.mesh, other.dims, other.part);
}

/// Returns the object that is equal to the split and lives as long as the
/// process.
static const Split *unique(Split split) {
  static std::mutex mutex;
  // Never destroyed, because nodes may outlive it at exit.
  static auto *all = new std::set<Split>;
  std::scoped_lock lock(mutex);
  return &*all->insert(std::move(split)).first;
}

const Split *ownByRank(llvm::ArrayRef<int64_t> shape) {
  return unique({{}, {}, llvm::SmallVector<int64_t, 4>(shape)});
}

const Split *Split::get(llvm::ArrayRef<int64_t> mesh,
                        llvm::ArrayRef<int64_t> dims,
                        llvm::ArrayRef<int64_t> shape) {
  bool isSplit = llvm::any_of(llvm::zip_equal(mesh, dims), [](auto axis) {
    return std::get<0>(axis) > 1 && std::get<1>(axis) >= 0;
  });
  if (!isSplit)
    return nullptr;
  Split split{llvm::SmallVector<int64_t, 4>(mesh),
              llvm::SmallVector<int64_t, 4>(dims),
              llvm::SmallVector<int64_t, 4>(shape)};
  for (auto [size, dim] : llvm::zip_equal(mesh, dims))
    if (dim >= 0)
      split.part[dim] /= size;
  return unique(std::move(split));
}

} // namespace tensorc::graph
