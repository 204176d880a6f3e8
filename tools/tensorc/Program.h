//===- Program.h - What run, bench and explain work on --------------------===//
#ifndef TENSORC_TOOLS_TENSORC_PROGRAM_H
#define TENSORC_TOOLS_TENSORC_PROGRAM_H

#include "tools/tensorc/Module.h"

namespace tensorc::tool {

/// A function of IN. For a package it is an entry, represented by a function
/// without a body.
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
/// If IN is a package and one of these options, which apply to its compilation,
/// is given, reports an error and returns BadUsage.
int refuseForPackage(const Arguments &arguments,
                     llvm::ArrayRef<llvm::StringRef> options);

/// If --schedule or the file of --tuning is malformed, or applies to a stage
/// that does not run, reports an error and returns BadUsage or Refused.
int checkSchedules(const Arguments &arguments);

/// Reads IN and finds the entry; errors go to stderr.
mlir::LogicalResult loadProgram(const Arguments &arguments, Program &program);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_PROGRAM_H
