//===- ScheduleOverride.h - A schedule by hand ------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_SCHEDULEOVERRIDE_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_SCHEDULEOVERRIDE_H

#include "ir/tx/Tx.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tensorc::compiler {

/// What `--schedule=KERNEL:rows=64,columns=64` says. Numbers that it leaves out
/// are those of the first schedule offered that has the others;
/// `skeleton=mma` picks among skeletons. What tuning found is
/// `@KEY:target=T,rows=64,...`: of all kernels with this keyOfBody, for this
/// target, where it is offered and nobody says otherwise by hand.
struct ScheduleOverride {
  std::string kernel;
  std::string key, target; // empty: it is by hand
  std::string skeleton;    // empty: any
  std::vector<std::pair<std::string, int64_t>> numbers;
  bool isUsed = false;

  bool isTuned() const { return !key.empty(); }

  static llvm::Expected<ScheduleOverride> parse(llvm::StringRef text);
  /// The first that is as wanted, or an error that says what is offered.
  llvm::Expected<tx::ScheduleAttr>
  pick(llvm::ArrayRef<tx::ScheduleAttr> offered) const;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_SCHEDULEOVERRIDE_H
