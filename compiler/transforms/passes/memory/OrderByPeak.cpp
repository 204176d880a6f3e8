//===- OrderByPeak.cpp - The order of launches that needs least memory ----===//
//
// Finding the best order is NP-hard. Two list schedules are tried: forwards,
// each time the ready step after which fewest bytes are live, and backwards from
// the end, each time the step before which fewest are.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/FitDecisions.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
/// One list schedule. The backward one is the forward one of the reversed graph,
/// in which a buffer becomes live at its last use.
class ListSchedule {
public:
  ListSchedule(const RunPlan &plan, bool isBackward);
  std::vector<unsigned> run();

private:
  int64_t growthOf(unsigned step) const;
  void place(unsigned step);

  const RunPlan &plan;
  bool isBackward;
  /// Per step: the steps that become ready after it, and the number of steps
  /// for which it waits.
  std::vector<std::vector<unsigned>> followers;
  std::vector<unsigned> waitsFor;
  /// Per buffer: the number of its uses that are not placed, and of all.
  std::vector<unsigned> open, uses;
  std::vector<unsigned> order;
};
} // namespace

ListSchedule::ListSchedule(const RunPlan &plan, bool isBackward)
    : plan(plan), isBackward(isBackward), followers(plan.steps.size()),
      waitsFor(plan.steps.size()), open(plan.buffers.size()) {
  for (auto [step, before] : llvm::enumerate(plan.predecessors))
    for (unsigned other : before) {
      unsigned first = isBackward ? step : other;
      unsigned second = isBackward ? other : step;
      followers[first].push_back(second);
      ++waitsFor[second];
    }
  for (const PlannedStep &step : plan.steps)
    RunPlan::forEachUse(step, [&](unsigned buffer) { ++open[buffer]; });
  uses = open;
}

/// Bytes that are live after the step beyond those before it.
int64_t ListSchedule::growthOf(unsigned step) const {
  int64_t growth = 0;
  SmallVector<unsigned> seen;
  RunPlan::forEachUse(plan.steps[step], [&](unsigned buffer) {
    if (plan.buffers[buffer].isResult)
      return;
    if (open[buffer] == uses[buffer] && !llvm::is_contained(seen, buffer))
      growth += plan.buffers[buffer].bytes;
    seen.push_back(buffer);
    if (llvm::count(seen, buffer) == open[buffer])
      growth -= plan.buffers[buffer].bytes;
  });
  return growth;
}

void ListSchedule::place(unsigned step) {
  order.push_back(step);
  RunPlan::forEachUse(plan.steps[step],
                      [&](unsigned buffer) { --open[buffer]; });
}

std::vector<unsigned> ListSchedule::run() {
  SmallVector<unsigned> ready;
  for (auto [step, count] : llvm::enumerate(waitsFor))
    if (count == 0)
      ready.push_back(step);
  while (!ready.empty()) {
    // Among equal steps the program's order decides.
    auto keyOf = [&](unsigned step) {
      int64_t position = step;
      return std::pair(growthOf(step), isBackward ? -position : position);
    };
    auto *best = llvm::min_element(
        ready, [&](unsigned a, unsigned b) { return keyOf(a) < keyOf(b); });
    unsigned step = *best;
    ready.erase(best);
    place(step);
    for (unsigned next : followers[step])
      if (--waitsFor[next] == 0)
        ready.push_back(next);
  }
  if (isBackward)
    std::reverse(order.begin(), order.end());
  return std::move(order);
}

unsigned orderByPeak(RunPlan &plan) {
  unsigned moved = 0;
  RunPlan best = plan;
  int64_t leastPeak = plan.usage().peak;
  for (bool isBackward : {false, true}) {
    std::vector<unsigned> order = ListSchedule(plan, isBackward).run();
    RunPlan other = plan;
    unsigned moves = 0;
    for (auto [to, from] : llvm::enumerate(order)) {
      other.steps[to] = plan.steps[from];
      moves += to != from;
    }
    int64_t peak = other.usage().peak;
    if (peak >= leastPeak)
      continue;
    leastPeak = peak;
    moved = moves;
    best = std::move(other);
  }
  plan = std::move(best);
  return moved;
}

} // namespace tensorc::compiler
