//===- KeepRepeated.cpp - Undoes decisions that later ones replaced -------===//
//
// A search repeats launches until the program fits. What it repeats later may
// lower the peak at which an earlier decision was made, or compute the same value
// once more. This keeps values after all where there is memory for them.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/fit/FitDecisions.h"

using namespace mlir;

namespace tensorc::compiler {

/// Maximum number of steps, summed over all plans that are tried.
static constexpr size_t maxTriedSteps = 200'000;

/// Returns another buffer with the contents of `out` that is complete before the
/// step `at`; the one that is used longest. Returns -1 if there is none.
static int findEarlier(const RunPlan &plan, ArrayRef<UsedRange> ranges,
                       unsigned out, unsigned at) {
  int found = -1;
  for (auto [i, buffer] : llvm::enumerate(plan.buffers)) {
    bool isSame = i != out && buffer.constant < 0 && buffer.isPlain &&
                  buffer.content == plan.buffers[out].content;
    if (isSame && ranges[i].isUsed && ranges[i].complete < at &&
        (found < 0 || ranges[found].end < ranges[i].end))
      found = static_cast<int>(i);
  }
  return found;
}

static bool isRead(const RunPlan &plan, int buffer) {
  return llvm::any_of(plan.steps, [&](const PlannedStep &step) {
    return llvm::is_contained(step.ins, buffer) ||
           llvm::is_contained(step.others, static_cast<unsigned>(buffer));
  });
}

/// Removes the repeated steps whose results no step reads.
static void dropUnread(RunPlan &plan) {
  auto isUnread = [&](const PlannedStep &step) {
    return step.isRepeat &&
           llvm::none_of(step.outs, [&](int out) { return isRead(plan, out); });
  };
  for (size_t s = plan.steps.size(); s-- > 0;)
    if (isUnread(plan.steps[s]))
      plan.steps.erase(plan.steps.begin() + s);
}

/// Returns the plan without a repeated step. Returns nullopt if a result of it
/// is not available, or is moved to the host.
static std::optional<RunPlan> without(const RunPlan &plan, unsigned at) {
  RunPlan changed = plan;
  std::vector<UsedRange> ranges = plan.usedRanges();
  for (int out : plan.steps[at].outs) {
    int earlier = findEarlier(plan, ranges, out, at);
    if (earlier < 0)
      return std::nullopt;
    for (PlannedStep &step :
         llvm::MutableArrayRef(changed.steps).drop_front(at + 1)) {
      if (llvm::is_contained(step.others, static_cast<unsigned>(out)))
        return std::nullopt;
      llvm::replace(step.ins, out, earlier);
    }
  }
  changed.steps.erase(changed.steps.begin() + at);
  dropUnread(changed);
  return changed;
}

void keepRepeated(RunPlan &plan, int64_t limit) {
  std::vector<std::pair<double, int>> repeated;
  for (const PlannedStep &step : plan.steps)
    if (step.isRepeat)
      repeated.push_back({-step.seconds, step.outs.front()});
  llvm::sort(repeated);
  size_t tried = 0;
  for (auto [negativeSeconds, out] : repeated) {
    auto step = llvm::find_if(plan.steps, [&](const PlannedStep &step) {
      return step.isRepeat && llvm::is_contained(step.outs, out);
    });
    if (step == plan.steps.end())
      continue;
    if ((tried += plan.steps.size()) > maxTriedSteps)
      return;
    std::optional<RunPlan> changed = without(plan, step - plan.steps.begin());
    if (changed && changed->totalBytes() <= limit)
      plan = std::move(*changed);
  }
}

} // namespace tensorc::compiler
