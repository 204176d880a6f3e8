//===- Report.h - The HTML report of a compilation ------------------------===//
//
// The report is one HTML file that needs no network. It shows the user's source
// next to the graph of kernels; for each kernel its ops, its IR after each
// stage, its assembly, its work, and the reasons why its neighbours were not
// fused; memory use over time; and the times of the stages. The file contains
// the source.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_REPORT_H
#define TENSORC_COMPILER_SESSION_REPORT_REPORT_H

#include "compiler/output/pipelines/Pipelines.h"

#include <optional>
#include <string>
#include <vector>

namespace tensorc::report {

/// The measured time of a kernel.
struct Measurement {
  std::string kernel;
  int64_t launches = 0; // number of launches per run
  double seconds = 0;   // time of the fastest launch
  // Estimated minimum time of a launch on this machine; 0 if unknown.
  double boundSeconds = 0;
  std::string bound; // `memory` or `arithmetic`
};

/// One compilation of a program. A process may compile a program again when its
/// sizes change.
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
  std::string key; // key of the kernel's body
  std::string schedule;
  double seconds = 0; // time of the fastest run
};

/// Contents of the page that do not come from the module.
struct ReportRequest {
  /// The title: the name of the program.
  std::string title;
  /// The name of the function in the module.
  std::string entry = "main";
  /// The only file whose text the page may contain. A program from an untrusted
  /// origin could name any file as its source. Nullopt: the files of all lines.
  std::optional<std::string> source = std::nullopt;
  std::vector<Measurement> measurements = {};
  /// The machine on which the measurements were taken.
  std::string machine = {};
  /// The compilations of this program so far; the last one is the page's own.
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
