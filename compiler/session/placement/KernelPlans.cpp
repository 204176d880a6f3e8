//===- KernelPlans.cpp - Costs of an expression on each device ------------===//

#include "compiler/session/placement/KernelPlans.h"

#include "compiler/graph/module/ToModule.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::placement {

std::vector<Sum> KernelPlan::sums(llvm::ArrayRef<Candidate> candidates,
                                  const graph::Trace &trace) const {
  auto sizeOf = [&](llvm::StringRef name) -> std::optional<int64_t> {
    std::optional<unsigned> id = graph::sizeOfName(name);
    return id && *id < trace.sizes.size() ? std::optional(trace.sizes[*id])
                                          : std::nullopt;
  };
  std::vector<Sum> sums;
  for (auto [candidate, work] : llvm::zip_equal(candidates, works))
    sums.push_back(work ? sumOfKernels(candidate, work->at(sizeOf))
                        : impossible());
  return sums;
}

std::shared_ptr<const KernelPlan> KernelPlans::find(const graph::Trace &trace) {
  std::scoped_lock lock(mutex);
  auto [begin, end] = entries.equal_range(trace.hash);
  for (auto it = begin; it != end; ++it) {
    const Entry &entry = it->second;
    if (entry.key == trace.key &&
        (!entry.plan->isOneSize || entry.sizes == trace.sizes))
      return entry.plan;
  }
  return nullptr;
}

void KernelPlans::insert(const graph::Trace &trace,
                         std::shared_ptr<const KernelPlan> plan) {
  std::scoped_lock lock(mutex);
  if (entries.size() >= capacity)
    entries.clear();
  entries.insert({trace.hash, {trace.key, trace.sizes, std::move(plan)}});
}

} // namespace tensorc::placement
