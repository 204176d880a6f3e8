//===- MinimumCut.h - Which values are cheapest to keep -------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_MINIMUMCUT_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_MINIMUMCUT_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace tensorc::compiler {

/// A network whose nodes have costs. A cut is a set of nodes that every way
/// from its source to its sink leads through; this finds a cheapest one.
class MinimumCut {
public:
  static constexpr int64_t never = std::numeric_limits<int64_t>::max() / 4;

  /// Returns the node's number. `never`: it is in no cut.
  unsigned addNode(int64_t cost);
  void addEdge(unsigned from, unsigned to);
  void addSource(unsigned node) { connect(source, in(node), never); }
  void addSink(unsigned node) { connect(out(node), sink, never); }

  /// Returns the cost of the cut: at least `never` if there is none.
  int64_t solve();
  /// After solve: whether the node is in the cut; of several cuts, the one
  /// nearest to the sink.
  bool isCut(unsigned node) const {
    return behind[out(node)] && !behind[in(node)];
  }
  /// Whether it lies between the cut and the sink.
  bool isBehind(unsigned node) const { return behind[in(node)]; }

private:
  struct Edge {
    unsigned to;
    int64_t room;
  };
  static constexpr unsigned source = 0, sink = 1;
  static unsigned in(unsigned node) { return 2 + 2 * node; }
  static unsigned out(unsigned node) { return 3 + 2 * node; }

  void connect(unsigned from, unsigned to, int64_t room);
  bool findLevels();
  int64_t push();

  /// An edge and its reverse are neighbours.
  std::vector<Edge> edges;
  std::vector<llvm::SmallVector<unsigned, 4>> edgesOf{2};
  std::vector<int> level;
  std::vector<unsigned> next;
  std::vector<bool> behind;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_MINIMUMCUT_H
