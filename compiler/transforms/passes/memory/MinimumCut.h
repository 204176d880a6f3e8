//===- MinimumCut.h - Minimum vertex cuts of a network --------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_MINIMUMCUT_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_MINIMUMCUT_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace tensorc::compiler {

/// A network whose nodes have costs. A cut is a set of nodes that meets every
/// path from source to sink. This class finds a cut of minimum cost.
class MinimumCut {
public:
  static constexpr int64_t never = std::numeric_limits<int64_t>::max() / 4;

  /// Adds a node and returns its number. A node of cost `never` is in no cut.
  unsigned addNode(int64_t cost);
  void addEdge(unsigned from, unsigned to);
  void addSource(unsigned node) { connect(source, in(node), never); }
  void addSink(unsigned node) { connect(out(node), sink, never); }

  /// Computes a minimum cut and returns its cost, which is at least `never` if
  /// there is none.
  int64_t solve();
  /// After solve: true if the node is in the cut. If there are several minimum
  /// cuts, the one closest to the sink is returned.
  bool isCut(unsigned node) const {
    return reachesSink[out(node)] && !reachesSink[in(node)];
  }
  /// After solve: true if the node is between the cut and the sink.
  bool isAfterCut(unsigned node) const { return reachesSink[in(node)]; }

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

  /// Edge 2i and its reverse 2i + 1 are adjacent.
  std::vector<Edge> edges;
  std::vector<llvm::SmallVector<unsigned, 4>> edgesOf{2};
  std::vector<int> level;
  std::vector<unsigned> next;
  std::vector<bool> reachesSink;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_MINIMUMCUT_H
