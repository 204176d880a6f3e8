//===- NodeHooks.h - What happens as nodes are made and end ---------------===//
//
// Nodes know neither tapes nor packed constants; these register here.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_NODEHOOKS_H
#define TENSORC_COMPILER_GRAPH_NODEHOOKS_H

#include "llvm/ADT/SmallVector.h"

#include <atomic>

namespace tensorc::graph {

class Node;

/// Sees each node with inputs that its thread makes.
class NodeObserver {
public:
  virtual void note(Node *node) = 0;

protected:
  ~NodeObserver() = default;
};

/// Removes what is kept for a node that ends, and moves the references that
/// were kept to `dropped`.
using ForgetNode = void (*)(const Node &node,
                            llvm::SmallVectorImpl<Node *> &dropped);

namespace detail {
/// The calling thread's; null if there is none.
extern constinit thread_local NodeObserver *nodeObserver;
/// Null until something is kept for a node.
extern constinit std::atomic<ForgetNode> forgetNode;
} // namespace detail

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_NODEHOOKS_H
