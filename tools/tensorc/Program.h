//===- Program.h - Input programs of run, bench and explain ---------------===//
#ifndef TENSORC_TOOLS_TENSORC_PROGRAM_H
#define TENSORC_TOOLS_TENSORC_PROGRAM_H

#include "tools/tensorc/Module.h"

namespace tensorc::tool {

/// A function of the input IN. If IN is a package, it is an entry, represented
/// by a function without a body.
struct Program {
  LoadedModule module;
  mlir::func::FuncOp function;
  /// The path of the package; empty if IN is a module.
  std::string package;
  std::vector<std::string> outputs;

  bool isPackage() const { return !package.empty(); }
};

/// Suffix of the files that `tensorc tune` writes.
constexpr llvm::StringLiteral tuningSuffix = ".tctune";

bool isPackage(const Arguments &arguments);
/// If IN is a package and one of these options is given, reports an error and
/// returns BadUsage, because the options apply to its compilation.
int refuseForPackage(const Arguments &arguments,
                     llvm::ArrayRef<llvm::StringRef> options);

/// Reports an error and returns BadUsage or Refused if --schedule or the file
/// of --tuning is malformed, or applies to a stage that does not run.
int checkSchedules(const Arguments &arguments);

/// Reads IN and finds the entry. Errors are printed to stderr.
mlir::LogicalResult loadProgram(const Arguments &arguments, Program &program);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_PROGRAM_H
