//===- NodeHooks.h - Callbacks when nodes are made and destroyed ----------===//
//
// Nodes do not depend on tapes and packed constants, which register callbacks
// here.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_NODEHOOKS_H
#define TENSORC_COMPILER_GRAPH_NODEHOOKS_H

#include "llvm/ADT/SmallVector.h"

#include <atomic>

namespace tensorc::graph {

class Node;

/// Is notified of each node with inputs that its thread makes.
class NodeObserver {
public:
  virtual void note(Node *node) = 0;

protected:
  ~NodeObserver() = default;
};

/// Removes data stored for a node that is being destroyed, and moves the
/// references in this data to `dropped`.
using ForgetNode = void (*)(const Node &node,
                            llvm::SmallVectorImpl<Node *> &dropped);

namespace detail {
/// The calling thread's observer; null if there is none.
extern constinit thread_local NodeObserver *nodeObserver;
/// Null until data is stored for some node.
extern constinit std::atomic<ForgetNode> forgetNode;
} // namespace detail

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_NODEHOOKS_H
