//===- ReportFolder.h - Reports written for TENSORC_REPORT=DIR --*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_REPORTFOLDER_H
#define TENSORC_COMPILER_SESSION_REPORT_REPORTFOLDER_H

#include "compiler/session/report/Report.h"

#include <string>
#include <vector>

namespace tensorc::report {

/// Writes a page for each compilation of the process, and a page that lists
/// them with their reasons: `DIR/PID.html`. Does nothing unless TENSORC_REPORT
/// names a folder. Callers hold the session's compile mutex.
class ReportFolder {
public:
  static ReportFolder &get();
  bool isOn() const { return !folder.empty(); }

  /// Writes the page of a compilation. `copy` is its module before it was
  /// compiled, and is consumed. Programs with the same `structure` differ only
  /// in sizes and numbers.
  void add(mlir::ModuleOp copy, const std::string &target,
           llvm::ArrayRef<std::string> schedules, uint64_t structure,
           CompilationFacts facts);

private:
  ReportFolder();

  struct Page {
    CompilationFacts facts;
    uint64_t structure;
    std::string place, problem;
    /// The name of the page's file. A forked process also lists the pages of
    /// its parent.
    std::string file;
  };
  std::string folder;
  std::vector<Page> pages;

  std::string pathOf(llvm::StringRef file) const;
  /// Returns all compilations of a structure so far.
  std::vector<CompilationFacts> historyOf(uint64_t structure) const;
  void writeList() const;
};

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_REPORTFOLDER_H
