//===- Program.h - What run, bench and explain work on --------------------===//
#ifndef TENSORC_TOOLS_TENSORC_PROGRAM_H
#define TENSORC_TOOLS_TENSORC_PROGRAM_H

#include "tools/tensorc/Module.h"

namespace tensorc::tool {

/// One function of IN: of a module, or an entry of a package as a function
/// without a body.
struct Program {
  LoadedModule module;
  mlir::func::FuncOp function;
  /// The file of a package; empty for a module.
  std::string package;
  std::vector<std::string> outputs;

  bool isPackage() const { return !package.empty(); }
};

/// Suffix of the files that `tensorc tune` writes.
constexpr llvm::StringLiteral tuningSuffix = ".tctune";

bool isPackage(const Arguments &arguments);
/// Returns BadUsage after a message if IN is a package and one of these options
/// is given, which apply to its compilation.
int refuseForPackage(const Arguments &arguments,
                     llvm::ArrayRef<llvm::StringRef> options);

/// Returns BadUsage or Refused after a message if a --schedule or the file of
/// --tuning is malformed, or is for a stage that does not run.
int checkSchedules(const Arguments &arguments);

/// Reads IN and finds the entry; errors go to stderr.
mlir::LogicalResult loadProgram(const Arguments &arguments, Program &program);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_PROGRAM_H
