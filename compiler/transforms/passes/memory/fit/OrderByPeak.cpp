//===- OrderByPeak.cpp - Orders launches to reduce peak memory ------------===//
//
// Finding the best order is NP-hard. Two list schedules are tried. The forward
// schedule repeatedly chooses the ready step after which the fewest bytes are
// live. The backward schedule starts at the end and repeatedly chooses the step
// before which the fewest bytes are live.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/fit/FitDecisions.h"

#include "llvm/ADT/SetVector.h"

#include <cstdlib>
#include <optional>
#include <set>

using namespace mlir;

namespace tensorc::compiler {

namespace {
/// One list schedule. The backward schedule is the forward schedule of the
/// reversed graph, in which a buffer becomes live at its last use.
class ListSchedule {
public:
  ListSchedule(const RunPlan &plan, bool isBackward);
  std::vector<unsigned> run();

private:
  int64_t growthOf(unsigned step) const;
  void makeReady(unsigned step);
  void place(unsigned step);

  const RunPlan &plan;
  bool isBackward;
  /// Per step: the steps that depend on it, and the number of steps for which
  /// it still waits.
  std::vector<std::vector<unsigned>> followers;
  std::vector<unsigned> waitsFor;
  /// The ready steps, ordered by growth. Steps of equal growth keep the
  /// program's order.
  std::set<std::pair<int64_t, int64_t>> ready;
  /// Per step: its element of `ready`, if it is ready.
  std::vector<std::optional<std::pair<int64_t, int64_t>>> keys;
  /// Per buffer: the number of its uses that are not yet scheduled, the number
  /// of all its uses, and the maximum number of uses by one step.
  std::vector<unsigned> open, uses, usesOfStep;
  /// Per buffer: the steps that use it.
  std::vector<SmallVector<unsigned, 2>> users;
  std::vector<unsigned> order;
};
} // namespace

ListSchedule::ListSchedule(const RunPlan &plan, bool isBackward)
    : plan(plan), isBackward(isBackward), followers(plan.steps.size()),
      waitsFor(plan.steps.size()), keys(plan.steps.size()),
      open(plan.buffers.size()), usesOfStep(plan.buffers.size()),
      users(plan.buffers.size()) {
  for (auto [step, before] : llvm::enumerate(plan.predecessors))
    for (unsigned other : before) {
      unsigned first = isBackward ? step : other;
      unsigned second = isBackward ? other : step;
      followers[first].push_back(second);
      ++waitsFor[second];
    }
  // Number of uses by the last user.
  std::vector<unsigned> count(plan.buffers.size());
  for (auto [s, step] : llvm::enumerate(plan.steps))
    RunPlan::forEachUse(step, [&, s = s](unsigned buffer) {
      ++open[buffer];
      if (users[buffer].empty() || users[buffer].back() != s) {
        users[buffer].push_back(s);
        count[buffer] = 0;
      }
      usesOfStep[buffer] = std::max(usesOfStep[buffer], ++count[buffer]);
    });
  uses = open;
}

/// Returns the growth of the live bytes that the step causes.
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

/// Adds the step to the ready ones, or updates its growth.
void ListSchedule::makeReady(unsigned step) {
  if (keys[step])
    ready.erase(*keys[step]);
  int64_t position = step;
  keys[step] = {growthOf(step), isBackward ? -position : position};
  ready.insert(*keys[step]);
}

void ListSchedule::place(unsigned step) {
  order.push_back(step);
  ready.erase(*keys[step]);
  keys[step].reset();
  // The growth of other steps changes with the first and the last uses of a
  // buffer.
  llvm::SmallSetVector<unsigned, 4> changed;
  RunPlan::forEachUse(plan.steps[step], [&](unsigned buffer) {
    if (open[buffer]-- == uses[buffer] || open[buffer] <= usesOfStep[buffer])
      changed.insert(buffer);
  });
  for (unsigned buffer : changed)
    for (unsigned user : users[buffer])
      if (keys[user])
        makeReady(user);
}

std::vector<unsigned> ListSchedule::run() {
  for (auto [step, count] : llvm::enumerate(waitsFor))
    if (count == 0)
      makeReady(step);
  while (!ready.empty()) {
    auto step = static_cast<unsigned>(std::abs(ready.begin()->second));
    place(step);
    for (unsigned next : followers[step])
      if (--waitsFor[next] == 0)
        makeReady(next);
  }
  if (isBackward)
    std::reverse(order.begin(), order.end());
  return std::move(order);
}

/// Orders the bodies of the plan's loops. Returns the number of steps that moved.
static unsigned orderBodies(RunPlan &plan) {
  unsigned moved = 0;
  for (unsigned body = 0; body < plan.bodies.size(); ++body) {
    RunPlan changed = *plan.bodies[body].plan;
    moved += orderByPeak(changed);
    plan.setBody(body, std::move(changed));
  }
  return moved;
}

unsigned orderByPeak(RunPlan &plan) {
  unsigned inBodies = orderBodies(plan), moved = 0;
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
  return moved + inBodies;
}

} // namespace tensorc::compiler
