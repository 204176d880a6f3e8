//===- ReportTexts.cpp - The texts of a report's kernels ------------------===//

#include "compiler/session/report/ReportTexts.h"

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

static OpPrintingFlags flagsOfTexts() {
  OpPrintingFlags flags;
  return flags.elideLargeElementsAttrs(maxElements)
      .elideLargeResourceString(maxElements)
      .useLocalScope();
}

ElidedPrinter::ElidedPrinter(Operation *function)
    : names(function, flagsOfTexts()) {}

std::string ElidedPrinter::print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, names);
  os << "\n";
  return text;
}

/// True for a line within a function that no reader of instructions needs.
static bool isNoise(StringRef line) {
  line = line.trim();
  return line.empty() || line.starts_with(".cfi_") ||
         line.starts_with(".p2align") || line.starts_with(".loc");
}

/// Returns the function that begins at the line, which is its label or declares
/// it as a kernel; else an empty text.
static StringRef functionAt(StringRef line) {
  if (line.empty() || line.front() == ' ' || line.front() == '\t')
    return "";
  if (line.contains(".entry ") || line.contains(".func "))
    return line.split('(').first.rsplit(' ').second;
  return line.contains(':') ? line.split(':').first : "";
}

/// Returns true if a line ends a function: the label after it, or the brace
/// that closes it.
static bool endsFunction(StringRef line) {
  return line.starts_with(".Lfunc_end") || line.starts_with("}");
}

llvm::StringMap<std::string> splitAssembly(StringRef assembly,
                                           ArrayRef<std::string> functions) {
  llvm::StringMap<std::string> texts;
  for (const std::string &function : functions)
    texts[function];
  auto current = texts.end();
  for (StringRef line : llvm::split(assembly, '\n')) {
    if (auto found = texts.find(functionAt(line)); found != texts.end())
      current = found;
    if (current == texts.end())
      continue;
    if (endsFunction(line))
      current = texts.end();
    else if (!isNoise(line))
      (current->second += line) += "\n";
  }
  return texts;
}

bool belongsTo(StringRef function, StringRef fusion) {
  return function.consume_front(fusion) &&
         (function.empty() || function.front() == '_' ||
          function.front() == '.');
}

} // namespace tensorc::report
