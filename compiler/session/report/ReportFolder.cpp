//===- ReportFolder.cpp - Reports written for TENSORC_REPORT=DIR ----------===//

#include "compiler/session/report/ReportFolder.h"

#include "compiler/frontends/files/OutputFile.h"
#include "compiler/log/Environment.h"
#include "compiler/session/report/TriedSchedules.h"
#include "runtime/include/tensorc/runtime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <unistd.h>

using namespace mlir;

namespace tensorc::report {

/// Maximum number of arguments whose types a list shows.
static constexpr size_t maxShownArguments = 8;

ReportFolder &ReportFolder::get() {
  // Never destroyed, like the session.
  static auto *reports = new ReportFolder;
  return *reports;
}

ReportFolder::ReportFolder() : folder(readVariable("TENSORC_REPORT").str()) {
  if (folder.empty())
    return;
  if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
    llvm::errs() << "tensorc: TENSORC_REPORT=" << folder
                 << " is ignored: " << error.message() << "\n";
    folder.clear();
  }
}

std::string ReportFolder::pathOf(StringRef file) const {
  return folder + "/" + file.str();
}

/// Returns the types of the function's arguments.
static std::string argumentsOf(func::FuncOp function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ArrayRef<Type> types = function.getArgumentTypes();
  llvm::interleaveComma(types.take_front(maxShownArguments), os);
  if (types.size() > maxShownArguments)
    os << " and " << types.size() - maxShownArguments << " more";
  return text;
}

/// Returns the first source location among the ops of the function.
static std::string firstPlaceOf(func::FuncOp function) {
  std::string place;
  function.walk([&](Operation *op) {
    auto line = op->getLoc()->findInstanceOf<FileLineColLoc>();
    if (!line)
      return WalkResult::advance();
    place =
        llvm::formatv("{0}:{1}", line.getFilename().getValue(), line.getLine());
    return WalkResult::interrupt();
  });
  return place;
}

std::vector<CompilationFacts>
ReportFolder::historyOf(uint64_t structure) const {
  std::vector<CompilationFacts> history;
  for (const Page &page : pages)
    if (page.structure == structure)
      history.push_back(page.facts);
  return history;
}

void ReportFolder::add(ModuleOp copy, const std::string &target,
                       llvm::ArrayRef<std::string> schedules,
                       uint64_t structure, CompilationFacts facts) {
  compiler::CompileOptions options;
  options.target = target;
  options.schedules = schedules.vec();
  options.threads = tensorc_rt_num_threads();
  auto function = *copy.getOps<func::FuncOp>().begin();
  facts.number = pages.size() + 1;
  facts.arguments = argumentsOf(function);
  std::string file = llvm::formatv("{0}-{1}.html", getpid(), facts.number);
  Page &page = pages.emplace_back(
      Page{facts, structure, firstPlaceOf(function), "", file});
  ReportRequest request{
      llvm::formatv("Compilation {0}: {1}", facts.number, facts.reason)};
  request.entry = function.getName().str();
  request.compilations = historyOf(structure);
  request.tried = TriedSchedules::get().all();
  std::string errors;
  ScopedDiagnosticHandler handler(
      copy.getContext(), [&](Diagnostic &error) { errors += error.str(); });
  if (auto text = makeReport(copy, options, request); failed(text))
    page.problem = errors;
  else if (llvm::Error error = files::writeFile(pathOf(file), *text))
    page.problem = llvm::toString(std::move(error));
  writeList();
}

void ReportFolder::writeList() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>Compilations of process "
     << getpid()
     << "</title>\n<style>:root { color-scheme: light dark; } body { font: "
        "15px/1.45 system-ui, sans-serif; } td, th { text-align: left; "
        "padding: 3px 8px; vertical-align: top; }</style>\n<h1>Compilations "
        "of process "
     << getpid()
     << "</h1>\n<table>\n<tr><th>number<th>why<th>same program as<th>"
        "arguments<th>first line<th>ms\n";
  for (const Page &page : pages) {
    unsigned number = page.facts.number;
    unsigned first = historyOf(page.structure).front().number;
    os << "<tr><td>";
    if (page.problem.empty())
      os << llvm::formatv("<a href=\"{0}\">{1}</a>", page.file, number);
    else
      os << number << " (no page: " << escapeHtml(page.problem) << ")";
    os << "<td>" << escapeHtml(page.facts.reason) << "<td>"
       << (first == number ? "" : std::to_string(first)) << "<td>"
       << escapeHtml(page.facts.arguments) << "<td>" << escapeHtml(page.place)
       << "<td>" << llvm::formatv("{0:F1}", page.facts.seconds * 1e3) << "\n";
  }
  os << "</table>\n</html>\n";
  if (llvm::Error error =
          files::writeFile(pathOf(std::to_string(getpid()) + ".html"), text))
    llvm::errs() << "tensorc: TENSORC_REPORT: "
                 << llvm::toString(std::move(error)) << "\n";
}

} // namespace tensorc::report
