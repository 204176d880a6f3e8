//===- Completion.cpp - Shell completions of command lines ----------------===//

#include "tools/tensorc/help/Help.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tensorc::tool {

/// Returns the values to offer for a flag.
static ArrayRef<StringRef> offeredValues(const Flag &flag) {
  if (flag.choices)
    return flag.choices();
  return flag.examples ? flag.examples() : ArrayRef<StringRef>();
}

static bool takesFile(const Flag &flag) {
  return flag.value == "OUT" || flag.value == "DIR" ||
         flag.value.ends_with("FILE");
}

/// Quotes a word for all three shells.
static std::string quoteWord(StringRef text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Returns the flag as a shell shows it: `--emit=`, `-o`, or `-O0 -O1 ...`.
static std::string offeredFlag(const Flag &flag) {
  if (flag.name == "O")
    return join(map_range(flag.choices(),
                          [](StringRef level) { return "-O" + level.str(); }),
                " ");
  bool needsValue = flag.kind == Flag::Value && flag.name.size() > 1;
  return spelled(flag) + (needsValue ? "=" : "");
}

static std::string offeredFlags(ArrayRef<Flag> flags) {
  return join(map_range(flags, offeredFlag), " ");
}

static std::string namesOf(Commands commands) {
  return join(map_range(commands, [](const Command *c) { return c->name; }),
              " ");
}

/// Returns the flags of a command and --help, which every command has.
static SmallVector<Flag> withHelp(ArrayRef<Flag> flags) {
  SmallVector<Flag> all(flags);
  all.push_back({"help", Flag::Switch, "", "list the options"});
  return all;
}

/// Prints a case for each flag that has a list of values.
static void printBashValues(raw_ostream &os, StringRef command,
                            ArrayRef<Flag> flags) {
  for (const Flag &flag : flags)
    if (flag.name != "O" && !offeredValues(flag).empty())
      os << "  " << quoteWord((command + " " + spelled(flag)).str())
         << ") offered=" << quoteWord(join(offeredValues(flag), " "))
         << " ;;\n";
}

static void printBash(raw_ostream &os, Commands commands) {
  os << R"(_tensorc() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  local command=${COMP_WORDS[1]} offered=
  # bash splits --emit=object into three words.
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  (( COMP_CWORD > 1 )) || command=
  case "$command $before" in
)";
  for (const Flag &flag : topFlags())
    printBashValues(os, spelled(flag), flag);
  for (const Command *command : commands)
    printBashValues(os, command->name, flagsOf(*command));
  os << "  *)\n    case $command in\n    '') offered="
     << quoteWord(namesOf(commands) + " " + offeredFlags(topFlags()))
     << " ;;\n";
  for (const Command *command : commands)
    os << "    " << command->name << ") [[ $word != -* ]] || offered="
       << quoteWord(offeredFlags(withHelp(flagsOf(*command)))) << " ;;\n";
  os << R"(    esac ;;
  esac
  # If nothing is offered, bash completes names of files.
  mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$word")
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace
  fi
}
complete -o default -F _tensorc tensorc
)";
}

/// Escapes characters that have a special meaning in a specification of zsh's
/// _arguments.
static std::string escapeSpec(StringRef text) {
  std::string result;
  for (char c : text)
    result += (StringRef("[]:\\").contains(c) ? "\\" : "") + std::string(1, c);
  return result;
}

/// Returns the completion of a flag's value for zsh: `:KIND:(package object)`.
static std::string zshValue(const Flag &flag) {
  if (flag.kind == Flag::Switch)
    return "";
  std::string text = flag.kind == Flag::OptionalValue ? "::" : ":";
  text += escapeSpec(flag.value) + ":";
  if (!offeredValues(flag).empty())
    return text + "(" + escapeSpec(join(offeredValues(flag), " ")) + ")";
  return text + (takesFile(flag) ? "_files" : " ");
}

static void printZshFlags(raw_ostream &os, ArrayRef<Flag> flags) {
  for (const Flag &flag : flags) {
    std::string spec = "*" + spelled(flag);
    if (flag.name == "O")
      spec += "-";
    else if (flag.kind != Flag::Switch && flag.name.size() > 1)
      spec += flag.kind == Flag::Value ? "=" : "=-";
    os << " \\\n      "
       << quoteWord(spec + "[" + escapeSpec(flag.help) + "]" + zshValue(flag));
  }
}

static void printZsh(raw_ostream &os, Commands commands) {
  os << "#compdef tensorc\n_tensorc() {\n  local -a commands=(\n";
  for (const Command *command : commands)
    os << "    "
       << quoteWord(escapeSpec(command->name) + ":" + command->summary.str())
       << "\n";
  os << "  )\n  if (( CURRENT == 2 )); then\n"
        "    _describe subcommand commands\n    _arguments";
  printZshFlags(os, topFlags());
  os << "\n    return\n  fi\n  shift words\n  (( CURRENT-- ))\n"
        "  case $words[1] in\n";
  for (const Command *command : commands) {
    os << "  " << command->name << ")\n    _arguments";
    printZshFlags(os, withHelp(flagsOf(*command)));
    if (command->takesInput)
      os << " \\\n      ':IN:_files'";
    os << " ;;\n";
  }
  os << "  esac\n}\n"
        "# As a file of fpath it is the function itself; otherwise it is read "
        "once.\n"
        "if [[ $funcstack[1] == _tensorc ]]; then\n  _tensorc \"$@\"\n"
        "else\n  compdef _tensorc tensorc\nfi\n";
}

static void printFishFlags(raw_ostream &os, StringRef condition,
                           ArrayRef<Flag> flags) {
  for (const Flag &flag : flags) {
    os << "complete -c tensorc -n " << quoteWord(condition);
    if (flag.name == "O") {
      os << " -f -a " << quoteWord(offeredFlag(flag));
    } else {
      os << (flag.name.size() == 1 ? " -s " : " -l ") << flag.name;
      // -r means that a value is required and files are offered; -x means that
      // no files are offered.
      if (flag.kind == Flag::Value)
        os << (takesFile(flag) ? " -r" : " -x");
      if (!offeredValues(flag).empty())
        os << " -a " << quoteWord(join(offeredValues(flag), " "));
    }
    os << " -d " << quoteWord(flag.help) << "\n";
  }
}

static void printFish(raw_ostream &os, Commands commands) {
  StringRef first = "__fish_use_subcommand";
  for (const Command *command : commands)
    os << "complete -c tensorc -n " << quoteWord(first) << " -f -a "
       << command->name << " -d " << quoteWord(command->summary) << "\n";
  printFishFlags(os, first, topFlags());
  for (const Command *command : commands)
    printFishFlags(os, ("__fish_seen_subcommand_from " + command->name).str(),
                   withHelp(flagsOf(*command)));
}

ArrayRef<StringRef> listShells() {
  static constexpr StringRef shells[] = {"bash", "zsh", "fish"};
  return shells;
}

void printCompletion(raw_ostream &os, StringRef shell, Commands commands) {
  if (shell == "bash")
    printBash(os, commands);
  else if (shell == "zsh")
    printZsh(os, commands);
  else
    printFish(os, commands);
}

} // namespace tensorc::tool
