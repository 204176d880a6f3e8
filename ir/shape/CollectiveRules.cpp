//===- CollectiveRules.cpp - Shape rules of collectives -------------------===//

#include "ir/shape/LibraryRules.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tensorc::shape {

/// Checks that each rank is in exactly one group, and that each group consists
/// of `ranks` ranks.
static void requireGroups(InferredShape &result, int64_t ranks,
                          Numbers groups) {
  int64_t size = static_cast<int64_t>(groups.size());
  if (size % ranks) {
    result.refuse("groups of " + Twine(size) + " ranks have not " +
                  Twine(ranks) + " each");
    return;
  }
  SmallVector<bool> isSeen(size);
  for (int64_t rank : groups) {
    if (rank < 0 || rank >= size || isSeen[rank]) {
      result.refuse("the groups do not name each of the ranks 0 to " +
                    Twine(size - 1) + " once: " + Twine(rank));
      return;
    }
    isSeen[rank] = true;
  }
}

InferredShape inferOverRanks(Dims x, int64_t ranks, Numbers groups) {
  InferredShape result;
  result.dims.assign(x.begin(), x.end());
  if (ranks < 1)
    result.refuse("needs at least one rank, not " + Twine(ranks));
  else
    requireGroups(result, ranks, groups);
  return result;
}

static bool requireSplitDim(InferredShape &result, Dims x, int64_t dim) {
  if (result.isRefused())
    return false;
  if (dim >= 0 && dim < static_cast<int64_t>(x.size()))
    return true;
  return result.refuse("dimension " + Twine(dim) + " is out of range for " +
                       shapeText(x));
}

/// Replaces the dim by a rank's part of it.
static void divide(InferredShape &result, Dims x, int64_t dim, int64_t ranks) {
  Dim part = floorDiv(x[dim], ranks);
  result.dims[dim] = part;
  result.requireEqualInRun(part * ranks, x[dim], [&] {
    return (Twine(ranks) + " ranks do not divide dimension " + Twine(dim) +
            " of " + shapeText(x) + ": pad it to a multiple")
        .str();
  });
}

InferredShape inferAllGather(Dims x, int64_t dim, int64_t ranks,
                             Numbers groups) {
  InferredShape result = inferOverRanks(x, ranks, groups);
  if (requireSplitDim(result, x, dim))
    result.dims[dim] = x[dim] * ranks;
  return result;
}

InferredShape inferReduceScatter(Dims x, int64_t dim, int64_t ranks,
                                 Numbers groups) {
  InferredShape result = inferOverRanks(x, ranks, groups);
  if (requireSplitDim(result, x, dim))
    divide(result, x, dim, ranks);
  return result;
}

InferredShape inferAllToAll(Dims x, int64_t split, int64_t concat,
                            int64_t ranks, Numbers groups) {
  InferredShape result = inferOverRanks(x, ranks, groups);
  if (!requireSplitDim(result, x, split) || !requireSplitDim(result, x, concat))
    return result;
  divide(result, x, split, ranks);
  if (!result.isRefused())
    result.dims[concat] = result.dims[concat] * ranks;
  return result;
}

static bool requireRank(InferredShape &result, int64_t rank, int64_t ranks) {
  if (result.isRefused())
    return false;
  if (rank >= 0 && rank < ranks)
    return true;
  return result.refuse("rank " + Twine(rank) + " is not one of the " +
                       Twine(ranks) + " ranks");
}

InferredShape inferFromRank(Dims x, int64_t root, int64_t ranks,
                            Numbers groups) {
  InferredShape result = inferOverRanks(x, ranks, groups);
  requireRank(result, root, ranks);
  return result;
}

InferredShape inferPermute(Dims x, Numbers pairs, int64_t ranks) {
  InferredShape result = inferOverRanks(x, ranks, {});
  if (pairs.size() % 2) {
    result.refuse("a pair has no target");
    return result;
  }
  SmallVector<int64_t> seen[2];
  for (auto [i, rank] : enumerate(pairs)) {
    if (!requireRank(result, rank, ranks))
      return result;
    if (is_contained(seen[i % 2], rank)) {
      result.refuse("rank " + Twine(rank) + " is a " +
                    (i % 2 ? "target" : "source") + " twice");
      return result;
    }
    seen[i % 2].push_back(rank);
  }
  return result;
}

/// Returns the number of parts of each dim of x, or an empty list if the rule
/// rejects the operands.
static SmallVector<int64_t> partsOf(InferredShape &result, Dims x, Numbers mesh,
                                    Numbers dims) {
  result.dims.assign(x.begin(), x.end());
  if (mesh.size() != dims.size()) {
    result.refuse("the mesh has " + Twine(mesh.size()) +
                  " axes, a dimension is given for " + Twine(dims.size()));
    return {};
  }
  SmallVector<int64_t> parts(x.size(), 1);
  int64_t ranks = 1;
  for (auto [size, dim] : zip_equal(mesh, dims)) {
    if (size < 1)
      result.refuse("a mesh axis has no size " + Twine(size));
    else if (MulOverflow(ranks, size, ranks))
      result.refuse("a mesh has too many ranks");
    else if (dim != -1 && requireSplitDim(result, x, dim))
      parts[dim] *= size;
    if (result.isRefused())
      return {};
  }
  return parts;
}

InferredShape inferShard(Dims x, Numbers mesh, Numbers dims) {
  InferredShape result;
  for (auto [i, parts] : enumerate(partsOf(result, x, mesh, dims))) {
    if (parts == 1)
      continue;
    // A run checks sizes that only it knows.
    if (x[i].isNumber() && *x[i].number() % parts)
      result.refuse("dimension " + Twine(i) + " of " + shapeText(x) +
                    " has no " + Twine(parts) +
                    " equal parts: pad it to a multiple, or leave it whole");
  }
  return result;
}

InferredShape inferLocalPart(Dims x, Numbers mesh, Numbers dims) {
  InferredShape result = inferShard(x, mesh, dims);
  if (result.isRefused())
    return result;
  for (auto [i, parts] : enumerate(partsOf(result, x, mesh, dims)))
    result.dims[i] = floorDiv(x[i], parts);
  return result;
}

InferredShape inferJoinParts(Dims x, Numbers mesh, Numbers dims) {
  InferredShape result;
  for (auto [i, parts] : enumerate(partsOf(result, x, mesh, dims)))
    result.dims[i] = x[i] * parts;
  return result;
}

} // namespace tensorc::shape
