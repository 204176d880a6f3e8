//===- Tool.cpp - Dispatch to subcommands ---------------------------------===//

#include "compiler/frontends/files/OutputFile.h"
#include "tools/tensorc/Commands.h"
#include "tools/tensorc/help/Help.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <new>

using namespace llvm;

namespace tensorc::tool {

static const Command *const commands[] = {
    &compileCommand, &runCommand,    &benchCommand,
    &explainCommand, &tuneCommand,   &differentiateCommand,
    &devicesCommand, &doctorCommand, &inspectCommand};

/// Runs the command with the limits, because the sizes in a program or file may
/// require any amount of memory.
static int runWithinLimits(const Command &command, const Arguments &arguments) {
  Limits limits = arguments.limits();
  if (std::string why = whyNoLimits(limits); !why.empty())
    return badUsage(why);
  if (std::string why = applyLimits("tensorc", limits); !why.empty())
    return refuse(why);
  try {
    return command.run(arguments);
  } catch (const std::bad_alloc &) {
    return refuse("not enough memory" +
                  (limits.memory.empty()
                       ? ""
                       : ": --max-memory allows " + limits.memory));
  }
}

/// Runs a flag that is given in place of a command, such as --version.
static int runTopFlag(StringRef word, ArrayRef<StringRef> rest) {
  auto [name, value] = word.ltrim('-').split('=');
  const Flag *flag = find_if(topFlags(), [&, name = name](const Flag &each) {
    return each.name == name;
  });
  if (flag == topFlags().end())
    return badUsage("unknown option '" + word + "'; see tensorc --help");
  if (flag->kind == Flag::Value && !word.contains('=') && !rest.empty())
    value = rest.consume_front();
  if (flag->kind == Flag::Switch ? word.contains('=') : value.empty())
    return badUsage("'" + word + "' is not of the form " + spelled(*flag) +
                    (flag->value.empty() ? "" : "=" + flag->value.str()));
  if (!rest.empty())
    return badUsage("unexpected argument '" + rest[0] + "'");
  if (name == "help") {
    printOverview(outs(), commands);
  } else if (name == "version") {
    printVersion(outs());
  } else if (name == "print-man" && value == "list") {
    outs() << join(listManPages(commands), "\n") << "\n";
  } else if (name == "print-man") {
    if (!printManPage(outs(), value, commands))
      return badUsage("there is no man page '" + value +
                      "'; --print-man=list prints their names");
  } else {
    if (!is_contained(listShells(), value))
      return badUsage("no completion of '" + value +
                      "'; there are: " + join(listShells(), " "));
    printCompletion(outs(), value, commands);
  }
  return Success;
}

static int dispatch(ArrayRef<StringRef> words) {
  if (words.empty()) {
    printOverview(errs(), commands);
    return BadUsage;
  }
  StringRef name = words.consume_front();
  if (name == "-h" || name == "help") {
    printOverview(outs(), commands);
    return Success;
  }
  if (name.starts_with("--"))
    return runTopFlag(name, words);
  for (const Command *command : commands) {
    if (command->name != name)
      continue;
    std::optional<Arguments> arguments = Arguments::parse(*command, words);
    if (!arguments)
      return BadUsage;
    if (arguments->wantsHelp()) {
      printHelp(outs(), *command);
      return Success;
    }
    return runWithinLimits(*command, *arguments);
  }
  return badUsage("unknown subcommand '" + name + "'; see tensorc --help");
}

/// Turns colours off if NO_COLOR is set (https://no-color.org).
static void obeyNoColor() {
  const char *value = secure_getenv("NO_COLOR");
  if (value && *value)
    WithColor::setAutoDetectFunction([](const raw_ostream &) { return false; });
}

int toolMain(ArrayRef<StringRef> words) {
  obeyNoColor();
  // Makes a write that exceeds the file size limit fail, instead of ending the
  // process.
  std::signal(SIGXFSZ, SIG_IGN);
  int status = dispatch(words);
  if (Error error = files::flushOutput()) {
    int refused = refuse(toString(std::move(error)));
    return status ? status : refused;
  }
  return status;
}

} // namespace tensorc::tool
