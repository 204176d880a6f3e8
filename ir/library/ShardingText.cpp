//===- ShardingText.cpp - Shardings in the syntax of XLA's HLO ------------===//

#include "ir/library/ShardingText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tensorc::tx {

std::string
shardingText(ArrayRef<int64_t> counts, bool hasAddends, int64_t ranks,
             llvm::function_ref<SmallVector<int64_t>(int64_t)> partOf) {
  int64_t parts = 1;
  for (int64_t count : counts)
    parts *= count;
  if (parts == 1)
    return "{replicated}";
  SmallVector<int64_t> sizes(counts);
  int64_t copies = ranks / parts; // of each part
  if (copies > 1)
    sizes.push_back(copies);
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "{devices=[";
  llvm::interleave(sizes, out, ",");
  out << ']';
  // Ranks are listed in the order of their parts.
  std::vector<std::pair<SmallVector<int64_t>, int64_t>> order;
  for (int64_t rank = 0; rank < ranks; ++rank)
    order.emplace_back(partOf(rank), rank);
  llvm::sort(order);
  llvm::interleave(order, out, [&](auto &each) { out << each.second; }, ",");
  if (hasAddends)
    out << " last_tile_dims={unreduced" << (copies > 1 ? ", replicated}" : "}");
  else if (copies > 1)
    out << " last_tile_dim_replicate";
  out << '}';
  return text;
}

std::string shardingText(const Mesh &mesh, const Sharding &sharding,
                         int64_t rank) {
  SmallVector<SmallVector<int64_t>> axes;
  SmallVector<int64_t> counts;
  for (int64_t dim = 0; dim < rank; ++dim) {
    axes.push_back(mesh.axesOf(sharding, dim));
    counts.push_back(mesh.size(axes.back()));
  }
  return shardingText(
      counts, /*hasAddends=*/false, mesh.numRanks(), [&](int64_t device) {
        return llvm::map_to_vector(axes, [&](auto &list) {
          int64_t part = 0;
          for (int64_t axis : list)
            part = part * mesh.sizes[axis] +
                   device / mesh.stride(axis) % mesh.sizes[axis];
          return part;
        });
      });
}

} // namespace tensorc::tx
