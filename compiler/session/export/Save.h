//===- Save.h - Writes a program to a file --------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_SAVE_H
#define TENSORC_COMPILER_SESSION_EXPORT_SAVE_H

#include "compiler/session/export/Program.h"

namespace tensorc::exporting {

struct SaveOptions {
  /// Name of the target. For a package it may be several names, separated by
  /// commas. If empty, the kind determines it.
  std::string target;
  /// Kind of file, as for the tool's `--emit`, or "mlir" or "report". If empty,
  /// the file's suffix determines it.
  std::string kind;
  Naming naming;
  /// File for the constants of a package; empty for none.
  std::string constants;
  /// Values of a package's named sizes, e.g. "n=1024,m=64", for which it gets
  /// plans that need less memory; empty for none.
  std::string memoryPlans;
  int optLevel = 2;
  bool fastMath = false;
};

/// Compiles the program and writes the file atomically.
jit::Status save(const Program &program, const std::string &path,
                 const SaveOptions &options);

/// Returns the text of the program.
std::string textOf(const Program &program, const Naming &naming,
                   jit::Status &status);

} // namespace tensorc::exporting

#endif // TENSORC_COMPILER_SESSION_EXPORT_SAVE_H
