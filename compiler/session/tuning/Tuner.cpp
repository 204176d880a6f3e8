//===- Tuner.cpp - Searches the fastest schedules of kernels --------------===//

#include "compiler/session/tuning/Tuner.h"

#include "codegen/emitters/Skeleton.h"
#include "compiler/session/tuning/Trials.h"
#include "compiler/transforms/passes/TargetOf.h"
#include "compiler/transforms/passes/TensorProgram.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <chrono>

using namespace mlir;

namespace tensorc::tuning {

/// Schedules that are slower than the best by more than this ratio are dropped:
/// `maxRatioEarly` in the first half of the rounds, `maxRatioLate` in the
/// second half.
static constexpr double maxRatioEarly = 1.3, maxRatioLate = 1.08;
/// Maximum number of rounds.
static constexpr unsigned maxRounds = 24;
/// Minimum speedup, and minimum number of rounds, for preferring another
/// schedule. Below them the difference is noise.
static constexpr double minGain = 1.02;
static constexpr unsigned minRounds = 4;

namespace {
using Clock = std::chrono::steady_clock;

/// A kernel with its trials, of which the first one is the default schedule.
struct Search {
  tx::FusionOp fusion;
  TunedKernel facts;
  SmallVector<tx::ScheduleAttr> offered;
  std::unique_ptr<Trials> trials;
  std::vector<Trial> running;

  double cost() const { return facts.usualSeconds * facts.launches; }
  void remember(const Trial &trial) {
    facts.trials.emplace_back(trial.schedule.toString(), trial.best);
  }
  Trial &best() {
    return *llvm::min_element(running, [](const Trial &a, const Trial &b) {
      return a.best < b.best;
    });
  }
};

class Tuner {
public:
  Tuner(const TunerOptions &options) : options(options), begin(Clock::now()) {}
  llvm::Expected<std::vector<TunedKernel>> run(func::FuncOp function);

private:
  const TunerOptions &options;
  Clock::time_point begin;
  std::vector<Search> searches;

