//===- FitMemory.cpp - Fits a program into a memory limit -----------------===//
//
// The design is described in docs/design/0107-memory-limits.md.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/memory/FitDecisions.h"
#include "compiler/transforms/passes/memory/PlanBlock.h"
#include "ir/program/HostCopies.h"
#include "ir/program/LaunchAttributes.h"

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
/// For each entry function, changes its plan until it fits, and then applies
/// the plan.
struct FitMemory final : impl::FitMemoryPassBase<FitMemory> {
  using FitMemoryPassBase::FitMemoryPassBase;

  void runOnOperation() override {
    txp::FuncOp program = getOperation();
    auto attribute =
        program->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>(
            txp::memoryLimitAttr);
    if (!attribute || !program.isEntry())
      return;
    auto limit = static_cast<uint64_t>(attribute.getInt());
    // What branches allocate is known once their temporaries share memory.
    program.walk([&](Block *block) {
      if (block->getParentOp() != program)
        planBlock(*block);
    });
    auto hostRate =
        program->getParentOfType<ModuleOp>()->getAttrOfType<FloatAttr>(
            txp::hostRateAttr);
    RunRates rates{launchMicroseconds * 1e-6,
                   memoryRate * 1e9,
                   arithmeticRate * 1e9,
                   hostRate ? hostRate.getValueAsDouble() * 1e9 : 0,
                   threads,
                   copiesConstants};
    FailureOr<RunPlan> read = RunPlan::read(program, rates);
    // If a size is known only at run time, the allocator enforces the limit.
    if (failed(read))
      return;
    RunPlan plan = std::move(*read);
    int64_t natural = plan.totalBytes();
    RunPlan smallest = plan;
    int64_t smallestBytes = natural;
    auto fits = [&] {
      int64_t bytes = plan.totalBytes();
      if (bytes < smallestBytes) {
        smallest = plan;
        smallestBytes = bytes;
      }
      return static_cast<uint64_t>(bytes) <= limit;
    };
    unsigned moved = 0;
    if (!fit(plan, rates, fits, moved)) {
      refuseLimit(program, smallest, limit);
      return signalPassFailure();
    }
    prefetchConstants(plan, static_cast<int64_t>(limit));
    if (plan.totalBytes() < natural)
      applyPlan(program, plan);
    Builder b(program.getContext());
    auto number = [&](StringRef name, int64_t value) {
      return b.getNamedAttr(name, b.getI64IntegerAttr(value));
    };
    program->setAttr(txp::fitAttr,
                     b.getDictionaryAttr({number("limit", attribute.getInt()),
                                          number("natural", natural),
                                          number("fitted", plan.totalBytes()),
                                          number("moved", moved)}));
  }

private:
  /// Makes decisions in an order that does not depend on the limit, until the
  /// plan fits. A program therefore fits into the limit that its error message
  /// names.
  static bool fit(RunPlan &plan, const RunRates &rates,
                  function_ref<bool()> fits, unsigned &moved) {
    if (fits())
      return true;
    plan.sharesMemory = true;
    if (fits())
      return true;
    moved = orderByPeak(plan);
    if (fits())
      return true;
    // The search does not need the predecessors, and copies the plan often.
    plan.predecessors.clear();
    RunPlan original = plan;
    for (size_t searched = plan.steps.size(); searched <= maxSearchedSteps;) {
      std::optional<ChangedPlan> best = repeatLaunches(plan, original);
      std::optional<ChangedPlan> spilled = spillBuffer(plan, rates);
      if (spilled && (!best || spilled->savedPerSecond > best->savedPerSecond))
        best = std::move(spilled);
      std::optional<ChangedPlan> streamed = streamConstant(plan, rates);
      bool streams = streamed &&
                     (!best || streamed->savedPerSecond > best->savedPerSecond);
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
};
} // namespace

} // namespace tensorc::compiler
