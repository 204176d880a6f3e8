//===- ScheduleOverride.h - Schedules set by hand or by tuning --*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_SCHEDULEOVERRIDE_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_SCHEDULEOVERRIDE_H

#include "ir/tx/TxDialect.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tensorc::compiler {

/// A schedule that is set by hand (`--schedule=KERNEL:rows=64,columns=64`) or
/// was found by tuning. It selects the first offered schedule that has the
/// given numbers; `skeleton=mma` selects among skeletons. A tuned schedule
/// (`@KEY:target=T,rows=64,...`) applies to all kernels with this keyOfBody on
/// this target, unless it is not offered or is overridden by hand.
struct ScheduleOverride {
  std::string kernel;
  std::string key, target; // empty if it is set by hand
  std::string skeleton;    // any if empty
  std::vector<std::pair<std::string, int64_t>> numbers;
  bool isUsed = false;

  bool isTuned() const { return !key.empty(); }

  static llvm::Expected<ScheduleOverride> parse(llvm::StringRef text);
  /// Returns the first schedule that matches, or an error that lists the
  /// offered ones.
  llvm::Expected<tx::ScheduleAttr>
  pick(llvm::ArrayRef<tx::ScheduleAttr> offered) const;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_SCHEDULEOVERRIDE_H
