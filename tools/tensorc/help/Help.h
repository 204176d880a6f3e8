//===- Help.h - Help texts, completions and man pages ---------------------===//
//
// --help, man pages and completions are generated from the tables of commands
// and flags.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TOOLS_TENSORC_HELP_HELP_H
#define TENSORC_TOOLS_TENSORC_HELP_HELP_H

#include "tools/tensorc/Arguments.h"

#include "llvm/Support/raw_ostream.h"

namespace tensorc::tool {

using Commands = llvm::ArrayRef<const Command *>;

/// Returns the flags that can be given in place of a command, such as
/// `--version`.
llvm::ArrayRef<Flag> topFlags();

/// Prints the list of commands: `tensorc --help`.
void printOverview(llvm::raw_ostream &os, Commands commands);
/// Prints the options of a command: `tensorc COMMAND --help`.
void printHelp(llvm::raw_ostream &os, const Command &command);

/// Returns the commit of the sources, or `unknown`.
llvm::StringRef commitOfSources();
/// Prints the version, the commit, LLVM's version and the targets.
void printVersion(llvm::raw_ostream &os);

/// Returns the shells that have a completion.
llvm::ArrayRef<llvm::StringRef> listShells();
/// Prints a completion script of tensorc for the shell.
void printCompletion(llvm::raw_ostream &os, llvm::StringRef shell,
                     Commands commands);

/// Prints a man page in troff: `tensorc`, `tensorc-COMMAND`, or the page of
/// another program of the project. Returns false if there is no such page.
bool printManPage(llvm::raw_ostream &os, llvm::StringRef page,
                  Commands commands);
/// Returns the names of all man pages.
llvm::SmallVector<std::string> listManPages(Commands commands);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_HELP_HELP_H
