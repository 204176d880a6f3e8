//===- FitMemory.cpp - Fits a program into a memory limit -----------------===//
//
// The design is described in docs/design/0107-memory-limits.md.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/memory/PlanBlock.h"
#include "compiler/transforms/passes/memory/fit/FitDecisions.h"
#include "compiler/transforms/passes/memory/fit/FitEstimate.h"
#include "ir/program/HostCopies.h"
#include "ir/program/LaunchAttributes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_FITMEMORYPASS
#include "compiler/transforms/passes/Passes.h.inc"

/// Maximum number of live buffers that a refusal lists.
static constexpr size_t maxListed = 5;
/// Maximum number of steps, summed over all plans, from which a search for
/// launches to repeat and buffers to move starts. A search tries up to 96
/// changes of the plan, and 48 more for constants, each of which takes less than
/// 0.1 us per step: 0.5 s of CPU time were measured for 2,000 launches without
/// constants. The limit is not a time, so that a
/// program has the same plan on all machines.
static constexpr size_t maxSearchedSteps = 100'000;
/// Streamed constants per step of the search. They are cheaper to find, and a
/// network may need hundreds.
static constexpr size_t constantsPerSearch = 8;
/// Bytes per second between host and device in the search that no measurement
/// affects: half of PCIe 4.0 with 16 lanes.
static constexpr double defaultHostRate = 16e9;
/// How much slower than by default arithmetic is in the last search.
static constexpr double slowArithmetic = 20;

/// Emits an error at the step of maximum use, with notes that list the live
/// buffers.
static void refuseLimit(txp::FuncOp program, const RunPlan &plan,
                        uint64_t limit) {
  RunPlan::Usage usage = plan.usage();
  bool hasPeak = usage.peak > 0;
  Location where =
      hasPeak ? plan.locationOf(plan.steps[usage.at]) : program.getLoc();
  InFlightDiagnostic error = emitError(where);
  error << program.getName() << " does not fit into the memory limit of "
        << limit << " bytes: at least " << plan.totalBytes()
        << " are needed (inputs " << plan.inputBytes << ", constants "
        << plan.constantBytes << ", results " << plan.resultBytes
        << ", temporaries " << plan.temporaryBytes() << ")";
  if (!hasPeak)
    return;
  std::vector<ArenaSlot> live = plan.slots();
  llvm::erase_if(live, [&](const ArenaSlot &slot) {
    return slot.begin > usage.at || slot.end < usage.at;
  });
  llvm::sort(live, [](const ArenaSlot &a, const ArenaSlot &b) {
    return std::tuple(-a.bytes, a.begin, a.buffers.front()) <
           std::tuple(-b.bytes, b.begin, b.buffers.front());
  });
  if (live.size() > maxListed)
    live.resize(maxListed);
  for (const ArenaSlot &slot : live) {
    error.attachNote(plan.locationOf(plan.buffers[slot.buffers.front()]))
        << "here a temporary of " << slot.bytes << " bytes is needed";
  }
}

namespace {
/// A search for decisions with which a program fits into its limit.
struct FitSearch {
  FitSearch(RunPlan plan, uint64_t limit)
      : plan(std::move(plan)), limit(limit) {}

  RunPlan plan;
  /// The plan that needs the fewest bytes of those that were tried.
  RunPlan smallest;
  int64_t natural = 0, smallestBytes = 0;
  uint64_t limit;
  unsigned moved = 0;
  bool isFree = true, hasFound = false;

  /// Makes decisions in an order that does not depend on the limit, until the
  /// plan fits. A program therefore fits into the limit that its error message
  /// names.
  void run(const RunRates &rates, FitEffort effort) {
    hasFound = findFree() || (effort == FitEffort::Full && find(rates));
    if (hasFound && !isFree)
      keepRepeated(plan, static_cast<int64_t>(limit));
  }

private:
  bool findFree();
  bool find(const RunRates &rates);
  bool fits();
};
} // namespace

bool FitSearch::fits() {
  int64_t bytes = plan.totalBytes();
  if (bytes < smallestBytes) {
    smallest = plan;
    smallestBytes = bytes;
  }
  return static_cast<uint64_t>(bytes) <= limit;
}

