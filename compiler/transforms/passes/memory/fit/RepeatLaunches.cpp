//===- RepeatLaunches.cpp - Recomputes values instead of keeping them -----===//
//
//   launch @f ins(%x) outs(%a)
//   launch @g ins(%a) outs(%b)
//   ... the peak ...
//   launch @h ins(%b, %a) outs(%c)
// becomes
//   launch @f ins(%x) outs(%a)
//   launch @g ins(%a) outs(%b)
//   ... the peak, without %a ...
//   launch @f ins(%x) outs(%a1)
//   launch @h ins(%b, %a1) outs(%c)
//
// A launch is a function of its ins, so the repeated one writes the same bits.
// If one of its ins is no longer there, that is either repeated, too, or kept
// until then: both are tried.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/fit/FitDecisions.h"

using namespace mlir;

namespace tensorc::compiler {

/// Maximum number of launches between a repeated value and an available one.
/// The search time grows with this number, and a value with a longer chain is
/// better kept.
constexpr unsigned maxChain = 8;
/// Maximum number of values that are tried for one decision, starting with
/// those that save the most bytes per second.
constexpr size_t maxTried = 24;

namespace {
/// The computation and the storage of the contents of buffers.
struct Contents {
  Contents(const RunPlan &plan, const RunPlan &original)
      : producers(original.buffers.size()), buffers(original.buffers.size()) {
    for (const PlannedStep &step : original.steps)
      for (int out : step.outs)
        if (out >= 0 && !producers[out])
          producers[out] = &step;
    for (auto [i, buffer] : llvm::enumerate(plan.buffers))
      if (buffer.constant < 0)
        buffers[buffer.content].push_back(i);
  }

  /// Per content: the first step of the original program that writes it, or
  /// null, and the buffers of the plan that hold it, in ascending order.
  std::vector<const PlannedStep *> producers;
  std::vector<SmallVector<unsigned, 1>> buffers;
};

/// Repeats, in a copy of the plan, the launch that computes one buffer.
class Repetition {
public:
  Repetition(const RunPlan &plan, const Contents &contents,
             ArrayRef<UsedRange> ranges, unsigned peak, bool keepsInputs)
      : plan(plan), contents(contents), ranges(ranges), peak(peak),
        keepsInputs(keepsInputs) {}

  /// Returns false if the buffer cannot be recomputed.
  bool repeat(unsigned buffer);

  RunPlan plan;
  double seconds = 0;
  /// True if it makes a difference whether inputs are kept.
  bool hasChoice = false;

private:
  int bufferFor(unsigned content, unsigned depth);
  int findKept(unsigned content);
  void readNew(unsigned buffer, unsigned replacement);

