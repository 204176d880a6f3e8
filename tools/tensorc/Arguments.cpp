//===- Arguments.cpp - The command line of a subcommand -------------------===//

#include "tools/tensorc/Arguments.h"
#include "ir/text/Characters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tensorc::tool {

/// Prints a message, with colours on a terminal.
static void printError(const Twine &message) {
  WithColor::error(errs(), "tensorc")
      << printable(message.str(), /*isText=*/true) << "\n";
}

int badUsage(const Twine &message) {
  printError(message);
  return BadUsage;
}

int refuse(const Twine &message) {
  printError(message);
  return Refused;
}

StringRef Arguments::get(StringRef flag, StringRef otherwise) const {
  auto it = values.find(flag);
  return it == values.end() ? otherwise : StringRef(it->second.back());
}

ArrayRef<std::string> Arguments::all(StringRef flag) const {
  auto it = values.find(flag);
  if (it == values.end())
    return {};
  return it->second;
}

static constexpr Flag limitFlags[] = {
    {"max-memory", Flag::Value, "BYTES",
     "refuse what takes more memory than this: 2G, 500M"},
    {"max-time", Flag::Value, "SECONDS", "end after this time, with status 1"},
    {"max-ops", Flag::Value, "N", "refuse a program of more operations"},
};

SmallVector<Flag> flagsOf(const Command &command) {
  SmallVector<Flag> flags(command.flags);
  if (command.takesInput)
    llvm::append_range(flags, limitFlags);
  return flags;
}

Limits Arguments::limits() const {
  return {get("max-memory").str(), get("max-time").str(), get("max-ops").str(),
          get("memory-limit").str()};
}

std::string spelled(const Flag &flag) {
  return (flag.name.size() == 1 ? "-" : "--") + flag.name.str();
}

/// Adds a word that begins with a dash. Takes the next word as its value if the
/// flag needs a value and the word contains none.
bool Arguments::add(const Command &command, StringRef word,
                    ArrayRef<StringRef> &rest) {
  // -O0 to -O3 are options without a separate value.
  bool isLevel = word.size() == 3 && word.starts_with("-O");
  auto [name, value] = isLevel ? std::pair(StringRef("O"), word.substr(2))
                               : word.ltrim('-').split('=');
  SmallVector<Flag> flags = flagsOf(command);
  const Flag *flag =
      find_if(flags, [&](const Flag &f) { return f.name == name; });
  if (flag == flags.end() || (flag->name.size() > 1 && !word.starts_with("--")))
    return badUsage("unknown option '" + word + "'; see tensorc " +
                    command.name + " --help"),
           false;
  bool hasValue = isLevel || word.contains('=');
  if (flag->kind == Flag::Switch && hasValue)
    return badUsage("option '" + spelled(*flag) + "' takes no value"), false;
  if (flag->kind == Flag::Value && !hasValue) {
    if (rest.empty())
      return badUsage("option '" + spelled(*flag) +
                      "' needs a value: " + spelled(*flag) + "=" + flag->value),
             false;
    value = rest.consume_front();
  }
  if (flag->choices && !is_contained(flag->choices(), value))
    return badUsage("'" + value + "' is not a value of " + spelled(*flag) +
                    "; it is one of " + join(flag->choices(), " ")),
           false;
  values[name].push_back(value.str());
  return true;
}

std::optional<Arguments> Arguments::parse(const Command &command,
                                          ArrayRef<StringRef> words) {
  Arguments result;
  std::vector<StringRef> inputs;
  while (!words.empty()) {
    StringRef word = words.consume_front();
    if (word == "--help" || word == "-h") {
      result.help = true;
      return result;
    }
    if (word == "-" || !word.starts_with("-"))
      inputs.push_back(word);
    else if (!result.add(command, word, words))
      return std::nullopt;
  }
  size_t expected = command.takesInput ? 1 : 0;
  if (inputs.size() > expected)
    return badUsage("unexpected argument '" + inputs[expected] + "'"),
           std::nullopt;
  if (inputs.size() < expected)
    return badUsage("no input file; usage: tensorc " + command.name + " " +
                    command.usage),
           std::nullopt;
  if (!inputs.empty())
    result.in = inputs[0].str();
  return result;
}

} // namespace tensorc::tool
