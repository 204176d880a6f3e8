//===- SpillBuffers.cpp - Moves buffers to the host during the peak -------===//
//
//   launch @f ins(%x) outs(%a)
//   launch @g ins(%a) outs(%b)
//   ... the peak ...
//   launch @h ins(%b, %a) outs(%c)
// becomes
//   launch @f ins(%x) outs(%a)
//   launch @g ins(%a) outs(%b)
//   %h = spill %a queue(1)        while the next launches run
//   ... the peak, without %a ...
//   restore %h to %a1 queue(1)    while the last launches run
//   launch @h ins(%b, %a1) outs(%c)
//
// Memory is needed until the first copy is done, and from the beginning of the
// second one. Copies therefore overlap with as few launches as take as long, and
// only with launches next to which the buffer does not raise the peak.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/fit/FitDecisions.h"

using namespace mlir;

namespace tensorc::compiler {

/// Launches that take as long as the calls for a move: two copies and four
/// waits between queues.
constexpr double launchesPerMove = 6;

namespace {
/// The move of one buffer to the host, in a copy of the plan.
class Spill {
public:
  Spill(const RunPlan &plan, const RunRates &rates, unsigned buffer,
        const RunPlan::Usage &usage)
      : plan(plan), rates(rates), buffer(buffer), peak(usage.at),
        live(usage.live) {}

  /// True if launches use the buffer before the peak and only read it after it.
  bool isPossible();
  /// Moves the buffer. If `overlaps`, launches run during the copies.
  void move(bool overlaps);

  RunPlan plan;
  double seconds = 0;

private:
  void removeFromLive();
  bool mayOverlap(unsigned step) const {
    return live[step] + paddedBytes <= livePeak;
  }
  double cover(unsigned step, double wanted);
  unsigned findAwaitSpill(bool overlaps);
  unsigned findRestore(bool overlaps);

  const RunRates &rates;
  unsigned buffer, peak;
  /// The last step before the peak that uses the buffer, and the first one after
  /// it.
  unsigned last = 0, next = 0;
  /// The bytes in use at each step, without the buffer between `last` and
  /// `next`, and their maximum.
  std::vector<int64_t> live;
  int64_t livePeak = 0, paddedBytes = 0;
};
} // namespace

bool Spill::isPossible() {
  bool isUsedBefore = false, isUsedAfter = false;
  for (auto [s, step] : llvm::enumerate(plan.steps)) {
    bool isUsed = false;
    RunPlan::forEachUse(step, [&](unsigned used) { isUsed |= used == buffer; });
    if (!isUsed)
      continue;
    if (s == peak || (s > peak && (step.kind != PlannedStep::Kind::Work ||
                                   llvm::is_contained(step.outs, buffer))))
      return false;
    if (s < peak) {
      isUsedBefore = true;
      last = s;
    } else if (!isUsedAfter) {
      isUsedAfter = true;
      next = s;
    }
  }
  return isUsedBefore && isUsedAfter;
}

void Spill::removeFromLive() {
  paddedBytes = static_cast<int64_t>(
      llvm::alignTo(plan.buffers[buffer].bytes, arenaAlignment));
  for (unsigned step = last + 1; step < next; ++step)
    live[step] -= paddedBytes;
  livePeak = *llvm::max_element(live);
}

/// Reserves up to `wanted` seconds of the step for a copy, and returns how many
/// remain to be covered.
double Spill::cover(unsigned step, double wanted) {
  PlannedStep &covering = plan.steps[step];
  if (covering.kind != PlannedStep::Kind::Work)
    return wanted;
  double covered =
      std::clamp(covering.seconds - covering.copySeconds, 0.0, wanted);
  covering.copySeconds += covered;
  return wanted - covered;
}

/// Returns the step before which the copy to the host is awaited.
unsigned Spill::findAwaitSpill(bool overlaps) {
  double left = plan.buffers[buffer].bytes / rates.hostBytesPerSecond;
  unsigned step = last + 1;
  for (; overlaps && left > 0 && step < peak && mayOverlap(step); ++step)
    left = cover(step, left);
  seconds += left;
  return step;
}

/// Returns the step before which the copy to the device starts.
unsigned Spill::findRestore(bool overlaps) {
  double left = plan.buffers[buffer].bytes / rates.hostBytesPerSecond;
  unsigned step = next;
  for (; overlaps && left > 0 && step > peak + 1 && mayOverlap(step - 1);
       --step)
    left = cover(step - 1, left);
  seconds += left;
  return step;
}

void Spill::move(bool overlaps) {
  removeFromLive();
  seconds = launchesPerMove * rates.launchSeconds;
  unsigned awaitSpill = findAwaitSpill(overlaps);
  unsigned restore = findRestore(overlaps);
  PlannedBuffer restored = plan.buffers[buffer];
  unsigned target = plan.buffers.size();
  plan.buffers.push_back(restored);
  for (PlannedStep &step : MutableArrayRef(plan.steps).drop_front(next))
    for (int &in : step.ins)
      if (in == static_cast<int>(buffer))
        in = static_cast<int>(target);
  // From the last to the first, because an insertion renumbers later steps.
  auto insert = [&](unsigned before, PlannedStep::Kind kind, unsigned used) {
    PlannedStep step;
    step.kind = kind;
    step.move = plan.moves;
    step.others.push_back(used);
    if (kind == PlannedStep::Kind::Spill)
      step.seconds = seconds;
    plan.steps.insert(plan.steps.begin() + before, std::move(step));
  };
  insert(next, PlannedStep::Kind::AwaitRestore, target);
  insert(restore, PlannedStep::Kind::Restore, target);
  insert(awaitSpill, PlannedStep::Kind::AwaitSpill, buffer);
  insert(last + 1, PlannedStep::Kind::Spill, buffer);
  ++plan.moves;
}

std::optional<ChangedPlan> spillBuffer(const RunPlan &plan,
                                       const RunRates &rates) {
  RunPlan::Usage usage = plan.usage();
  if (usage.peak == 0 || rates.hostBytesPerSecond <= 0)
    return std::nullopt;
  std::vector<std::pair<int64_t, unsigned>> candidates;
  for (auto [i, range] : llvm::enumerate(plan.usedRanges())) {
    const PlannedBuffer &buffer = plan.buffers[i];
    if (range.isUsed && range.begin < usage.at && range.end > usage.at &&
        !buffer.isResult && buffer.isPlain && buffer.constant < 0)
      candidates.push_back({-buffer.bytes, i});
  }
  llvm::sort(candidates);
  if (candidates.size() > maxTriedMoves)
    candidates.resize(maxTriedMoves);
  std::optional<ChangedPlan> best;
  for (auto [negativeBytes, buffer] : candidates) {
    for (bool overlaps : {true, false}) {
      Spill spill(plan, rates, buffer, usage);
      if (!spill.isPossible())
        break;
      spill.move(overlaps);
      RunPlan::Usage after = spill.plan.usage();
      if (std::pair(after.peak, after.plateau) >=
          std::pair(usage.peak, usage.plateau))
        continue;
      // Two steps were inserted before the peak.
      int64_t saved = usage.peak - after.live[usage.at + 2];
      double savedPerSecond = saved / spill.seconds;
      if (savedPerSecond <= (best ? best->savedPerSecond : 0))
        continue;
      best = ChangedPlan{std::move(spill.plan), savedPerSecond};
      for (PlannedStep &step : best->plan.steps)
        if (step.kind == PlannedStep::Kind::Spill && step.savedBytes == 0)
          step.savedBytes = saved;
    }
  }
  return best;
}

} // namespace tensorc::compiler