bool FitSearch::findFree() {
  natural = smallestBytes = plan.totalBytes();
  smallest = plan;
  if (fits())
    return true;
  plan.shareMemory();
  if (fits())
    return true;
  moved = orderByPeak(plan);
  return fits();
}

bool FitSearch::find(const RunRates &rates) {
  isFree = false;
  plan.beginSearch();
  RunPlan original = plan;
  for (size_t searched = plan.steps.size(); searched <= maxSearchedSteps;) {
    std::optional<ChangedPlan> best = repeatLaunches(plan, original);
    for (std::optional<ChangedPlan> other :
         {spillBuffer(plan, rates), changeBody(plan, rates)})
      if (other && (!best || other->savedPerSecond > best->savedPerSecond))
        best = std::move(other);
    std::optional<ChangedPlan> streamed = streamConstant(plan, rates);
    bool streams =
        streamed && (!best || streamed->savedPerSecond > best->savedPerSecond);
    if (streams)
      best = std::move(streamed);
    if (!best)
      return false;
    searched += plan.steps.size() / (streams ? constantsPerSearch : 1);
    plan = std::move(best->plan);
    if (fits())
      return true;
  }
  return false;
}

static std::optional<uint64_t> limitOf(txp::FuncOp program) {
  auto attribute =
      program->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>(
          txp::memoryLimitAttr);
  if (!attribute || !program.isEntry())
    return std::nullopt;
  return static_cast<uint64_t>(attribute.getInt());
}

static RunRates ratesOf(ModuleOp module, const FitMemoryPassOptions &options) {
  auto hostRate = module->getAttrOfType<FloatAttr>(txp::hostRateAttr);
  return {options.launchMicroseconds * 1e-6,
          options.memoryRate * 1e9,
          options.arithmeticRate * 1e9,
          hostRate ? hostRate.getValueAsDouble() * 1e9 : 0,
          options.threads,
          options.copiesConstants};
}

/// True for the body of the program, and of a loop in such a body. RunPlan has
/// their steps.
static bool hasPlanOfItsOwn(Block *block) {
  Operation *parent = block->getParentOp();
  return isa<txp::FuncOp>(parent) || (isa<scf::ForOp, scf::WhileOp>(parent) &&
                                      hasPlanOfItsOwn(parent->getBlock()));
}

/// Lets the temporaries of each branch share memory, so that the bytes that it
/// allocates are known.
static void planNestedBlocks(txp::FuncOp program) {
  program.walk([&](Block *block) {
    if (!hasPlanOfItsOwn(block))
      planBlock(*block);
  });
}

/// Searches a plan with the rates of the device. If none fits, searches with
/// the default rates, and then as if arithmetic were slow, which repeats
/// cheaper launches. Rates of a device are measured in each process and differ
/// a little, and so do the plans that they lead to. The limit that a refusal
/// names is therefore the smallest one of the later searches.
static FailureOr<FitSearch> searchPlan(txp::FuncOp program, uint64_t limit,
                                       const FitMemoryPassOptions &options,
                                       FitEffort effort) {
  auto module = program->getParentOfType<ModuleOp>();
  auto search = [&](const RunRates &rates) -> FailureOr<FitSearch> {
    FailureOr<RunPlan> plan = RunPlan::read(program, rates);
    if (failed(plan))
      return failure();
    FitSearch search(std::move(*plan), limit);
    search.run(rates, effort);
    return search;
  };
  RunRates rates = ratesOf(module, options);
  FailureOr<FitSearch> first = search(rates);
  if (failed(first) || first->hasFound || effort == FitEffort::Free)
    return first;
  FitMemoryPassOptions defaults;
  defaults.copiesConstants = options.copiesConstants;
  defaults.threads = options.threads;
  bool hasHost = rates.hostBytesPerSecond != 0;
  rates = ratesOf(module, defaults);
  rates.hostBytesPerSecond = hasHost ? defaultHostRate : 0;
  FailureOr<FitSearch> best = search(rates);
  if (best->hasFound)
    return best;
  rates.flopsPerSecond /= slowArithmetic;
  FailureOr<FitSearch> last = search(rates);
  return last->smallestBytes < best->smallestBytes ? last : best;
}

