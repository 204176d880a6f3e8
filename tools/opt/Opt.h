//===- Opt.h - The whole of tensorc-opt -----------------------------------===//
#ifndef TENSORC_TOOLS_OPT_OPT_H
#define TENSORC_TOOLS_OPT_OPT_H

namespace tensorc::tool {

/// Runs mlir-opt with the project's dialects and passes; returns the exit
/// status. The input is text, with the same limits as for `tensorc`.
int optMain(int argc, char **argv);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_OPT_OPT_H
