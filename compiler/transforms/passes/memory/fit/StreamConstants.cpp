//===- StreamConstants.cpp - Uploads constants when they are used ---------===//
//
//   launch @f ins(%x, %v) outs(%a)
//   launch @g ins(%a, %w) outs(%b)
// where %v and %w are constants, becomes
//   restore %v to %v1 queue(1)
//   launch @f ins(%x, %v1) outs(%a)
//   restore %w to %w1 queue(1)      before @f if there is memory for both
//   launch @g ins(%a, %w1) outs(%b)
//
// The arena holds a constant only while launches use it, and the device has no
// other copy of it.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/fit/FitDecisions.h"
#include "runtime/abi/BlockSizes.h"

using namespace mlir;

namespace tensorc::compiler {

/// Launches that take as long as the calls for an upload: a copy and two waits
/// between queues.
constexpr double launchesPerUpload = 3;
/// Maximum number of launches during one upload. A constant that needs more of
/// them would be in memory for long.
constexpr unsigned maxCoveringLaunches = 8;

/// Inserts the upload before the step `first`, and the wait for it.
static void insertUpload(RunPlan &plan, unsigned first, unsigned target,
                         double seconds, int64_t saved) {
  for (auto kind :
       {PlannedStep::Kind::AwaitRestore, PlannedStep::Kind::Restore}) {
    PlannedStep step;
    step.kind = kind;
    step.move = plan.moves;
    step.others.push_back(target);
    if (kind == PlannedStep::Kind::Restore) {
      step.seconds = seconds;
      step.savedBytes = saved;
    }
    plan.steps.insert(plan.steps.begin() + first, std::move(step));
  }
  ++plan.moves;
}

static double uploadSeconds(const RunRates &rates, int64_t bytes) {
  return bytes / rates.hostBytesPerSecond +
         launchesPerUpload * rates.launchSeconds;
}

/// Returns the positions of the launches that use the constant.
static SmallVector<unsigned> usersOf(const RunPlan &plan, unsigned constant) {
  Value value = plan.constants[constant].value();
  DenseSet<Operation *> launches(value.user_begin(), value.user_end());
  SmallVector<unsigned> users;
  for (auto [s, step] : llvm::enumerate(plan.steps))
    if (!step.ops.empty() && launches.contains(step.ops.front()))
      users.push_back(s);
  return users;
}

/// Uploads the constant before each of its users, or only once.
static RunPlan streamed(RunPlan plan, const RunRates &rates, unsigned number,
                        ArrayRef<unsigned> users, bool isOnce) {
  PlannedConstant &constant = plan.constants[number];
  constant.isStreamed = true;
  auto saved =
      static_cast<int64_t>(rt::blockBytes(static_cast<size_t>(constant.bytes)));
  plan.constantBytes -= saved;
  unsigned target = 0;
  // From the last to the first, because an insertion renumbers later steps.
  for (unsigned i = users.size(); i-- > 0;) {
    if (!isOnce || i + 1 == users.size()) {
      PlannedBuffer buffer;
      buffer.bytes = constant.bytes;
      buffer.constant = static_cast<int>(number);
      target = plan.buffers.size();
      plan.buffers.push_back(buffer);
    }
    PlannedStep &user = plan.steps[users[i]];
    auto launch = cast<txp::LaunchOp>(user.ops.front());
    for (auto [in, value] : llvm::enumerate(launch.getIns()))
      if (value == constant.value())
        user.ins[in] = static_cast<int>(target);
    if (!isOnce || i == 0)
      insertUpload(plan, users[i], target, uploadSeconds(rates, constant.bytes),
                   i == 0 ? saved : 0);
  }
  return plan;
}

std::optional<ChangedPlan> streamConstant(const RunPlan &plan,
                                          const RunRates &rates) {
  if (rates.hostBytesPerSecond <= 0)
    return std::nullopt;
  SmallVector<std::pair<int64_t, unsigned>> candidates;
  for (auto [i, constant] : llvm::enumerate(plan.constants))
    if (constant.isPlain && !constant.isStreamed && constant.bytes > 0)
      candidates.push_back({-constant.bytes, i});
  llvm::sort(candidates);
  if (candidates.size() > maxTriedMoves)
    candidates.resize(maxTriedMoves);
  int64_t peak = plan.usage().peak;
  std::optional<ChangedPlan> best;
  double leastSeconds = 0; // of `best`, if that saves nothing
  for (auto [negativeBytes, number] : candidates) {
    SmallVector<unsigned> users = usersOf(plan, number);
    for (bool isOnce : {true, false}) {
      if (users.empty() || (!isOnce && users.size() == 1))
        break;
      RunPlan changed = streamed(plan, rates, number, users, isOnce);
      int64_t saved = plan.constantBytes - changed.constantBytes + peak -
                      changed.usage().peak;
      double seconds =
          uploadSeconds(rates, -negativeBytes) * (isOnce ? 1 : users.size());
      double savedPerSecond = saved / seconds;
      bool savesMore = best ? savedPerSecond > best->savedPerSecond ||
                                  (saved == 0 && best->savedPerSecond == 0 &&
                                   seconds < leastSeconds)
                            : saved >= 0;
      if (!savesMore)
        continue;
      best = ChangedPlan{std::move(changed), savedPerSecond};
      leastSeconds = seconds;
    }
  }
  return best;
}

/// Moves the upload at a step before the launches that cover it, at most
/// `maxCovering`. Returns the plan, or nullopt if there are no such launches.
static std::optional<RunPlan> prefetch(const RunPlan &plan, unsigned at,
                                       unsigned maxCovering) {
  RunPlan earlier = plan;
  double left = plan.steps[at].seconds;
  unsigned begin = at, covering = 0;
  for (unsigned s = at; s > 0 && left > 0 && covering < maxCovering; --s) {
    PlannedStep &step = earlier.steps[s - 1];
    // Uploads stay in the order of use.
    if (step.kind == PlannedStep::Kind::Restore)
      break;
    if (step.kind != PlannedStep::Kind::Work)
      continue;
    double covered = std::clamp(step.seconds - step.copySeconds, 0.0, left);
    if (covered <= 0)
      continue;
    step.copySeconds += covered;
    left -= covered;
    begin = s - 1;
    ++covering;
  }
  if (begin == at)
    return std::nullopt;
  earlier.steps[at].seconds = left;
  std::rotate(earlier.steps.begin() + begin, earlier.steps.begin() + at,
              earlier.steps.begin() + at + 1);
  return earlier;
}

void prefetchConstants(RunPlan &plan, int64_t limit) {
  int64_t others = plan.totalBytes() - plan.temporaryBytes();
  for (unsigned at = 0; at < plan.steps.size(); ++at) {
    const PlannedStep &step = plan.steps[at];
    if (step.kind != PlannedStep::Kind::Restore ||
        plan.buffers[step.others.front()].constant < 0)
      continue;
    for (unsigned maxCovering : {maxCoveringLaunches, 1U}) {
      std::optional<RunPlan> earlier = prefetch(plan, at, maxCovering);
      if (!earlier || others + earlier->temporaryBytes() > limit)
        continue;
      plan = std::move(*earlier);
      break;
    }
  }
}

} // namespace tensorc::compiler
