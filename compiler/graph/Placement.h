//===- Placement.h - One device per expression ----------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_PLACEMENT_H
#define TENSORC_COMPILER_GRAPH_PLACEMENT_H

#include "compiler/graph/Recorder.h"

namespace tensorc::graph {

/// The error for a node some of whose operands are on different devices, with
/// their names. Takes graphMutex().
void refuseMixture(Recorder &r, const Node &node);
/// Refuses such a new node.
inline bool checkPlacement(Recorder &r, const Node &node) {
  if (!node.isMixed()) // Nearly always, for each recorded op.
    return true;
  refuseMixture(r, node);
  return false;
}

/// x where the cost model puts it: itself if that is so, else the same value.
NodeRef moveToAuto(Recorder &r, const NodeRef &x);

/// x on the device: itself if it is there, else a transfer.
NodeRef moveTo(Recorder &r, const NodeRef &x, tensorc_rt_device *device);

/// x where `like` is, if nothing has said where x is: it is made of numbers
/// alone. Then a node of its own, for others may read x elsewhere.
NodeRef placedLike(const NodeRef &x, const Node &like);

/// The transfers without a value that the roots need, operands first. Needs
/// graphMutex().
std::vector<NodeRef> pendingTransfers(llvm::ArrayRef<Node *> roots);

/// `sim:0`, as the runtime calls it.
const char *deviceName(const tensorc_rt_device *device);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_PLACEMENT_H