  double spent() const {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
  bool isOver(double until) const {
    return spent() >= until || (options.isStopped && options.isStopped());
  }
  LogicalResult find(func::FuncOp function);
  llvm::Error measureUsual(Search &search);
  llvm::Error search(Search &search, double until);
};
} // namespace

/// Collects the distinct kernels and the schedules that are offered for them.
LogicalResult Tuner::find(func::FuncOp function) {
  llvm::StringMap<size_t> known;
  WalkResult result = function.walk([&](tx::FusionOp fusion) {
    std::string key = compiler::keyOfBody(fusion);
    auto [it, isNew] = known.try_emplace(key, searches.size());
    if (!isNew) {
      ++searches[it->second].facts.launches;
      return WalkResult::advance();
    }
    std::optional<codegen::TargetInfo> target = compiler::targetOf(fusion);
    if (!target || !fusion.getScheduleAttr())
      return WalkResult(fusion.emitError("tuning begins after the stage fuse"));
    Search &search = searches.emplace_back();
    search.fusion = fusion;
    search.facts.kernel = fusion.getName().str();
    search.facts.key = std::move(key);
    search.facts.launches = 1;
    search.facts.usual = search.facts.schedule =
        fusion.getScheduleAttr().toString();
    tx::DimSpace names(fusion.getContext());
    codegen::KernelBuilder view(fusion, names, compiler::inputsByValue(fusion),
                                *target);
    FailureOr<codegen::Schedules> offered =
        codegen::offerSchedules(view, fusion.getOrderAttr());
    if (failed(offered))
      return WalkResult::interrupt();
    // The default schedule comes first, even if it was set by hand.
    search.offered.push_back(fusion.getScheduleAttr());
    for (tx::ScheduleAttr each : *offered)
      if (each != fusion.getScheduleAttr())
        search.offered.push_back(each);
    search.facts.offered = search.offered.size();
    search.facts.whyNot = Trials::whyNot(fusion);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Measures the kernel's default schedule.
llvm::Error Tuner::measureUsual(Search &search) {
  auto trials = Trials::create(search.fusion, options.device, options.compile);
  if (!trials)
    return trials.takeError();
  search.trials = std::move(*trials);
  auto usual = search.trials->compile(search.offered.front());
  if (!usual)
    return usual.takeError();
  search.running.push_back(std::move(*usual));
  search.facts.tried = 1;
  for (int i = 0; i < 2; ++i)
    if (llvm::Error error = search.trials->measure(search.running.front()))
      return error;
  search.facts.usualSeconds = search.facts.seconds =
      search.running.front().best;
  return llvm::Error::success();
}

llvm::Error Tuner::search(Search &search, double until) {
  std::vector<Trial> &running = search.running;
  for (tx::ScheduleAttr schedule : llvm::drop_begin(search.offered)) {
    if (isOver(until))
      break;
    auto trial = search.trials->compile(schedule);
    if (!trial)
      return trial.takeError();
    ++search.facts.tried;
    if (llvm::Error error = search.trials->measure(*trial))
      return error;
    if (trial->best < maxRatioEarly * search.best().best)
      running.push_back(std::move(*trial));
    else
      search.remember(*trial);
  }
  unsigned round = 0;
  for (; running.size() > 1 && round < maxRounds; ++round) {
    for (Trial &trial : running) {
      if (isOver(until))
        break;
      if (llvm::Error error = search.trials->measure(trial))
        return error;
    }
    if (isOver(until))
      break;
    // The default schedule is never dropped, as the others are compared with
    // it.
    double bound = search.best().best *
                   (round < maxRounds / 2 ? maxRatioEarly : maxRatioLate);
    auto isSlow = [&](const Trial &each) { return each.best > bound; };
    for (const Trial &trial : llvm::drop_begin(running))
      if (isSlow(trial))
        search.remember(trial);
    running.erase(std::remove_if(running.begin() + 1, running.end(), isSlow),
                  running.end());
  }
  const Trial &best = search.best();
  search.facts.usualSeconds = search.facts.seconds = running.front().best;
  if (round >= minRounds && running.front().best > minGain * best.best) {
    search.facts.seconds = best.best;
    search.facts.schedule = best.schedule.toString();
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<TunedKernel>> Tuner::run(func::FuncOp function) {
  if (failed(find(function)))
    return llvm::createStringError("the program has no kernels to tune");
  std::vector<Search *> order;
  double left = 0;
  for (Search &each : searches) {
    if (options.isStopped && options.isStopped())
      break;
    if (!each.facts.whyNot.empty())
      continue;
    if (llvm::Error error = measureUsual(each))
      return std::move(error);
    order.push_back(&each);
    left += each.cost();
  }
  // Equal costs keep the order of the program, as pointers are in that order.
  llvm::sort(order, [](Search *a, Search *b) {
    return std::pair(-a->cost(), a) < std::pair(-b->cost(), b);
  });
  for (auto [i, each] : llvm::enumerate(order)) {
    // Each kernel gets a share of the remaining time that is proportional to
    // its cost.
    double now = spent(), cost = each->cost();
    double until = now + std::max(0.0, options.seconds - now) * cost /
                             std::max(left, 1e-12);
    left -= cost;
    if (each->offered.size() > 1 && !isOver(until)) {
      if (options.onKernel)
        options.onKernel(each->facts.kernel, i + 1, order.size());
      if (llvm::Error error = search(*each, until))
        return std::move(error);
    }
    for (const Trial &trial : each->running)
      each->remember(trial);
    // Frees the code and the buffers of the trials.
    each->running.clear();
    each->trials.reset();
  }
  std::vector<TunedKernel> result;
  for (Search *each : order)
    result.push_back(each->facts);
  for (Search &each : searches)
    if (!llvm::is_contained(order, &each))
      result.push_back(each.facts);
  return result;
}

llvm::Expected<std::vector<TunedKernel>> tune(func::FuncOp function,
                                              const TunerOptions &options) {
  return Tuner(options).run(function);
}

void keep(Tuning &tuning, ArrayRef<TunedKernel> kernels,
          const Machine &machine) {
  for (const TunedKernel &each : kernels) {
    if (each.tried < 2)
      continue;
    if (each.isFaster())
      tuning.add({each.kernel, each.key, machine, each.schedule, each.usual,
                  each.gain()});
    else
      tuning.remove(each.key, machine);
  }
}

} // namespace tensorc::tuning
