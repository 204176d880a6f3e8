//===- TriedSchedules.h - Schedules that the process measured ---*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_TRIEDSCHEDULES_H
#define TENSORC_COMPILER_SESSION_REPORT_TRIEDSCHEDULES_H

#include "compiler/session/report/Report.h"

#include <mutex>

namespace tensorc::report {

/// Keeps the schedules that the process measured, for its reports.
class TriedSchedules {
public:
  static TriedSchedules &get();

  /// Adds the schedules of a kernel, and removes earlier ones of it.
  void replace(llvm::StringRef key,
               llvm::ArrayRef<std::pair<std::string, double>> trials);
  std::vector<TriedSchedule> all();

private:
  std::mutex mutex; // guards what follows
  std::vector<TriedSchedule> tried;
};

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_TRIEDSCHEDULES_H
