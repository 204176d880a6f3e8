//===- ReportTexts.cpp - IR and assembly texts of a report's kernels ------===//

#include "compiler/session/report/ReportTexts.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tensorc::report {

/// Maximum number of lines of a text. An unrolled kernel has tens of thousands
/// of lines, which are of no use in a browser.
static constexpr size_t maxLines = 3000;

/// Maximum number of elements of a printed constant. Without this limit, a page
/// of ResNet-50 would contain its weights.
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

/// Returns true for a label to which only debug line tables refer.
static bool isLabelOfDebugging(StringRef line) {
  if (!line.consume_front(".L") && !line.consume_front("$L__"))
    return false;
  return line.starts_with("tmp") || line.starts_with("func_begin");
}

/// Returns true for a line that does not help a reader of the instructions.
static bool isNoise(StringRef line) {
  line = line.trim();
  return line.empty() || line.starts_with(".cfi_") ||
         line.starts_with(".p2align") || line.starts_with(".loc") ||
         line.starts_with(".file") || isLabelOfDebugging(line);
}

/// If a function begins at the line, which is its label or its declaration as a
/// kernel, returns the function's name; otherwise returns an empty text.
static StringRef functionAt(StringRef line) {
  if (line.empty() || line.front() == ' ' || line.front() == '\t')
    return "";
  if (line.contains(".entry ") || line.contains(".func "))
    return line.split('(').first.rsplit(' ').second;
  return line.contains(':') ? line.split(':').first : "";
}

/// Returns true if a function ends at the line, which is the label after it or
/// its closing brace.
static bool endsFunction(StringRef line) {
  return line.starts_with(".Lfunc_end") || line.starts_with("}");
}

namespace {
/// The source lines that the `.loc` directives of an assembly file name.
class SourceLines {
public:
  /// PTX lists its files at the end, so the whole text is scanned for them
  /// first.
  explicit SourceLines(StringRef assembly) {
    for (StringRef line : llvm::split(assembly, '\n'))
      if (unsigned number; consumeDirective(line, ".file", number))
        files[number] = nameOf(line);
  }

  /// Makes the next directive produce a mark, even if its line is the same as
  /// the previous one.
  void beginFunction() { last.clear(); }

  /// Reads one line, which may be a directive.
  void read(StringRef line) {
    unsigned file, number;
    if (!consumeDirective(line, ".loc", file) ||
        line.ltrim().consumeInteger(10, number) || !number ||
        !files.count(file))
      return;
    std::string mark = "# " + files[file] + ":" + std::to_string(number) + "\n";
    if (mark != last)
      pending = last = mark;
  }

  /// Returns the mark to print before the next instruction, or an empty text.
  std::string takeMark() { return std::exchange(pending, ""); }

private:
  llvm::DenseMap<unsigned, std::string> files;
  std::string last, pending;

  /// If the line begins with this directive and a number, removes both.
  static bool consumeDirective(StringRef &line, StringRef name,
                               unsigned &number) {
    line = line.ltrim();
    if (!line.consume_front(name))
      return false;
    line = line.ltrim();
    return !line.consumeInteger(10, number);
  }

  /// Returns the path of `"FOLDER" "NAME" md5 ...`, where FOLDER may be
  /// missing.
  static std::string nameOf(StringRef words) {
    SmallVector<StringRef, 5> parts;
    words.split(parts, '"');
    if (parts.size() < 3)
      return words.trim().str();
    StringRef folder = parts[1], name = parts.size() < 5 ? "" : parts[3];
    if (name.empty())
      return folder.str();
    return name.starts_with("/") || folder.empty()
               ? name.str()
               : (folder + "/" + name).str();
  }
};
} // namespace

llvm::StringMap<std::string> splitAssembly(StringRef assembly,
                                           ArrayRef<std::string> functions) {
  llvm::StringMap<std::string> texts;
  for (const std::string &function : functions)
    texts[function];
  auto current = texts.end();
  SourceLines lines(assembly);
  for (StringRef line : llvm::split(assembly, '\n')) {
    if (auto found = texts.find(functionAt(line)); found != texts.end()) {
      current = found;
      lines.beginFunction();
    }
    lines.read(line);
    if (current == texts.end())
      continue;
    if (endsFunction(line))
      current = texts.end();
    else if (!isNoise(line))
      ((current->second += lines.takeMark()) += line) += "\n";
  }
  return texts;
}

bool belongsTo(StringRef function, StringRef fusion) {
  return function.consume_front(fusion) &&
         (function.empty() || function.front() == '_' ||
          function.front() == '.');
}

} // namespace tensorc::report
