//===- ReportTexts.cpp - The texts of a report's kernels ------------------===//

#include "compiler/session/report/ReportTexts.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tensorc::report {

/// Maximum number of lines of a text: an unrolled kernel has tens of thousands,
/// which nobody reads in a browser.
static constexpr size_t maxLines = 3000;

/// Maximum number of elements that a printed constant has. A page of ResNet-50
/// would otherwise hold its weights.
static constexpr int64_t maxElements = 16;

int64_t TextTable::add(StringRef text) {
  auto [known, isNew] = numbers.try_emplace(text, texts.size());
  if (!isNew)
    return known->second;
  size_t end = 0, lines = 0;
  while (lines < maxLines && end < text.size()) {
    end = text.find('\n', end);
    end = end == StringRef::npos ? text.size() : end + 1;
    ++lines;
  }
  std::string shown = text.take_front(end).str();
  if (size_t more = text.drop_front(end).count('\n'))
    shown += "... " + std::to_string(more) + " more lines\n";
  texts.push_back(llvm::json::fixUTF8(shown));
  return known->second;
}

std::string printElided(Operation *op, Operation *function) {
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(maxElements)
      .elideLargeResourceString(maxElements)
      .useLocalScope();
  std::string text;
  llvm::raw_string_ostream os(text);
  AsmState names(function, flags);
  op->print(os, names);
  os << "\n";
  return text;
}

/// True for a line of an assembly file that is no instruction: a directive or
/// an empty line.
static bool isDirective(StringRef line) {
  line = line.trim();
  return line.empty() || (line.starts_with(".") && !line.ends_with(":"));
}

/// Returns true if a line begins the function: its label, or the line that
/// declares it as a kernel.
static bool begins(StringRef line, StringRef function) {
  if (line.consume_front(function))
    return line.starts_with(":");
  size_t at = line.find((" " + function + "(").str());
  return line.starts_with(".") && at != StringRef::npos;
}

/// Returns true if a line ends a function: the label after it, or the brace
/// that closes it.
static bool ends(StringRef line) {
  return line.starts_with(".Lfunc_end") || line.starts_with("}");
}

std::string assemblyOf(StringRef assembly, StringRef function) {
  std::string text;
  bool isInside = false;
  for (StringRef line : llvm::split(assembly, '\n')) {
    if (!isInside && begins(line, function))
      isInside = true;
    else if (isInside && ends(line))
      break;
    else if (!isInside || isDirective(line))
      continue;
    (text += line) += "\n";
  }
  return text;
}

bool belongsTo(StringRef function, StringRef fusion) {
  return function.consume_front(fusion) &&
         (function.empty() || function.front() == '_');
}

} // namespace tensorc::report
