//===- ChangeBody.cpp - Reduces the memory that iterations of a loop use --===//
//
// The temporaries of a loop's body are one buffer of the plan around it. If that
// is in use at the peak, the decisions that reduce the peak of an iteration
// reduce that of the run. Their time counts once per iteration.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/fit/FitDecisions.h"

using namespace mlir;

namespace tensorc::compiler {

std::optional<ChangedPlan> changeBody(const RunPlan &plan,
                                      const RunRates &rates) {
  RunPlan::Usage usage = plan.usage();
  if (usage.peak == 0 || usage.at >= plan.steps.size())
    return std::nullopt;
  std::optional<ChangedPlan> best;
  for (unsigned number : plan.bodiesOf(plan.steps[usage.at])) {
    const LoopBody &body = plan.bodies[number];
    for (std::optional<ChangedPlan> inner :
         {repeatLaunches(*body.plan, *body.original),
          spillBuffer(*body.plan, rates), changeBody(*body.plan, rates)}) {
      if (!inner)
        continue;
      double savedPerSecond = inner->savedPerSecond / body.iterations;
      if (best && savedPerSecond <= best->savedPerSecond)
        continue;
      best = ChangedPlan{plan, savedPerSecond};
      best->plan.setBody(number, std::move(inner->plan));
    }
  }
  return best;
}

} // namespace tensorc::compiler
