//===- Save.h - A program as a file ---------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_SAVE_H
#define TENSORC_COMPILER_SESSION_EXPORT_SAVE_H

#include "compiler/session/export/Program.h"

namespace tensorc::exporting {

struct SaveOptions {
  /// The target; for a package, several separated by commas.
  std::string target = "cpu";
  /// The kind, as for the tool's `--emit`, or "mlir" or "report"; if empty, by
  /// the suffix.
  std::string kind;
  Naming naming;
  /// File for the constants of a package; empty for none.
  std::string constants;
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