  const Contents &contents;
  ArrayRef<UsedRange> ranges;
  unsigned peak;
  bool keepsInputs;
  /// The step before which launches are repeated, and the number of repeated
  /// launches.
  unsigned first = 0, inserted = 0;
  unsigned avoided = 0;
  /// The new buffers, keyed by content.
  DenseMap<unsigned, unsigned> made;
};
} // namespace

/// Returns a buffer with these contents that is available before the step
/// `first`, preferably one that `first` or a later step reads; -1 if there is
/// none.
int Repetition::findKept(unsigned content) {
  int found = -1;
  for (unsigned i : contents.buffers[content]) {
    const UsedRange &range = ranges[i];
    if (!range.isUsed || range.complete >= first || i == avoided)
      continue;
    if (plan.buffers[i].isResult || range.end >= first)
      return i;
    hasChoice = true;
    if (keepsInputs && (found < 0 || ranges[found].end < range.end))
      found = i;
  }
  return found;
}

int Repetition::bufferFor(unsigned content, unsigned depth) {
  if (auto it = made.find(content); it != made.end())
    return it->second;
  if (depth > 0)
    if (int kept = findKept(content); kept >= 0)
      return kept;
  const PlannedStep *producer = contents.producers[content];
  if (!producer || !producer->isRepeatable || depth == maxChain)
    return -1;
  auto launch = cast<txp::LaunchOp>(producer->ops.front());
  if (llvm::any_of(plan.constants, [&](const PlannedConstant &constant) {
        return constant.isStreamed &&
               llvm::is_contained(launch.getIns(), constant.value());
      }))
    return -1;
  PlannedStep step = *producer;
  step.isRepeat = true;
  for (int &in : step.ins)
    if (in >= 0 && (in = bufferFor(in, depth + 1)) < 0)
      return -1;
  for (int &out : step.outs) {
    unsigned original = out;
    PlannedBuffer fresh = plan.buffers[original];
    fresh.isResult = false;
    out = plan.buffers.size();
    made[original] = out;
    plan.buffers.push_back(fresh);
  }
  seconds += step.seconds;
  plan.steps.insert(plan.steps.begin() + first + inserted, std::move(step));
  ++inserted;
  return made[content];
}

void Repetition::readNew(unsigned buffer, unsigned replacement) {
  for (PlannedStep &step :
       llvm::MutableArrayRef(plan.steps).drop_front(first + inserted))
    for (int &in : step.ins)
      if (in == static_cast<int>(buffer))
        in = replacement;
}

bool Repetition::repeat(unsigned buffer) {
  auto reads = [&](unsigned step) {
    return llvm::is_contained(plan.steps[step].ins, static_cast<int>(buffer));
  };
  // After the peak the buffer may only be awaited by a copy to the host.
  first = peak + 1;
  while (first < plan.steps.size() && !reads(first))
    ++first;
  if (first == plan.steps.size())
    return false;
  avoided = buffer;
  if (bufferFor(plan.buffers[buffer].content, 0) < 0)
    return false;
  readNew(buffer, made[plan.buffers[buffer].content]);
  // Other results of the repeated launches need not be kept either.
  for (auto [i, range] : llvm::enumerate(ranges)) {
    auto it = made.find(plan.buffers[i].content);
    if (it != made.end() && plan.buffers[i].constant < 0 &&
        !plan.buffers[i].isResult && range.isUsed && range.begin < first &&
        range.end >= first)
      readNew(i, it->second);
  }
  return true;
}

std::optional<ChangedPlan> repeatLaunches(const RunPlan &plan,
                                          const RunPlan &original) {
  RunPlan::Usage usage = plan.usage();
  if (usage.peak == 0)
    return std::nullopt; // the plan may have no steps
  Contents contents(plan, original);
  std::vector<UsedRange> ranges = plan.usedRanges();
  BitVector used(plan.buffers.size());
  RunPlan::forEachUse(plan.steps[usage.at],
                      [&](unsigned buffer) { used.set(buffer); });
  std::vector<std::pair<double, unsigned>> candidates;
  for (auto [i, range] : llvm::enumerate(ranges)) {
    const PlannedBuffer &buffer = plan.buffers[i];
    if (!range.isUsed || range.begin >= usage.at || range.end <= usage.at ||
        used[i] || buffer.isResult || !buffer.isPlain || buffer.constant >= 0)
      continue;
    const PlannedStep *producer = contents.producers[buffer.content];
    if (producer && producer->isRepeatable)
      candidates.push_back({-buffer.bytes / producer->seconds, i});
  }
  llvm::sort(candidates);
  if (candidates.size() > maxTried)
    candidates.resize(maxTried);
  std::optional<ChangedPlan> best;
  for (auto [negativeRate, buffer] : candidates) {
    bool hasChoice = true;
    for (bool keepsInputs : {false, true}) {
      if (!hasChoice)
        break;
      Repetition repetition(plan, contents, ranges, usage.at, keepsInputs);
      bool wasRepeated = repetition.repeat(buffer);
      hasChoice = repetition.hasChoice;
      if (!wasRepeated)
        continue;
      RunPlan::Usage after = repetition.plan.usage();
      if (std::pair(after.peak, after.plateau) >=
          std::pair(usage.peak, usage.plateau))
        continue;
      int64_t saved = usage.peak - after.live[usage.at];
      double savedPerSecond = saved / repetition.seconds;
      if (savedPerSecond <= (best ? best->savedPerSecond : 0))
        continue;
      best = ChangedPlan{std::move(repetition.plan), savedPerSecond};
      for (PlannedStep &step : best->plan.steps)
        if (step.isRepeat && step.savedBytes == 0)
          step.savedBytes = saved;
    }
  }
  return best;
}

} // namespace tensorc::compiler
