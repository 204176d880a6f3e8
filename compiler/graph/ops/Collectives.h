//===- Collectives.h - Recording ops over several ranks ---------*- C++ -*-===//
//
// Ops over the ranks of the calling thread's communicator; without a
// communicator there is a single rank. `groups` lists the ranks of all groups,
// with `groupSize` ranks per group. If it is empty, all ranks are one group.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_COLLECTIVES_H
#define TENSORC_COMPILER_GRAPH_OPS_COLLECTIVES_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

using tx::Combiner;

NodeRef allReduce(Recorder &r, const NodeRef &x, Combiner combiner, Ints groups,
                  int64_t groupSize);
NodeRef allGather(Recorder &r, const NodeRef &x, int64_t axis, Ints groups,
                  int64_t groupSize);
NodeRef reduceScatter(Recorder &r, const NodeRef &x, Combiner combiner,
                      int64_t axis, Ints groups, int64_t groupSize);
NodeRef allToAll(Recorder &r, const NodeRef &x, int64_t splitAxis,
                 int64_t concatAxis, Ints groups, int64_t groupSize);
NodeRef collectiveBroadcast(Recorder &r, const NodeRef &x, int64_t root,
                            Ints groups, int64_t groupSize);
/// Pair i sends from rank sources[i] to rank targets[i].
NodeRef collectivePermute(Recorder &r, const NodeRef &x, Ints sources,
                          Ints targets);
/// Splits x over the ranks. Returns x itself if there is one rank. `dims` has,
/// for each axis of the mesh, the axis of x that it splits, or -1.
NodeRef shard(Recorder &r, const NodeRef &x, Ints mesh, Ints dims);
/// Returns x, split in the same way as an evaluation splits `like`.
NodeRef splitLike(Recorder &r, const NodeRef &x, Node &like);
/// Returns this rank's part of x; the tensor that consists of the ranks' parts.
NodeRef localPart(Recorder &r, const NodeRef &x, Ints mesh, Ints dims);
NodeRef joinParts(Recorder &r, const NodeRef &x, Ints mesh, Ints dims);
/// Returns the number of this rank, an i64 of rank 0.
NodeRef partitionId(Recorder &r);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_COLLECTIVES_H
