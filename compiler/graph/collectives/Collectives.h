//===- Collectives.h - Recording ops over several ranks ---------*- C++ -*-===//
//
// The ranks are those of the calling thread's communicator; one if it has none.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_COLLECTIVES_COLLECTIVES_H
#define TENSORC_COMPILER_GRAPH_COLLECTIVES_COLLECTIVES_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

using tx::Combiner;

NodeRef allReduce(Recorder &r, const NodeRef &x, Combiner combiner);
NodeRef allGather(Recorder &r, const NodeRef &x, int64_t axis);
NodeRef reduceScatter(Recorder &r, const NodeRef &x, Combiner combiner,
                      int64_t axis);
NodeRef allToAll(Recorder &r, const NodeRef &x, int64_t splitAxis,
                 int64_t concatAxis);
NodeRef collectiveBroadcast(Recorder &r, const NodeRef &x, int64_t root);
/// The pairs are sources[i], targets[i].
NodeRef collectivePermute(Recorder &r, const NodeRef &x, Ints sources,
                          Ints targets);
/// The number of this rank, an i64 of rank 0.
NodeRef partitionId(Recorder &r);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_COLLECTIVES_COLLECTIVES_H
