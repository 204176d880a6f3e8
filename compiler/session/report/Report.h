//===- Report.h - A compilation as a page to look at ----------------------===//
//
// One HTML file that needs no network: the user's source beside the graph of
// kernels, and for each kernel its ops, its IR after each stage, its assembly,
// its work, and why its neighbours were not fused; memory over time; times of
// the stages. The file contains the source.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_REPORT_H
#define TENSORC_COMPILER_SESSION_REPORT_REPORT_H

#include "compiler/output/pipelines/Pipelines.h"

#include <optional>
#include <string>
#include <vector>

namespace tensorc::report {

/// How fast a kernel ran.
struct Measurement {
  std::string kernel;
  int64_t launches = 0;    // per run
  double seconds = 0;      // of the fastest launch
  double boundSeconds = 0; // minimum time of a launch here; 0: unknown
  std::string bound;       // `memory` or `arithmetic`
};

/// A compilation of a program in a process, which compiles a program again when
/// its sizes change.
struct CompilationFacts {
  /// Position among all compilations of the process, from 1.
  unsigned number = 0;
  std::string reason = {};
  /// The arguments' types, with names for sizes that may change.
  std::string arguments = {};
  double seconds = 0;
};

/// A schedule that tuning measured.
struct TriedSchedule {
  std::string key; // of the kernel's body
  std::string schedule;
  double seconds = 0; // of the fastest run
};

/// What the page shows besides what the module says.
struct ReportRequest {
  /// The title: the name of the program.
  std::string title;
  /// The function of the module.
  std::string entry = "main";
  /// The only file whose text the page may contain, because a program from
  /// elsewhere may name any file as its source. Nullopt: the files of all
  /// lines.
  std::optional<std::string> source = std::nullopt;
  std::vector<Measurement> measurements = {};
  /// The machine on which the measurements were taken.
  std::string machine = {};
  /// The compilations of this program so far, the page's own one last.
  std::vector<CompilationFacts> compilations = {};
  std::vector<TriedSchedule> tried = {};
};

/// Returns the text with the characters escaped that have a meaning in HTML.
std::string escapeHtml(llvm::StringRef text);

/// Returns the page of a freshly parsed or built module, which is consumed.
/// Errors are diagnostics of the module's context.
mlir::FailureOr<std::string> makeReport(mlir::ModuleOp module,
                                        const compiler::CompileOptions &options,
                                        const ReportRequest &request);

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_REPORT_H
