//===- Tool.cpp - Dispatch to subcommands ---------------------------------===//

#include "tools/tensorc/Commands.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tensorc::tool {

static const Command *const commands[] = {&compileCommand, &runCommand,
                                          &benchCommand, &explainCommand,
                                          &devicesCommand};

static void printOverview(raw_ostream &os) {
  os << "tensorc compiles tensor expressions and runs them.\n\n"
        "usage: tensorc SUBCOMMAND ...\n\nsubcommands:\n";
  for (const Command *command : commands) {
    os << "  " << command->name;
    os.indent(10 - command->name.size()) << command->summary << "\n";
  }
  os << "\ntensorc SUBCOMMAND --help lists its options.\n"
        "Exit status: 0; 1 the program or an input was refused, or a "
        "comparison "
        "failed; 2 bad usage.\n";
}

int toolMain(ArrayRef<StringRef> words) {
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
    return command->run(*arguments);
  }
  return badUsage("unknown subcommand '" + name + "'; see tensorc --help");
}

} // namespace tensorc::tool
