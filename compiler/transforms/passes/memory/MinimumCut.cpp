//===- MinimumCut.cpp - Minimum vertex cuts by Dinic's algorithm ----------===//

#include "compiler/transforms/passes/memory/MinimumCut.h"

#include <algorithm>

namespace tensorc::compiler {

unsigned MinimumCut::addNode(int64_t cost) {
  auto node = static_cast<unsigned>(edgesOf.size() / 2 - 1);
  edgesOf.resize(edgesOf.size() + 2);
  connect(in(node), out(node), cost);
  return node;
}

void MinimumCut::addEdge(unsigned from, unsigned to) {
  connect(out(from), in(to), never);
}

void MinimumCut::connect(unsigned from, unsigned to, int64_t room) {
  edgesOf[from].push_back(edges.size());
  edges.push_back({to, room});
  edgesOf[to].push_back(edges.size());
  edges.push_back({from, 0});
}

/// Sets each node's distance from the source in the residual network. Returns
/// false if the sink is not reachable.
bool MinimumCut::findLevels() {
  level.assign(edgesOf.size(), -1);
  level[source] = 0;
  std::vector<unsigned> queue{source};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned e : edgesOf[queue[i]])
      if (edges[e].room > 0 && level[edges[e].to] < 0) {
        level[edges[e].to] = level[queue[i]] + 1;
        queue.push_back(edges[e].to);
      }
  return level[sink] >= 0;
}

/// Augments one path from the source to the sink. The search is iterative,
/// because paths may be long.
int64_t MinimumCut::push() {
  std::vector<unsigned> path;
  unsigned at = source;
  while (at != sink) {
    bool goesOn = false;
    for (unsigned &i = next[at]; i < edgesOf[at].size(); ++i) {
      const Edge &edge = edges[edgesOf[at][i]];
      if (edge.room > 0 && level[edge.to] == level[at] + 1) {
        path.push_back(edgesOf[at][i]);
        at = edge.to;
        goesOn = true;
        break;
      }
    }
    if (goesOn)
      continue;
    if (path.empty())
      return 0;
    at = edges[path.back() ^ 1].to;
    path.pop_back();
    ++next[at];
  }
  int64_t room = never;
  for (unsigned e : path)
    room = std::min(room, edges[e].room);
  for (unsigned e : path) {
    edges[e].room -= room;
    edges[e ^ 1].room += room;
  }
  return room;
}

int64_t MinimumCut::solve() {
  int64_t cost = 0;
  while (cost < never && findLevels()) {
    next.assign(edgesOf.size(), 0);
    while (int64_t room = push()) {
      cost += room;
      if (cost >= never)
        break;
    }
  }
  reachesSink.assign(edgesOf.size(), false);
  reachesSink[sink] = true;
  std::vector<unsigned> queue{sink};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned e : edgesOf[queue[i]])
      if (unsigned from = edges[e].to;
          edges[e ^ 1].room > 0 && !reachesSink[from]) {
        reachesSink[from] = true;
        queue.push_back(from);
      }
  return cost;
}

} // namespace tensorc::compiler
