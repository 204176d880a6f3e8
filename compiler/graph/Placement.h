//===- Placement.h - One device per expression ----------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_PLACEMENT_H
#define TENSORC_COMPILER_GRAPH_PLACEMENT_H

#include "compiler/graph/Recorder.h"

namespace tensorc::graph {

/// Reports an error, with the devices' names, for a node whose operands are on
/// different devices. Locks graphMutex().
void refuseMixture(Recorder &r, const Node &node);
/// Reports an error and returns false if the operands of a new node are on
/// different devices.
inline bool checkPlacement(Recorder &r, const Node &node) {
  // Nearly always true; checked first because recording calls this often.
  if (!node.isMixed())
    return true;
  refuseMixture(r, node);
  return false;
}

/// Returns a node with the value of x whose device the cost model chooses: x
/// itself if that is already the case.
NodeRef moveToAuto(Recorder &r, const NodeRef &x);

/// Returns x on the device: x itself if it is there, else a transfer.
NodeRef moveTo(Recorder &r, const NodeRef &x, tensorc_rt_device *device);

/// If x is computed only from scalars and thus has no device, returns a new
/// node with the value of x on the device of `like`. It must be a new node
/// because other ops may read x on another device.
NodeRef placedLike(const NodeRef &x, const Node &like);

/// Returns the transfers that the roots need and that have no value yet,
/// operands first. The caller must hold graphMutex().
std::vector<NodeRef> pendingTransfers(llvm::ArrayRef<Node *> roots);

/// Returns the runtime's name of the device, such as `sim:0`.
const char *deviceName(const tensorc_rt_device *device);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_PLACEMENT_H
