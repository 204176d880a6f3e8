//===- ManPage.cpp - Man pages --------------------------------------------===//

#include "tools/tensorc/help/Help.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tensorc::tool {

namespace {
/// Another program of the project. Its page refers to its --help.
struct OtherProgram {
  StringRef name, summary, usage, text;
};
} // namespace

static constexpr OtherProgram otherPrograms[] = {
    {"tensorc-opt", "run compiler passes over MLIR text",
     "[IN] [--PASS ...] [-o OUT]",
     "Passes run in the order in which they are given. --help lists them."},
    {"tensorc-lsp-server", "serve editors with MLIR text of tensorc",
     "[options]",
     "A server of the language server protocol on stdin and stdout: "
     "diagnostics, types and shapes of values, definitions and uses. --help "
     "lists its options."},
};

/// Escapes text for troff.
static std::string escapeTroff(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  // A line that begins with one of these characters would be a request.
  bool looksLikeRequest =
      StringRef(result).starts_with(".") || StringRef(result).starts_with("'");
  return (looksLikeRequest ? "\\&" : "") + result;
}

static void printHead(raw_ostream &os, StringRef name, StringRef summary,
                      StringRef program, StringRef usage) {
  os << ".TH " << escapeTroff(name.upper()) << " 1 \"\" \"tensorc "
     << TENSORC_VERSION << "\" \"User Commands\"\n.SH NAME\n"
     << escapeTroff(name) << " \\- " << escapeTroff(summary)
     << "\n.SH SYNOPSIS\n.B " << escapeTroff(program) << "\n";
  if (!usage.empty())
    os << escapeTroff(usage) << "\n";
}

static void printOptions(raw_ostream &os, ArrayRef<Flag> flags) {
  if (!flags.empty())
    os << ".SH OPTIONS\n";
  for (const Flag &flag : flags) {
    os << ".TP\n\\fB" << escapeTroff(spelled(flag)) << "\\fR";
    std::string value = "\\fI" + escapeTroff(flag.value) + "\\fR";
    if (flag.name == "O")
      os << value;
    else if (flag.kind == Flag::Value)
      os << (flag.name.size() == 1 ? " " : "=") << value;
    else if (flag.kind == Flag::OptionalValue)
      os << "[=" << value << "]";
    os << "\n" << escapeTroff(flag.help) << "\n";
    if (flag.choices && flag.name != "O")
      os << ".br\nOne of: " << escapeTroff(join(flag.choices(), ", ")) << "\n";
    if (flag.examples)
      os << ".br\nSuch as: " << escapeTroff(join(flag.examples(), ", "))
         << "\n";
  }
}

static void printSeeAlso(raw_ostream &os, ArrayRef<std::string> pages,
                         StringRef self) {
  os << ".SH SEE ALSO\n";
  SmallVector<std::string> others(
      make_filter_range(pages, [&](StringRef page) { return page != self; }));
  for (const std::string &page : others)
    os << ".BR " << escapeTroff(page) << " (1)"
       << (page == others.back() ? "\n" : ",\n");
}

static void printToolPage(raw_ostream &os, Commands commands) {
  printHead(os, "tensorc", "compile tensor expressions and run them", "tensorc",
            "SUBCOMMAND ...");
  os << ".SH SUBCOMMANDS\n";
  for (const Command *command : commands)
    os << ".TP\n.B " << command->name << "\n"
       << escapeTroff(command->summary) << "\n";
  printOptions(os, topFlags());
}

static void printCommandPage(raw_ostream &os, const Command &command) {
  printHead(os, ("tensorc-" + command.name).str(), command.summary,
            ("tensorc " + command.name).str(), command.usage);
  printOptions(os, flagsOf(command));
  os << ".SH EXAMPLES\n.nf\n";
  SmallVector<StringRef> lines;
  command.examples.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    os << escapeTroff(line.trim()) << "\n";
  os << ".fi\n.SH EXIT STATUS\n0; 1 if the program or an input was refused, or "
        "a comparison failed; 2 after bad usage.\n";
}

SmallVector<std::string> listManPages(Commands commands) {
  SmallVector<std::string> pages = {"tensorc"};
  for (const Command *command : commands)
    pages.push_back(("tensorc-" + command->name).str());
  for (const OtherProgram &program : otherPrograms)
    pages.push_back(program.name.str());
  return pages;
}

bool printManPage(raw_ostream &os, StringRef page, Commands commands) {
  SmallVector<std::string> pages = listManPages(commands);
  if (!is_contained(pages, page))
    return false;
  if (page == "tensorc")
    printToolPage(os, commands);
  for (const Command *command : commands)
    if (page == ("tensorc-" + command->name).str())
      printCommandPage(os, *command);
  for (const OtherProgram &program : otherPrograms)
    if (page == program.name) {
      printHead(os, program.name, program.summary, program.name, program.usage);
      os << ".SH DESCRIPTION\n" << escapeTroff(program.text) << "\n";
    }
  printSeeAlso(os, pages, page);
  return true;
}

} // namespace tensorc::tool
