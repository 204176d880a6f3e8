//===- TriedSchedules.cpp - Schedules that the process measured -----------===//

#include "compiler/session/report/TriedSchedules.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::report {

TriedSchedules &TriedSchedules::get() {
  // Never destroyed, like the session.
  static auto *schedules = new TriedSchedules;
  return *schedules;
}

void TriedSchedules::replace(
    llvm::StringRef key,
    llvm::ArrayRef<std::pair<std::string, double>> trials) {
  std::scoped_lock lock(mutex);
  llvm::erase_if(tried, [&](const auto &old) { return old.key == key; });
  for (const auto &[schedule, seconds] : trials)
    tried.push_back({key.str(), schedule, seconds});
}

std::vector<TriedSchedule> TriedSchedules::all() {
  std::scoped_lock lock(mutex);
  return tried;
}

} // namespace tensorc::report
