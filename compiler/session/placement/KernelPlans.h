//===- KernelPlans.h - Costs of an expression on each device --------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_KERNELPLANS_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_KERNELPLANS_H

#include "compiler/graph/Trace.h"
#include "compiler/session/placement/FusionWork.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace tensorc::placement {

/// The kernels of one structure, planned for each device that `auto` may
/// choose.
struct KernelPlan {
  /// The context that owns the expressions below.
  std::shared_ptr<mlir::MLIRContext> context;
  /// The work on each candidate. Candidates with equal targets share one
  /// object. Null if a candidate cannot compute the expression.
  std::vector<std::shared_ptr<const FunctionWork>> works;
  /// True if the plan is valid only for the sizes for which it was made.
  bool isOneSize = false;

  /// Returns the kernels' cost for each candidate, for the trace's sizes.
  std::vector<Sum> sums(llvm::ArrayRef<Candidate> candidates,
                        const graph::Trace &trace) const;
};

/// Cache of plans by the structure of the expression. Thread-safe. It is
/// cleared when it is full.
class KernelPlans {
public:
  std::shared_ptr<const KernelPlan> find(const graph::Trace &trace);
  void insert(const graph::Trace &trace,
              std::shared_ptr<const KernelPlan> plan);
  /// Lock and unlock the mutex around a fork.
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }

private:
  struct Entry {
    std::vector<uint64_t> key;
    std::vector<int64_t> sizes;
    std::shared_ptr<const KernelPlan> plan;
  };
  static constexpr size_t capacity = 256;

  std::mutex mutex;
  // Keyed by the traces' hashes.
  std::unordered_multimap<uint64_t, Entry> entries;
};

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_KERNELPLANS_H