static FitEstimate estimateEntries(ModuleOp module,
                                   const FitMemoryPassOptions &options,
                                   FitEffort effort) {
  FitEstimate estimate;
  for (auto program : module.getOps<txp::FuncOp>()) {
    std::optional<uint64_t> limit = limitOf(program);
    if (!limit)
      continue;
    planNestedBlocks(program);
    FailureOr<FitSearch> search = searchPlan(program, *limit, options, effort);
    if (failed(search)) {
      estimate.isKnown = false;
      continue;
    }
    const RunPlan &plan = search->hasFound ? search->plan : search->smallest;
    estimate.natural.push_back(search->natural);
    estimate.fits &= search->hasFound;
    estimate.isFree &= search->isFree;
    estimate.bytes = std::max(estimate.bytes, plan.totalBytes());
    for (const PlannedStep &step : plan.steps)
      estimate.seconds += step.seconds;
  }
  return estimate;
}

FitEstimate estimateFit(ModuleOp module, const FitMemoryPassOptions &options,
                        FitEffort effort) {
  bool hasNested = false;
  for (auto program : module.getOps<txp::FuncOp>())
    for (Operation &op : program.getBody().front())
      hasNested |= op.getNumRegions() != 0;
  if (!hasNested)
    return estimateEntries(module, options, effort);
  OwningOpRef<ModuleOp> copy = module.clone();
  return estimateEntries(*copy, options, effort);
}

std::optional<PlannedBytes> fitForSizes(txp::FuncOp program,
                                        DictionaryAttr sizes, int64_t limit,
                                        const FitMemoryPassOptions &options) {
  RunRates rates = ratesOf(program->getParentOfType<ModuleOp>(), options);
  FailureOr<RunPlan> plan = RunPlan::read(program, rates, sizes);
  if (failed(plan))
    return std::nullopt;
  // The program for all sizes keeps the constants on the device.
  for (auto &constant : plan->constants)
    constant.isPlain = false;
  FitSearch search(std::move(*plan), static_cast<uint64_t>(limit));
  search.run(rates, FitEffort::Full);
  if (!search.hasFound)
    return PlannedBytes{search.natural, search.smallestBytes};
  prefetchConstants(search.plan, limit);
  PlannedBytes bytes{search.natural, search.plan.totalBytes()};
  applyPlan(program, search.plan);
  return bytes;
}

namespace {
/// For each entry function, changes its plan until it fits, and then applies
/// the plan.
struct FitMemory final : impl::FitMemoryPassBase<FitMemory> {
  using FitMemoryPassBase::FitMemoryPassBase;

  void runOnOperation() override {
    txp::FuncOp program = getOperation();
    std::optional<uint64_t> limit = limitOf(program);
    if (!limit)
      return;
    planNestedBlocks(program);
    FitMemoryPassOptions options;
    options.copiesConstants = copiesConstants;
    options.threads = threads;
    options.launchMicroseconds = launchMicroseconds;
    options.memoryRate = memoryRate;
    options.arithmeticRate = arithmeticRate;
    FailureOr<FitSearch> found =
        searchPlan(program, *limit, options, FitEffort::Full);
    // If a size is known only at run time, the allocator enforces the limit.
    if (failed(found))
      return;
    FitSearch &search = *found;
    int64_t fitted = search.smallestBytes;
    if (search.hasFound) {
      prefetchConstants(search.plan, static_cast<int64_t>(*limit));
      fitted = search.plan.totalBytes();
      if (fitted < search.natural)
        applyPlan(program, search.plan);
    }
    // A program that was split needed more before that.
    if (auto whole = program->getAttrOfType<DictionaryAttr>(txp::fitAttr))
      search.natural = whole.getAs<IntegerAttr>("natural").getInt();
    Builder b(program.getContext());
    auto number = [&](StringRef name, int64_t value) {
      return b.getNamedAttr(name, b.getI64IntegerAttr(value));
    };
    program->setAttr(
        txp::fitAttr,
        b.getDictionaryAttr({number("limit", static_cast<int64_t>(*limit)),
                             number("natural", search.natural),
                             number("fitted", fitted),
                             number("moved", search.moved)}));
    if (!search.hasFound) {
      refuseLimit(program, search.smallest, *limit);
      signalPassFailure();
    }
  }
};
} // namespace

} // namespace tensorc::compiler
