//===- Siblings.cpp - Merges kernels that read the same operands ----------===//
//
// Kernels with the same iteration space are merged unless one depends on the
// other.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/fusion/Planner.h"

#include "llvm/ADT/BitVector.h"

#include <set>

using namespace mlir;

namespace tensorc::compiler {

namespace {

/// The transitive consumers of each group. Without this table, a search for
/// each pair of siblings would take cubic time in the length of the program.
class Reachability {
public:
  /// `consumers`: for each group, the groups that read its outputs directly.
  explicit Reachability(ArrayRef<SmallVector<unsigned, 4>> consumers);

  bool areIndependent(unsigned a, unsigned b) const {
    return !below[a].test(b) && !below[b].test(a);
  }
  /// Records that `into` now also computes the outputs of `from`.
  void merge(unsigned into, unsigned from);

private:
  std::vector<llvm::BitVector> below;
};

} // namespace

Reachability::Reachability(ArrayRef<SmallVector<unsigned, 4>> consumers)
    : below(consumers.size(), llvm::BitVector(consumers.size())) {
  // A group's set is complete when the sets of its consumers are complete. The
  // traversal is depth-first without recursion, because programs may be long.
  enum State : char { Unseen, Open, Complete };
  std::vector<State> states(consumers.size(), Unseen);
  for (unsigned root = 0; root < consumers.size(); ++root) {
    SmallVector<unsigned> stack{root};
    while (!stack.empty()) {
      unsigned group = stack.back();
      if (states[group] == Unseen) {
        states[group] = Open;
        for (unsigned consumer : consumers[group])
          if (states[consumer] == Unseen)
            stack.push_back(consumer);
        continue;
      }
      stack.pop_back();
      if (states[group] == Complete)
        continue;
      states[group] = Complete;
      for (unsigned consumer : consumers[group]) {
        below[group] |= below[consumer];
        below[group].set(consumer);
      }
    }
  }
}

void Reachability::merge(unsigned into, unsigned from) {
  below[into] |= below[from];
  for (llvm::BitVector &set : below)
    if (set.test(into) || set.test(from)) {
      set |= below[into];
      set.set(into);
    }
}

static constexpr size_t maxOpsOfSiblings = 64;

llvm::SetVector<Group *> Planner::consumersOf(const Group &group) const {
  llvm::SetVector<Group *> consumers;
  SmallVector<Value> made(group.roots.begin(), group.roots.end());
  while (!made.empty()) {
    for (Operation *user : made.pop_back_val().getUsers()) {
      if (staysOutside(user))
        llvm::append_range(made, user->getResults());
      if (auto it = groupsOf.find(user); it != groupsOf.end())
        for (Group *consumer : it->second)
          if (consumer != &group)
            consumers.insert(consumer);
    }
  }
  return consumers;
}

bool Planner::mayMerge(Group &a, Group &b) const {
  return a.kind == b.kind && a.shape == b.shape && a.reduced == b.reduced &&
         !a.shape.empty() && a.kind->mayMerge(a, b) &&
         a.ops.size() + b.ops.size() <= maxOpsOfSiblings &&
         isLate(a) == isLate(b) &&
         inputsOf(a).size() + inputsOf(b).size() <= maxInputs;
}

void Planner::merge(Group &into, Group &from) {
  for (Operation *op : from.ops) {
    auto &list = groupsOf[op];
    llvm::erase(list, &from);
    if (!into.ops.insert(op))
      continue;
    into.costlyOps += isExpensive(op);
    list.push_back(&into);
  }
  into.roots.insert(from.roots.begin(), from.roots.end());
  into.notes.insert(from.notes.begin(), from.notes.end());
  into.readAnywhere.insert(from.readAnywhere.begin(), from.readAnywhere.end());
  for (auto &[value, indices] : from.reads)
    for (const Index &index : indices)
      into.addRead(value, index);
}

void Planner::mergeSiblings() {
  // The readers of each tensor, given as iterators to their groups.
  std::vector<std::list<Group>::iterator> at;
  DenseMap<const Group *, unsigned> positions;
  DenseMap<Value, SmallVector<unsigned, 2>> readersOf;
  auto tensorsOf = [&](const Group &group) {
    SmallVector<Value> inputs = inputsOf(group);
    llvm::erase_if(inputs, [](Value v) {
      auto type = dyn_cast<RankedTensorType>(v.getType());
      return !type || type.getRank() == 0;
    });
    return inputs;
  };
  for (auto group = groups.begin(); group != groups.end(); ++group) {
    for (Value v : tensorsOf(*group))
      readersOf[v].push_back(at.size());
    positions[&*group] = at.size();
    at.push_back(group);
  }
  std::vector<SmallVector<unsigned, 4>> consumers;
  for (const Group &group : groups)
    consumers.push_back(llvm::map_to_vector<4>(
        consumersOf(group), [&](Group *g) { return positions.lookup(g); }));
  Reachability reachability(consumers);
  for (unsigned a = 0; a < at.size(); ++a) {
    if (at[a] == groups.end())
      continue;
    std::set<unsigned> siblings;
    auto addSiblings = [&](const Group &group, unsigned after) {
      for (Value v : tensorsOf(group))
        for (unsigned reader : readersOf[v])
          // Merging never removes a dependence, so only groups that are
          // independent now are candidates.
          if (reader > after && reachability.areIndependent(a, reader))
            siblings.insert(reader);
    };
    addSiblings(*at[a], a);
    while (!siblings.empty()) {
      unsigned b = *siblings.begin();
      siblings.erase(siblings.begin());
      if (at[b] == groups.end() || !reachability.areIndependent(a, b) ||
          !mayMerge(*at[a], *at[b]))
        continue;
      addSiblings(*at[b], b);
      merge(*at[a], *at[b]);
      reachability.merge(a, b);
      groups.erase(std::exchange(at[b], groups.end()));
    }
  }
}

} // namespace tensorc::compiler
