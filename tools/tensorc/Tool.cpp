//===- Tool.cpp - Dispatch to subcommands ---------------------------------===//

#include "compiler/frontends/files/OutputFile.h"
#include "tools/tensorc/Commands.h"

#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <new>

using namespace llvm;

namespace tensorc::tool {

static const Command *const commands[] = {
    &compileCommand, &runCommand,           &benchCommand,   &explainCommand,
    &tuneCommand,    &differentiateCommand, &devicesCommand, &inspectCommand};

static void printOverview(raw_ostream &os) {
  os << "tensorc compiles tensor expressions and runs them.\n\n"
        "usage: tensorc SUBCOMMAND ...\n\nsubcommands:\n";
  for (const Command *command : commands) {
    os << "  " << command->name;
    os.indent(15 - command->name.size()) << command->summary << "\n";
  }
  os << "\ntensorc SUBCOMMAND --help lists its options.\n"
        "Exit status: 0; 1 the program or an input was refused, or a "
        "comparison "
        "failed; 2 bad usage.\n";
}

/// Runs the command with the limits, because sizes in a program or file may
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

static int dispatch(ArrayRef<StringRef> words) {
  if (words.empty()) {
    printOverview(errs());
    return BadUsage;
  }
  StringRef name = words.consume_front();
  if (name == "--help" || name == "-h" || name == "help") {
    printOverview(outs());
    return Success;
  }
  if (name == "--version") {
    outs() << "tensorc " TENSORC_VERSION "\n";
    return Success;
  }
  for (const Command *command : commands) {
    if (command->name != name)
      continue;
    std::optional<Arguments> arguments = Arguments::parse(*command, words);
    if (!arguments)
      return BadUsage;
    if (arguments->wantsHelp()) {
      printHelp(*command);
      return Success;
    }
    return runWithinLimits(*command, *arguments);
  }
  return badUsage("unknown subcommand '" + name + "'; see tensorc --help");
}

int toolMain(ArrayRef<StringRef> words) {
  // A file that becomes too large makes the write fail instead of ending the
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
