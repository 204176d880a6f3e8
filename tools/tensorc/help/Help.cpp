//===- Help.cpp - The help texts ------------------------------------------===//

#include "tools/tensorc/help/Help.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tensorc::tool {

static constexpr Flag flagsOfTool[] = {
    {"help", Flag::Switch, "", "print this text"},
    {"version", Flag::Switch, "",
     "print the version, the commit, LLVM's version and the targets"},
    {"print-completion", Flag::Value, "SHELL",
     "print the shell's completion of tensorc", listShells},
    {"print-man", Flag::Value, "PAGE",
     "print a man page, such as tensorc-run; list: print their names"},
};

ArrayRef<Flag> topFlags() { return flagsOfTool; }

/// Returns the flag as shown in the usage: `--emit=KIND`, `-o OUT`.
static std::string usageOf(const Flag &flag) {
  std::string text = spelled(flag);
  if (flag.name == "O")
    text += flag.value;
  else if (flag.kind == Flag::Value)
    text += (flag.name.size() == 1 ? " " : "=") + flag.value.str();
  else if (flag.kind == Flag::OptionalValue)
    text += "[=" + flag.value.str() + "]";
  return text;
}

static void printFlags(raw_ostream &os, ArrayRef<Flag> flags) {
  if (!flags.empty())
    os << "\noptions:\n";
  for (const Flag &flag : flags) {
    std::string left = usageOf(flag);
    os << "  " << left;
    os.indent(left.size() < 24 ? 24 - left.size() : 1);
    os << flag.help << "\n";
    if (flag.choices && flag.name != "O")
      os.indent(26) << "one of: " << join(flag.choices(), " ") << "\n";
    if (flag.examples)
      os.indent(26) << "such as: " << join(flag.examples(), " ") << "\n";
  }
}

void printOverview(raw_ostream &os, Commands commands) {
  os << "tensorc compiles tensor expressions and runs them.\n\n"
        "usage: tensorc SUBCOMMAND ...\n\nsubcommands:\n";
  for (const Command *command : commands) {
    os << "  " << command->name;
    os.indent(15 - command->name.size()) << command->summary << "\n";
  }
  printFlags(os, topFlags());
  os << "\ntensorc SUBCOMMAND --help lists its options.\n"
        "Exit status: 0; 1 the program or an input was refused, or a "
        "comparison "
        "failed; 2 bad usage.\n";
}

void printHelp(raw_ostream &os, const Command &command) {
  os << "tensorc " << command.name << ": " << command.summary << "\n\n"
     << "usage: tensorc " << command.name << " " << command.usage << "\n";
  printFlags(os, flagsOf(command));
  if (!command.examples.empty())
    os << "\nexamples:\n" << command.examples;
}

} // namespace tensorc::tool
