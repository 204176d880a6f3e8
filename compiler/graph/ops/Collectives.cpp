//===- Collectives.cpp - Recording ops over several ranks -----------------===//

#include "compiler/graph/ops/Collectives.h"

#include "compiler/graph/Split.h"
#include "compiler/graph/Trace.h"
#include "ir/library/Library.h"
#include "runtime/include/tensorc/communicator.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tensorc::graph {

static int64_t numRanks() {
  return std::max(
      tensorc_rt_communicator_size(tensorc_rt_thread_communicator()), 1);
}

/// Sets the groups of ranks that a call connects.
template <typename Attributes>
static bool setRanks(Recorder &r, OpKind op, Ints groups, int64_t groupSize,
                     Attributes &attributes) {
  int64_t all = numRanks();
  attributes.ranks = groups.empty() ? all : groupSize;
  attributes.groups = groups;
  if (!groups.empty() && static_cast<int64_t>(groups.size()) != all)
    r.fail(traits(op).apiName, "the groups have " + llvm::Twine(groups.size()) +
                                   " ranks, the communicator has " +
                                   llvm::Twine(all));
  return r.error.empty();
}

static bool isDefined(Recorder &r, OpKind op, const NodeRef &x) {
  if (!x)
    r.fail(traits(op).apiName, "the operand is an undefined tensor");
  return r.error.empty();
}

static bool resolveAxis(Recorder &r, OpKind op, const NodeRef &x,
                        int64_t &axis) {
  Shape axes;
  if (!isDefined(r, op, x) ||
      !normalizeAxes(r, traits(op).apiName, *x.get(), axis, false, axes))
    return false;
  axis = axes[0];
  return true;
}

static bool checkCombiner(Recorder &r, OpKind op, const NodeRef &x,
                          Combiner combiner) {
  const char *name = traits(op).apiName;
  if (!isDefined(r, op, x) || !checkComputed(r, name, x->dtype()))
    return false;
  if (!tx::canCombine(combiner, x->dtype()))
    r.fail(name, "no " + tx::stringifyCombiner(combiner) + " of " +
                     dtypeName(x->dtype()));
  return r.error.empty();
}

NodeRef allReduce(Recorder &r, const NodeRef &x, Combiner combiner, Ints groups,
                  int64_t groupSize) {
  if (!checkCombiner(r, OpKind::AllReduce, x, combiner))
    return {};
  tx::AllReduceAttributes attributes{};
  attributes.combiner = combiner;
  if (!setRanks(r, OpKind::AllReduce, groups, groupSize, attributes))
    return {};
  return composite(r, OpKind::AllReduce, x->dtype(), x, attributes);
}

NodeRef allGather(Recorder &r, const NodeRef &x, int64_t axis, Ints groups,
                  int64_t groupSize) {
  if (!resolveAxis(r, OpKind::AllGather, x, axis))
    return {};
  tx::AllGatherAttributes attributes{};
  attributes.dim = axis;
  if (!setRanks(r, OpKind::AllGather, groups, groupSize, attributes))
    return {};
  return composite(r, OpKind::AllGather, x->dtype(), x, attributes);
}

NodeRef reduceScatter(Recorder &r, const NodeRef &x, Combiner combiner,
                      int64_t axis, Ints groups, int64_t groupSize) {
  if (!checkCombiner(r, OpKind::ReduceScatter, x, combiner) ||
      !resolveAxis(r, OpKind::ReduceScatter, x, axis))
    return {};
  tx::ReduceScatterAttributes attributes{};
  attributes.combiner = combiner;
  attributes.dim = axis;
  if (!setRanks(r, OpKind::ReduceScatter, groups, groupSize, attributes))
    return {};
  return composite(r, OpKind::ReduceScatter, x->dtype(), x, attributes);
}

NodeRef allToAll(Recorder &r, const NodeRef &x, int64_t splitAxis,
                 int64_t concatAxis, Ints groups, int64_t groupSize) {
  if (!resolveAxis(r, OpKind::AllToAll, x, splitAxis) ||
      !resolveAxis(r, OpKind::AllToAll, x, concatAxis))
    return {};
  tx::AllToAllAttributes attributes{};
  attributes.split = splitAxis;
  attributes.concat = concatAxis;
  if (!setRanks(r, OpKind::AllToAll, groups, groupSize, attributes))
    return {};
  return composite(r, OpKind::AllToAll, x->dtype(), x, attributes);
}

NodeRef collectiveBroadcast(Recorder &r, const NodeRef &x, int64_t root,
                            Ints groups, int64_t groupSize) {
  if (!isDefined(r, OpKind::CollectiveBroadcast, x))
    return {};
  tx::CollectiveBroadcastAttributes attributes{};
  attributes.root = root;
  if (!setRanks(r, OpKind::CollectiveBroadcast, groups, groupSize, attributes))
    return {};
  return composite(r, OpKind::CollectiveBroadcast, x->dtype(), x, attributes);
}

NodeRef collectivePermute(Recorder &r, const NodeRef &x, Ints sources,
                          Ints targets) {
  if (!isDefined(r, OpKind::CollectivePermute, x))
    return {};
  Shape pairs;
  for (auto [source, target] : llvm::zip_equal(sources, targets))
    pairs.append({source, target});
  tx::CollectivePermuteAttributes attributes{};
  attributes.pairs = pairs;
  attributes.ranks = numRanks();
  return composite(r, OpKind::CollectivePermute, x->dtype(), x, attributes);
}

NodeRef partitionId(Recorder &r) {
  tx::PartitionIdAttributes attributes{};
  attributes.ranks = numRanks();
  return composite(r, OpKind::PartitionId, DType::I64, {}, attributes);
}

template <typename Attributes>
static NodeRef overMesh(Recorder &r, OpKind op, const NodeRef &x, Ints mesh,
                        Ints dims) {
  if (!isDefined(r, op, x))
    return {};
  int64_t ranks = 1;
  for (int64_t size : mesh)
    if (llvm::MulOverflow(ranks, size, ranks)) {
      r.fail(traits(op).apiName, "a mesh has too many ranks");
      return {};
    }
  // On a single device, annotations for several devices have no effect.
  if (ranks != numRanks() && (op != OpKind::Shard || numRanks() > 1)) {
    r.fail(traits(op).apiName, "the mesh has " + llvm::Twine(ranks) +
                                   " devices, the communicator " +
                                   llvm::Twine(numRanks()));
    return {};
  }
  Attributes attributes{};
  attributes.mesh = mesh;
  attributes.dims = dims;
  NodeRef result = composite(r, op, x->dtype(), x, attributes);
  return result && numRanks() == 1 ? x : result;
}

NodeRef shard(Recorder &r, const NodeRef &x, Ints mesh, Ints dims) {
  return overMesh<tx::ShardAttributes>(r, OpKind::Shard, x, mesh, dims);
}

NodeRef splitLike(Recorder &r, const NodeRef &x, Node &like) {
  const Split *split = x ? partsOf(splitOf(like)) : nullptr;
  return split ? shard(r, x, split->mesh, split->dims) : x;
}

NodeRef localPart(Recorder &r, const NodeRef &x, Ints mesh, Ints dims) {
  return overMesh<tx::LocalPartAttributes>(r, OpKind::LocalPart, x, mesh, dims);
}

NodeRef joinParts(Recorder &r, const NodeRef &x, Ints mesh, Ints dims) {
  return overMesh<tx::JoinPartsAttributes>(r, OpKind::JoinParts, x, mesh, dims);
}

} // namespace tensorc::graph
