//===- Opt.h - Main functions of programs based on MLIR's libraries -------===//
#ifndef TENSORC_TOOLS_OPT_OPT_H
#define TENSORC_TOOLS_OPT_OPT_H

namespace tensorc::tool {

/// Runs mlir-opt with the project's dialects and passes; returns the exit
/// status. The input is text, with the same limits as for `tensorc`.
int optMain(int argc, char **argv);

/// Runs MLIR's language server with the project's dialects on stdin and stdout;
/// returns the exit status.
int lspMain(int argc, char **argv);

/// Hides the command-line options that are registered so far, which are LLVM's.
/// --help would list hundreds of them; --help-hidden still does. Sets the
/// output of --version.
void prepareOptions(const char *program);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_OPT_OPT_H
